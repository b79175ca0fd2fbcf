import type { Manner, SubscriptionStore, SuppressionStore } from '../domain/audience-ports.ts';
import { CONSENT_TEXTS } from '../domain/consent.ts';
import type { Digest } from '../domain/digest.ts';
import type { Fault } from '../domain/errors.ts';
import type { Hashes, JobQueue, Tokens } from '../domain/ports.ts';
import type { Publication } from '../domain/publication.ts';
import { normaliseEmail } from '../domain/subscriber.ts';
import { milliseconds, shift } from '../domain/time.ts';
import { renderConfirmation } from '../render/mail/confirmation.ts';
import { type LetterDeps, sendLetter } from './letter.ts';

export interface SubscriptionDeps extends LetterDeps {
  baseUrl: string;
  now: () => string;
  queue: JobQueue;
  subscriptions: SubscriptionStore;
  suppressions: SuppressionStore;
  hashes: Hashes;
  tokens: Tokens;
}

/** What somebody typed into the form. */
export interface SubscriptionRequest {
  email: string;
  digests: string[];
  how: Manner;
}

/** A link is good for a week; who is later asks again. */
export const CONFIRMATION_SECONDS = 7 * 86_400;
/** Whoever has not confirmed by then is forgotten. */
export const UNCONFIRMED_SECONDS = 30 * 86_400;
const MAILS_PER_DAY = 3;

/** What is wrong with a request, by field; empty when it can be accepted. */
export function requestFaults(publication: Publication, { email, digests, how }: SubscriptionRequest): Fault[] {
  const known = publication.digests.map(({ id }) => id);
  return [
    ...(normaliseEmail(email) === undefined
      ? [{ pointer: '/email', message: 'must be an e-mail address, such as you@example.org' }]
      : []),
    ...(digests.length === 0 || !digests.every((id) => known.includes(id))
      ? [{ pointer: '/digests', message: `must name at least one of ${known.join(', ')}` }]
      : []),
    ...(how.textVersion === undefined || how.textVersion in CONSENT_TEXTS
      ? []
      : [{ pointer: '/consent', message: 'must be the version of a consent text' }]),
  ];
}

/**
 * Accepts a request that has no faults. What the address is, is looked up later and elsewhere, so that the answer, its
 * time and the work behind it are the same whether it is known here or not.
 */
export async function acceptRequest(
  deps: SubscriptionDeps,
  { email, digests, how }: SubscriptionRequest,
): Promise<void> {
  const address = normaliseEmail(email);
  if (address === undefined) return;
  await deps.queue.send([
    { kind: 'subscribe', request: { email: address, digests: [...new Set(digests)], how, at: deps.now() } },
  ]);
}

/** The job behind a request: makes the subscriptions pending and mails the link that confirms them. May run twice. */
export async function askToConfirm(
  deps: SubscriptionDeps,
  publication: Publication,
  request: SubscriptionRequest & { at: string },
): Promise<void> {
  const { email, digests, how, at } = request;
  const addressHash = await deps.hashes.address(email);
  const state = await deps.subscriptions.request({ id: deps.newId(), email, addressHash }, digests, how, at);
  if (!state || state.suppressed) return;
  const asked = publication.digests.filter(({ id }) => digests.includes(id) && state.pending.includes(id));
  if (asked.length === 0) return;
  if (!(await mayAsk(deps, addressHash, at))) return;
  const url = await confirmationUrl(deps, state.subscriberId, asked, at);
  const rendered = renderConfirmation({ publication, digests: asked, url });
  await sendLetter(deps, publication, {
    id: `confirm-${state.subscriberId}-${milliseconds(at)}`,
    to: state.email,
    date: at,
    ...rendered,
  });
}

/** Counts a mail that asks an address for a confirmation: one an hour and three a day, whatever it is asked for. */
export function mayAsk(
  { suppressions }: Pick<SubscriptionDeps, 'suppressions'>,
  addressHash: string,
  at: string,
): Promise<boolean> {
  const since = { hour: shift(at, -3600), day: shift(at, -86_400) };
  return suppressions.allowConfirmation(addressHash, at, { since, most: MAILS_PER_DAY });
}

async function confirmationUrl(
  deps: SubscriptionDeps,
  subscriberId: string,
  digests: Digest[],
  at: string,
): Promise<string> {
  const token = await deps.tokens.sign({
    purpose: 'confirm',
    subject: subscriberId,
    scope: digests.map(({ id }) => id).join('+'),
    expiresAt: shift(at, CONFIRMATION_SECONDS),
  });
  return `${deps.baseUrl}confirm/${token}`;
}
