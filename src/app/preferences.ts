import type { Manner, PersonStore, SubscriptionStore, SuppressionStore } from '../domain/audience-ports.ts';
import type { Hashes, Tokens } from '../domain/ports.ts';
import type { Publication } from '../domain/publication.ts';
import { normaliseEmail } from '../domain/subscriber.ts';
import { shift } from '../domain/time.ts';
import { renderNotice } from '../render/mail/notice.ts';
import { type LetterDeps, sendLetter } from './letter.ts';
import { CONFIRMATION_SECONDS, mayAsk } from './subscriptions.ts';

export interface PreferencesDeps extends LetterDeps {
  baseUrl: string;
  now: () => string;
  subscriptions: SubscriptionStore;
  suppressions: SuppressionStore;
  people: PersonStore;
  tokens: Tokens;
  hashes: Hashes;
}

/** What the page can be asked to do. */
export type PreferencesAction =
  | { action: 'digests'; digests: string[] }
  | { action: 'address'; email: string }
  | { action: 'return' }
  | { action: 'erase'; sure: boolean };

export interface PreferencesShown {
  state: 'show';
  email: string;
  suppressed: boolean;
  digests: { id: string; title: string; description?: string; subscribed: boolean }[];
  said?: 'saved' | 'address_sent' | 'returned';
  faults?: { field: 'email' | 'sure'; message: string }[];
}

export type PreferencesResult = PreferencesShown | { state: 'erased' } | { state: 'unknown' };

/** The person that a preferences link belongs to. */
export async function preferencesOf(deps: Pick<PreferencesDeps, 'tokens'>, text: string): Promise<string | undefined> {
  const token = await deps.tokens.verify(text);
  return token?.purpose === 'preferences' ? token.subject : undefined;
}

/** The link that lets a person change what is sent and held. It never expires: it stands in old mails. */
export async function preferencesUrl(
  deps: Pick<PreferencesDeps, 'tokens' | 'baseUrl'>,
  subscriberId: string,
): Promise<string> {
  return `${deps.baseUrl}preferences/${await deps.tokens.sign({ purpose: 'preferences', subject: subscriberId, scope: '' })}`;
}

/** What the page shows. */
export async function showPreferences(
  deps: PreferencesDeps,
  publication: Publication,
  subscriberId: string,
): Promise<PreferencesResult> {
  const person = await deps.people.read(subscriberId);
  if (!person) return { state: 'unknown' };
  const statuses = await deps.subscriptions.statuses(subscriberId);
  return {
    state: 'show',
    email: person.email,
    suppressed: person.suppressed,
    digests: publication.digests.map(({ id, title, description }) => ({
      id,
      title,
      ...(description === undefined ? {} : { description }),
      subscribed: statuses.get(id) === 'active',
    })),
  };
}

/** Does what the holder of the link asks; each may be asked twice. */
export async function changePreferences(
  deps: PreferencesDeps,
  publication: Publication,
  subscriberId: string,
  asked: PreferencesAction,
  how: Manner,
): Promise<PreferencesResult> {
  const shown = await showPreferences(deps, publication, subscriberId);
  if (shown.state !== 'show') return shown;
  switch (asked.action) {
    case 'digests': {
      const ids = publication.digests.map(({ id }) => id);
      const wanted = ids.filter((id) => asked.digests.includes(id));
      await deps.subscriptions.choose(
        subscriberId,
        wanted,
        ids.filter((id) => !wanted.includes(id)),
        how,
        deps.now(),
      );
      return said(deps, publication, subscriberId, 'saved');
    }
    case 'address':
      return askForAddress(deps, publication, subscriberId, asked.email, shown);
    case 'return':
      await deps.suppressions.returnOf(subscriberId, how, deps.now());
      return said(deps, publication, subscriberId, 'returned');
    case 'erase':
      if (!asked.sure)
        return { ...shown, faults: [{ field: 'sure', message: 'Tick the box to say that you are sure.' }] };
      await deps.people.erase(subscriberId);
      return { state: 'erased' };
  }
}

async function said(
  deps: PreferencesDeps,
  publication: Publication,
  subscriberId: string,
  what: NonNullable<PreferencesShown['said']>,
): Promise<PreferencesResult> {
  const shown = await showPreferences(deps, publication, subscriberId);
  return shown.state === 'show' ? { ...shown, said: what } : shown;
}

/** Mails a link to the new address; nothing changes until it is used, and the answer is the same whoever has it. */
async function askForAddress(
  deps: PreferencesDeps,
  publication: Publication,
  subscriberId: string,
  input: string,
  shown: PreferencesShown,
): Promise<PreferencesResult> {
  const email = normaliseEmail(input);
  if (email === undefined)
    return {
      ...shown,
      faults: [{ field: 'email', message: 'This is not an email address that mail can be sent to.' }],
    };
  const at = deps.now();
  if (await mayAsk(deps, await deps.hashes.address(email), at)) {
    // The same for the same wish in the same second: a second press sends the same mail again, not another one.
    const id = await deps.hashes.uuidV5(subscriberId, `${email} ${at}`);
    await deps.people.requestAddress({ id, subscriberId, email }, at);
    const expiresAt = shift(at, CONFIRMATION_SECONDS);
    const url = `${deps.baseUrl}confirm/${await deps.tokens.sign({ purpose: 'address', subject: id, scope: '', expiresAt })}`;
    await sendLetter(deps, publication, {
      id: `address-${subscriberId}-${id}`,
      to: email,
      date: at,
      ...addressNotice(publication, url),
    });
  }
  return { ...shown, said: 'address_sent' };
}

function addressNotice(publication: Publication, url: string) {
  return renderNotice({
    publication,
    subject: `Use this address for ${publication.title}?`,
    paragraphs: [
      `Somebody who gets mail from ${publication.title} asked to have it sent to this address instead.`,
      'If that was you, press the button within seven days. If not, ignore this mail, and nothing changes.',
    ],
    button: { label: 'Use this address', url },
  });
}
