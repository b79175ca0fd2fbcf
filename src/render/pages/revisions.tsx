import type { Article } from '../../domain/article.ts';
import { say, tongue } from './say.tsx';
import { Time } from './time.tsx';
import type { Revision, Site } from './views.ts';

interface ChangesProps {
  site: Site;
  article: Article;
  history: Revision[];
}

/** The line below the headline: the latest correction with its note, else when a later revision was made, else nothing. */
export function Changed({ site, article, history }: ChangesProps) {
  const correction = newestFirst(history).find((revision) => revision.note !== undefined);
  if (correction) {
    return (
      <p class="correction">
        <strong>
          {say(site, 'Corrected on')} <Time site={site} at={correction.updatedAt} />:
        </strong>{' '}
        <span {...tongue(site, article)}>{correction.note}</span>
      </p>
    );
  }
  if (article.revision === 1) return null;
  return (
    <p class="small soft gap">
      {say(site, 'Updated on')} <Time site={site} at={article.updatedAt} />
    </p>
  );
}

/** Every revision, newest first, once there is more than one. */
export function Revisions({ site, article, history }: ChangesProps) {
  if (history.length < 2) return null;
  return (
    <section class="part" aria-labelledby="revisions">
      <h2 class="small" id="revisions">
        {say(site, 'Revisions')}
      </h2>
      <ul class="ruled">
        {newestFirst(history).map((revision) => (
          <li>
            <span class="soft">
              {say(site, 'Revision')} {revision.revision}
            </span>{' '}
            <Time site={site} at={revision.updatedAt} precision="minute" />
            {revision.note && <p {...tongue(site, article)}>{revision.note}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function newestFirst(history: Revision[]): Revision[] {
  return history.toSorted((a, b) => b.revision - a.revision);
}
