import type { Child } from 'hono/jsx';
import { type Fault, FaultNote, faulty } from './faults.tsx';
import { say } from './say.tsx';
import { DigestBox } from './subscribe-form.tsx';
import type { PreferencesDigest, Site } from './views.ts';

/** Ids of the controls that can be wrong. */
export const ADDRESS_CONTROL = 'new-email';
export const SURE_CONTROL = 'sure';

type Action = 'digests' | 'address' | 'export' | 'erase' | 'return';

/** A section with a form of its own, which posts to the page it stands on. */
function Part({ site, title, action, children }: { site: Site; title: string; action: Action; children: Child }) {
  return (
    <section class="part" aria-labelledby={`to-${action}`}>
      <h2 id={`to-${action}`}>{say(site, title)}</h2>
      <form class="fields" method="post">
        <input type="hidden" name="action" value={action} />
        {children}
      </form>
    </section>
  );
}

/** Which digests come. */
export function DigestsForm({ site, digests }: { site: Site; digests: PreferencesDigest[] }) {
  const scheduleOf = (id: string) => site.publication.digests.find((known) => known.id === id)?.schedule;
  return (
    <Part site={site} title="What you get" action="digests">
      <fieldset>
        <legend>{say(site, 'Tick what you want; clear all to get none.')}</legend>
        {digests.map((digest, index) => (
          <DigestBox
            site={site}
            digest={{ ...digest, schedule: scheduleOf(digest.id) }}
            id={`digest-${index + 1}`}
            checked={digest.subscribed}
          />
        ))}
      </fieldset>
      <p>
        <button type="submit">{say(site, 'Save')}</button>
      </p>
    </Part>
  );
}

/** Another address, which has to be confirmed there. */
export function AddressForm({ site, fault }: { site: Site; fault: Fault | undefined }) {
  return (
    <Part site={site} title="Another address" action="address">
      <p id="address-about">
        {say(site, 'A mail goes to the new address; nothing changes until the link in it is used.')}
      </p>
      <div class="field">
        <label for={ADDRESS_CONTROL}>{say(site, 'New email address')}</label>
        <FaultNote site={site} fault={fault} control={ADDRESS_CONTROL} />
        <div class="line">
          <input
            type="email"
            id={ADDRESS_CONTROL}
            name="email"
            autocomplete="email"
            dir="ltr"
            maxlength={254}
            required
            {...faulty(fault, ADDRESS_CONTROL, 'address-about')}
          />
          <button type="submit">{say(site, 'Send the mail')}</button>
        </div>
      </div>
    </Part>
  );
}

/** Everything held about the subscriber, as a file. */
export function ExportForm({ site }: { site: Site }) {
  return (
    <Part site={site} title="Your data" action="export">
      <p>
        {say(
          site,
          'All that is kept about you: your address, your subscriptions, what was sent, and the record of your consent. It comes as a JSON file.',
        )}
      </p>
      <p>
        <button class="quiet" type="submit">
          {say(site, 'Download my data')}
        </button>
      </p>
    </Part>
  );
}

/** Deletes the subscriber, when they say twice that they mean it. */
export function EraseForm({ site, fault }: { site: Site; fault: Fault | undefined }) {
  return (
    <Part site={site} title="Delete everything" action="erase">
      <p>
        {say(
          site,
          'This deletes your address and all that is kept with it: your subscriptions and the record of your consent. Mails that were sent stay counted, by a number that names nobody any more. It cannot be undone. Only if mail to your address was stopped, because it came back or was reported as spam, a keyed hash of it stays: a code that the address cannot be read from, so that it is never mailed again.',
        )}
      </p>
      <FaultNote site={site} fault={fault} control={SURE_CONTROL} />
      <div class="tick">
        <input type="checkbox" id={SURE_CONTROL} name="sure" value="yes" required {...faulty(fault, SURE_CONTROL)} />
        <label for={SURE_CONTROL}>{say(site, 'Yes, delete everything about me')}</label>
      </div>
      <p>
        <button class="quiet" type="submit">
          {say(site, 'Delete everything')}
        </button>
      </p>
    </Part>
  );
}

/** The way back for an address that mail was stopped to: whoever has this link has read its mail. */
export function ReturnForm({ site }: { site: Site }) {
  return (
    <Part site={site} title="Mail to this address was stopped" action="return">
      <p>
        {say(
          site,
          'A mail came back, or was reported as spam, so nothing is sent to you at the moment, whatever is ticked below.',
        )}
      </p>
      <p>
        <button type="submit">{say(site, 'I want mail again')}</button>
      </p>
    </Part>
  );
}
