import type { Entry } from '../../domain/article.ts';
import { Byline } from './byline.tsx';
import { tongue } from './say.tsx';
import type { Site } from './views.ts';

/** What a list shows of an article. */
export type Teaser = Pick<
  Entry,
  'url' | 'title' | 'summary' | 'language' | 'image' | 'authors' | 'topics' | 'publishedAt'
>;

/** One article in a list; its heading is the link. `lead` sets it larger, with its picture. */
export function ArticleEntry({ site, entry, lead = false }: { site: Site; entry: Teaser; lead?: boolean }) {
  const words = tongue(site, entry);
  return (
    <article class={lead ? 'lead' : undefined}>
      <h2 class="headline" {...words}>
        <a href={entry.url}>{entry.title}</a>
      </h2>
      {lead && entry.image && <Picture image={entry.image} />}
      {entry.summary && (
        <p class="summary" {...words}>
          {entry.summary}
        </p>
      )}
      <Byline site={site} entry={entry} />
    </article>
  );
}

/** Articles one below the other, in the order given. */
export function EntryList({ site, entries }: { site: Site; entries: Teaser[] }) {
  return (
    <ul class="ruled">
      {entries.map((entry) => (
        <li>
          <ArticleEntry site={site} entry={entry} />
        </li>
      ))}
    </ul>
  );
}

/** An article's picture; its size, when known, keeps the text from jumping while it loads. */
export function Picture({ image }: { image: NonNullable<Entry['image']> }) {
  return (
    <figure class="picture">
      <img src={image.url} alt={image.alt} width={image.width} height={image.height} />
    </figure>
  );
}
