import { local } from './address.ts';
import { layout } from './layout.tsx';
import { say } from './say.tsx';
import type { Site } from './views.ts';

/** The body of a 404: nothing is at this address. */
export function notFoundPage(site: Site): string {
  return layout(site, {
    head: { title: 'Not found' },
    main: (
      <div class="page stack">
        <p class="kicker small">404</p>
        <h1>{say(site, 'There is no page at this address')}</h1>
        <p>
          {say(
            site,
            'The link may be mistyped, or it may be older than this site. What has been published is still here:',
          )}
        </p>
        <WaysOn site={site} />
      </div>
    ),
  });
}

/** Where somebody can go from a page that has nothing for them. */
export function WaysOn({ site }: { site: Site }) {
  return (
    <ul class="row small">
      <li>
        <a href={local(site, '')}>{say(site, 'Latest coverage')}</a>
      </li>
      <li>
        <a href={local(site, 'issues')}>{say(site, 'All issues')}</a>
      </li>
    </ul>
  );
}
