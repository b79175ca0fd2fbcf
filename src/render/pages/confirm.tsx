import type { Child } from 'hono/jsx';
import { layout } from './layout.tsx';
import { WaysOn } from './not-found.tsx';
import { say } from './say.tsx';
import { SubscribeBox } from './subscribe-box.tsx';
import type { Site } from './views.ts';

/**
 * Before and after the button (however often it is pressed), with the titles of the digests, of which there is none when
 * the link confirms a change of address; and what a stale or broken link leads to. `latest` is the newest issue, to be
 * read at once.
 */
export type ConfirmView =
  | { state: 'ask'; digests: string[] }
  | { state: 'done'; digests: string[]; latest?: { subject: string; url: string } }
  | { state: 'expired' | 'taken' }
  | { state: 'unknown' };

/**
 * `/confirm/:token`. The form posts to the page's own address: GET changes nothing, because mail scanners follow every
 * link.
 */
export function confirmPage(site: Site, view: ConfirmView): string {
  const { title, main } = shown(site, view);
  return layout(site, { head: { title }, main: <div class="page stack">{main}</div> });
}

interface Shown {
  title: string;
  main: Child;
}

function shown(site: Site, view: ConfirmView): Shown {
  switch (view.state) {
    case 'ask':
      return view.digests.length > 0 ? ask(site, view.digests) : askAddress(site);
    case 'done':
      return view.digests.length > 0 ? done(site, view) : doneAddress(site);
    case 'expired':
      return again(site, 'This link is too old', EXPIRED);
    case 'taken':
      return again(site, 'This address has a subscription of its own', TAKEN);
    case 'unknown':
      return again(site, 'This link is not one of ours', UNKNOWN);
  }
}

const EXPIRED =
  'A link to confirm works for seven days, and this one is older. Nothing is lost: enter your address once more, and a new one comes at once.';
const TAKEN =
  'So nothing was changed. What comes to it is set by the links in the mails it gets; what comes to your other address, by the links in those.';
const UNKNOWN =
  'Part of the address may be missing; mail programs sometimes break long lines. Follow the link in the mail once more, or copy all of it. If that does not help, enter your address again, and a new link comes.';

function ask(site: Site, digests: string[]): Shown {
  return {
    title: 'Confirm',
    main: (
      <>
        <p class="kicker small">{say(site, 'One step is left')}</p>
        <h1>{say(site, 'Shall it come by email?')}</h1>
        <p>{say(site, 'Press the button, and from the next issue on you get:')}</p>
        <Titles digests={digests} />
        <form method="post">
          <button type="submit">{say(site, 'Yes, subscribe me')}</button>
        </form>
        <p class="small soft">
          {say(
            site,
            'If you did not ask for this, close this page: nothing is sent to you, and your address is deleted.',
          )}
        </p>
      </>
    ),
  };
}

function done(site: Site, { digests, latest }: Extract<ConfirmView, { state: 'done' }>): Shown {
  return {
    title: 'Subscribed',
    main: (
      <>
        <p class="kicker small">{say(site, 'Welcome')}</p>
        <h1>{say(site, 'You are subscribed')}</h1>
        <p>{say(site, 'From the next issue on you get:')}</p>
        <Titles digests={digests} />
        {latest ? (
          <section class="part">
            <h2>{say(site, 'While you wait: the latest issue')}</h2>
            <p class="standfirst">
              <a href={latest.url}>{latest.subject}</a>
            </p>
          </section>
        ) : (
          <WaysOn site={site} />
        )}
        <p class="small soft">
          {say(site, 'Every mail has a link at its foot with which you change what you get, or leave.')}
        </p>
      </>
    ),
  };
}

function askAddress(site: Site): Shown {
  return {
    title: 'Confirm',
    main: (
      <>
        <p class="kicker small">{say(site, 'One step is left')}</p>
        <h1>{say(site, 'Is this your new address?')}</h1>
        <p>{say(site, 'Press the button, and what you are subscribed to is sent to the new address from now on.')}</p>
        <form method="post">
          <button type="submit">{say(site, 'Yes, use this address')}</button>
        </form>
        <p class="small soft">{say(site, 'If you did not ask for this, close this page: nothing changes.')}</p>
      </>
    ),
  };
}

function doneAddress(site: Site): Shown {
  return {
    title: 'Address changed',
    main: (
      <>
        <h1>{say(site, 'Your address is changed')}</h1>
        <p>{say(site, 'From the next mail on, everything goes to the new address.')}</p>
        <WaysOn site={site} />
      </>
    ),
  };
}

function again(site: Site, title: string, text: string): Shown {
  return {
    title,
    main: (
      <>
        <h1>{say(site, title)}</h1>
        <p>{say(site, text)}</p>
        <SubscribeBox site={site} />
        <WaysOn site={site} />
      </>
    ),
  };
}

function Titles({ digests }: { digests: string[] }) {
  return (
    <ul class="titles">
      {digests.map((title) => (
        <li>{title}</li>
      ))}
    </ul>
  );
}
