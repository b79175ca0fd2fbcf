import type { Child } from 'hono/jsx';
import { type Fault, FaultSummary } from './faults.tsx';
import { layout } from './layout.tsx';
import { WaysOn } from './not-found.tsx';
import { say } from './say.tsx';
import { DigestAbout, SUBSCRIBE_CONTROLS, SubscribeForm } from './subscribe-form.tsx';
import type { Site } from './views.ts';

/**
 * `form`: empty or sent back with what is wrong; `sent`: the answer to every address, known or not; `limited`: a client
 * tried too often (429). Fault messages are whole sentences in English.
 */
export type SubscribeView =
  | {
      state: 'form';
      email?: string;
      /** Ids of digests. */
      chosen?: string[];
      faults?: Fault<'email' | 'digest' | 'form'>[];
      turnstileSiteKey?: string;
    }
  | { state: 'sent' }
  | { state: 'limited' };

/** `/subscribe`. The site needs its `subscribe` for the form to be there. */
export function subscribePage(site: Site, view: SubscribeView): string {
  const { title, main } = view.state === 'form' ? form(site, view) : view.state === 'sent' ? sent(site) : limited(site);
  return layout(site, {
    section: 'subscribe',
    head: { title },
    main: <div class="page stack">{main}</div>,
  });
}

interface Shown {
  title: string;
  main: Child;
}

function form(site: Site, view: Extract<SubscribeView, { state: 'form' }>): Shown {
  const { digests } = site.publication;
  const { faults = [] } = view;
  const [only, ...others] = digests;
  return {
    title: faults.length > 0 ? 'Please look again: Subscribe' : 'Subscribe',
    main: (
      <>
        <p class="kicker small">{say(site, 'By email')}</p>
        <h1>{only && others.length === 0 ? only.title : say(site, 'Subscribe')}</h1>
        {only && others.length === 0 && (
          <div>
            <DigestAbout site={site} digest={only} />
          </div>
        )}
        <FaultSummary site={site} faults={faults} controls={controlsOf(site)} />
        {site.subscribe && only ? (
          <SubscribeForm site={site} formToken={site.subscribe.formToken} {...view} />
        ) : (
          <>
            <p>{say(site, 'There is nothing to subscribe to at the moment. The feeds are open to you:')}</p>
            <WaysOn site={site} />
          </>
        )}
      </>
    ),
  };
}

/** A single digest has no control of its own that a summary could lead to. */
function controlsOf(site: Site): Record<string, string> {
  return site.publication.digests.length > 1 ? SUBSCRIBE_CONTROLS : { email: SUBSCRIBE_CONTROLS.email };
}

function sent(site: Site): Shown {
  return {
    title: 'Look into your mailbox',
    main: (
      <>
        <p class="kicker small">{say(site, 'One step is left')}</p>
        <h1>{say(site, 'Look into your mailbox')}</h1>
        <p>
          {say(
            site,
            'If that address is not subscribed yet, a mail with a link is on its way to it. Follow the link within seven days and press the button there; nothing else is sent before that.',
          )}
        </p>
        <h2>{say(site, 'Nothing comes?')}</h2>
        <ul class="steps bullets">
          <li>{say(site, 'Give it some minutes, and look into the spam folder too.')}</li>
          <li>
            {say(
              site,
              'See whether the address was typed rightly. If it was, wait an hour before you try again: nobody is sent more than one such mail an hour.',
            )}
          </li>
          <li>
            {say(
              site,
              'If you are subscribed already, no mail comes, and none is needed. If mail to you was stopped, because it came back or was reported as spam, the link at the foot of an older mail brings it back.',
            )}
          </li>
        </ul>
        <WaysOn site={site} />
      </>
    ),
  };
}

function limited(site: Site): Shown {
  return {
    title: 'Too many tries',
    main: (
      <>
        <h1>{say(site, 'One moment, please')}</h1>
        <p>
          {say(
            site,
            'There were too many tries from your network in a short time, and nothing was sent. Wait a minute, go back, and press the button again.',
          )}
        </p>
        <WaysOn site={site} />
      </>
    ),
  };
}
