import type { Child } from 'hono/jsx';
import { type Fault, FaultSummary } from './faults.tsx';
import { layout } from './layout.tsx';
import { WaysOn } from './not-found.tsx';
import {
  ADDRESS_CONTROL,
  AddressForm,
  DigestsForm,
  EraseForm,
  ExportForm,
  ReturnForm,
  SURE_CONTROL,
} from './preferences-forms.tsx';
import { say } from './say.tsx';
import type { PreferencesDigest, Site } from './views.ts';

/**
 * `show`: a subscriber's own page. `suppressed`: mail to the address was stopped. `said`: what the last form did.
 * `erased`: after that; `unknown`: the link names nobody (any more). Fault messages are whole sentences in English.
 */
export type PreferencesView =
  | {
      state: 'show';
      email: string;
      digests: PreferencesDigest[];
      suppressed?: boolean;
      said?: 'saved' | 'address_sent' | 'returned';
      faults?: Fault<'email' | 'sure'>[];
    }
  | { state: 'erased' }
  | { state: 'unknown' };

/** `/preferences/:token`. Each form posts to the page's own address and names what it does in the field `action`. */
export function preferencesPage(site: Site, view: PreferencesView): string {
  const { title, main } = view.state === 'show' ? own(site, view) : nobody(site, view.state);
  return layout(site, { head: { title }, main: <div class="page stack">{main}</div> });
}

interface Shown {
  title: string;
  main: Child;
}

const SAID = {
  saved: 'Saved. From the next issue on you get what is ticked below.',
  address_sent:
    'A mail is on its way to the new address. Nothing changes until the link in it is used, within seven days.',
  returned: 'Welcome back. Mail to your address is sent again.',
};

function own(site: Site, view: Extract<PreferencesView, { state: 'show' }>): Shown {
  const { email, digests, suppressed = false, said, faults = [] } = view;
  const faultOf = (name: string) => faults.find(({ field }) => field === name);
  return {
    title: faults.length > 0 ? 'Please look again: Your subscription' : 'Your subscription',
    main: (
      <>
        <p class="kicker small address">
          <bdi>{email}</bdi>
        </p>
        <h1>{say(site, 'Your subscription')}</h1>
        {said && (
          <p class="notice" role="status">
            {say(site, SAID[said])}
          </p>
        )}
        <FaultSummary site={site} faults={faults} controls={{ email: ADDRESS_CONTROL, sure: SURE_CONTROL }} />
        {suppressed && <ReturnForm site={site} />}
        <DigestsForm site={site} digests={digests} />
        <AddressForm site={site} fault={faultOf('email')} />
        <ExportForm site={site} />
        <EraseForm site={site} fault={faultOf('sure')} />
      </>
    ),
  };
}

function nobody(site: Site, state: 'erased' | 'unknown'): Shown {
  const { title, text } = NOBODY[state];
  return {
    title,
    main: (
      <>
        <h1>{say(site, title)}</h1>
        <p>{say(site, text)}</p>
        <WaysOn site={site} />
      </>
    ),
  };
}

const NOBODY = {
  erased: {
    title: 'Everything is deleted',
    text: 'Your address is gone, and so is everything that was kept with it. No mail will come; one that is already on its way may still arrive. Thank you for reading. The articles and the feeds stay open to you:',
  },
  unknown: {
    title: 'This link is not one of ours',
    text: 'Part of the address may be missing, or what it led to was deleted. Every mail that we send has a link at its foot: please follow that of the latest one, or copy all of it.',
  },
};
