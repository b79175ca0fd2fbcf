import type { Article } from '../../domain/article.ts';
import { layout } from './layout.tsx';
import { WaysOn } from './not-found.tsx';
import { say } from './say.tsx';
import { Time } from './time.tsx';
import type { Site } from './views.ts';

/** What is left of a withdrawn article for readers. Its title is not: that may be why it was withdrawn. */
export type GoneView = Pick<Article, 'withdrawnAt' | 'withdrawalNote'>;

/** The body of a 410: an article was here and was withdrawn, with the publisher's note where there is one. */
export function gonePage(site: Site, { withdrawnAt, withdrawalNote }: GoneView): string {
  return layout(site, {
    head: { title: 'Withdrawn' },
    main: (
      <div class="page stack">
        <p class="kicker small">410</p>
        <h1>{say(site, 'This article was withdrawn')}</h1>
        {withdrawalNote && <p class="quoted">{withdrawalNote}</p>}
        {withdrawnAt && (
          <p class="byline small">
            {say(site, 'Withdrawn on')} <Time site={site} at={withdrawnAt} />
          </p>
        )}
        <WaysOn site={site} />
      </div>
    ),
  });
}
