import type { Child } from 'hono/jsx';
import { layout } from './layout.tsx';
import { WaysOn } from './not-found.tsx';
import { say } from './say.tsx';
import type { Site } from './views.ts';

/**
 * Where a reader stands: `ask` before the button, `done` after it (however often it is pressed), `test` behind the link
 * of a test or preview, `unknown` when the link's token names no subscription. `digest` is the digest's title; `several`
 * says that there are other digests to leave at once; `preferences` is the path of the reader's own page.
 */
export type UnsubscribeView =
  | { state: 'ask'; digest: string; several: boolean }
  | { state: 'done'; digest: string; all?: boolean; preferences?: string }
  | { state: 'test' | 'unknown' };

/**
 * `/unsubscribe/:token`. The form posts to the page's own address, token included, and needs no field: GET changes
 * nothing, because mail scanners follow every link, and RFC 8058 clients post to the same address.
 */
export function unsubscribePage(site: Site, view: UnsubscribeView): string {
  const { title, main } =
    view.state === 'ask' ? ask(site, view) : view.state === 'done' ? done(site, view) : other[view.state](site);
  return layout(site, {
    head: { title },
    main: <div class="page stack">{main}</div>,
  });
}

interface Shown {
  title: string;
  main: Child;
}

function ask(site: Site, { digest, several }: Extract<UnsubscribeView, { state: 'ask' }>): Shown {
  return {
    title: 'Unsubscribe',
    main: (
      <>
        <p class="kicker small">{digest}</p>
        <h1>{say(site, 'Do you want to unsubscribe?')}</h1>
        <p>{say(site, 'Press the button, and no further issue is sent to you. You need not say why.')}</p>
        <form class="choices" method="post">
          <button type="submit">
            {several ? (
              <>
                {say(site, 'Unsubscribe from')} <bdi>{digest}</bdi>
              </>
            ) : (
              say(site, 'Unsubscribe')
            )}
          </button>
          {several && (
            <button class="quiet" type="submit" name="all" value="yes">
              {say(site, 'Unsubscribe from everything')}
            </button>
          )}
        </form>
      </>
    ),
  };
}

function done(site: Site, { digest, all, preferences }: Extract<UnsubscribeView, { state: 'done' }>): Shown {
  return {
    title: 'Unsubscribed',
    main: (
      <>
        <p class="kicker small">{all ? say(site, 'Everything') : digest}</p>
        <h1>{say(site, 'You are unsubscribed')}</h1>
        <p>
          {say(
            site,
            `No further issue ${all ? 'of any digest ' : ''}will be sent to you; one that is already on its way may still arrive. Thank you for reading. The articles and the feeds stay open to you:`,
          )}
        </p>
        <WaysOn site={site} />
        {preferences !== undefined && (
          <p>
            {say(site, 'It was a mistake, or you want something else instead?')}{' '}
            <a href={preferences}>{say(site, 'Change what you get')}</a>
          </p>
        )}
      </>
    ),
  };
}

const other: Record<'test' | 'unknown', (site: Site) => Shown> = {
  test: (site) => ({
    title: 'Only a test',
    main: (
      <>
        <h1>{say(site, 'There is nothing to unsubscribe from')}</h1>
        <p>
          {say(
            site,
            'This link comes from a test or a preview of an issue, which nobody is subscribed by. In the mail that goes to subscribers, each of them has a link of their own here.',
          )}
        </p>
      </>
    ),
  }),
  unknown: (site) => ({
    title: 'Unknown link',
    main: (
      <>
        <h1>{say(site, 'This link is not one of ours')}</h1>
        <p>
          {say(
            site,
            'Part of the address may be missing; mail programs sometimes break long lines. Please follow the link in the mail once more, or copy all of it. You can also answer the mail, and somebody will take you off the list.',
          )}
        </p>
      </>
    ),
  }),
};
