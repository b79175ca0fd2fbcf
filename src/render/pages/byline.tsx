import type { Child } from 'hono/jsx';
import type { Entry } from '../../domain/article.ts';
import type { Person } from '../../domain/publication.ts';
import { lists } from './formats.ts';
import { say } from './say.tsx';
import { Time } from './time.tsx';
import type { Site } from './views.ts';

/** Who wrote an entry and when it appeared. */
export function Byline({ site, entry }: { site: Site; entry: Pick<Entry, 'authors' | 'publishedAt'> }) {
  return (
    <p class="byline row small">
      {entry.authors.length > 0 && (
        <span>
          {say(site, 'By')} {names(site, entry.authors)}
        </span>
      )}
      <Time site={site} at={entry.publishedAt} />
    </p>
  );
}

/** Names joined as the publication's language joins them ("A, B and C"); an author's address is never shown. */
function names(site: Site, authors: Person[]): Child[] {
  const list = lists(site.publication.language);
  let next = 0;
  return list.formatToParts(authors.map((author) => author.name)).map((part) => {
    if (part.type === 'literal') return part.value;
    const author = authors[next++];
    return author?.url ? <a href={author.url}>{part.value}</a> : <b>{part.value}</b>;
  });
}
