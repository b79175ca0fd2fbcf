import type { IssueReference } from '../domain/answer.ts';
import type { IssueMail, IssueStore } from '../domain/content-ports.ts';
import {
  type DeliveryOutcome,
  deliveryKey,
  deliveryMessageId,
  LEASE_SECONDS,
  type LeasedDelivery,
  MOST_ATTEMPTS,
  MOST_TRIES,
  pauseSeconds,
} from '../domain/delivery.ts';
import type { DeliveryStore, OpenPage } from '../domain/delivery-ports.ts';
import type { MailPolicy } from '../domain/mail-policy.ts';
import type { JobQueue, Tokens } from '../domain/ports.ts';
import type { Publication } from '../domain/publication.ts';
import { milliseconds, shift } from '../domain/time.ts';
import type { MailSession, OutgoingMail, SendResult, Transport } from '../domain/transport.ts';
import { fieldsTemplate, fillFields } from '../render/mail/fields.ts';
import { mailDate } from '../render/mail/mime.ts';
import { fillMail } from '../render/mail/slots.ts';
import { preferencesUrl } from './preferences.ts';
import { mailRefusal, senderDomain, senderOf } from './sender.ts';

export interface DeliverDeps {
  baseUrl: string;
  now: () => string;
  newId: () => string;
  random: () => number;
  log: (message: string, context: Record<string, unknown>) => void;
  issues: IssueStore;
  deliveries: DeliveryStore;
  transport: Transport;
  policy: MailPolicy;
  queue: JobQueue;
  tokens: Tokens;
}

/** A job leaves what is left after this long to a further one; the platform ends it after 15 minutes. */
const JOB_SECONDS = 480;

/**
 * Sends what is due of a page. Rows are leased first, so that a page that is queued twice is sent once; a consumer that dies
 * leaves leases that run out. What is to be tried again later gets a job of its own then.
 */
export async function deliverPage(deps: DeliverDeps, publication: Publication, open: OpenPage): Promise<void> {
  const refusal = mailRefusal(deps.policy, publication);
  if (refusal !== undefined) throw new Error(refusal);
  const mail = await deps.issues.mail(open.issue);
  if (!mail) return;
  const earliest = await sendPage(deps, publication, open, mail);
  const next = await deps.deliveries.settle(open, deps.now(), earliest);
  if (next === undefined) return;
  const delaySeconds = (milliseconds(next) - milliseconds(deps.now())) / 1000;
  await deps.queue.send([{ kind: 'deliver', ...open }], delaySeconds);
}

/** @returns when the carrier takes mail again, if it stopped to */
async function sendPage(
  deps: DeliverDeps,
  publication: Publication,
  open: OpenPage,
  mail: IssueMail,
): Promise<string | undefined> {
  const { transport } = deps;
  const toMail = await writer(deps, publication, open.issue, mail);
  const session = transport.open();
  const end = shift(deps.now(), JOB_SECONDS);
  try {
    while (deps.now() < end) {
      const at = deps.now();
      const until = shift(at, LEASE_SECONDS);
      const lease = { at, until, limit: transport.batchSize, batch: deps.newId() };
      const leased = await deps.deliveries.lease(open, lease);
      if (leased.length === 0) return undefined;
      const earliest = await sendLeased(deps, session, open.issue, leased, toMail);
      if (earliest !== undefined) return earliest;
    }
    return undefined;
  } finally {
    await session.close();
  }
}

/** One mail that cannot be made fails by itself and keeps nobody else's back. */
async function sendLeased(
  deps: DeliverDeps,
  session: MailSession,
  issue: IssueReference,
  leased: LeasedDelivery[],
  toMail: (delivery: LeasedDelivery) => Promise<OutgoingMail>,
): Promise<string | undefined> {
  const made = await Promise.allSettled(leased.map(toMail));
  const mails = made.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  const results = mails.length > 0 ? await session.send(mails, leased[0]?.batch ?? '') : [];
  const resultOf = new Map(mails.map((mail, index) => [mail.id, results[index] ?? NO_RESULT]));
  const each = leased.map((delivery, index) => {
    const mail = made[index];
    const key = deliveryKey(issue, delivery.subscriberId);
    return outcomeOf(
      deps,
      delivery,
      mail?.status === 'rejected' ? notMade(mail.reason) : (resultOf.get(key) ?? NO_RESULT),
    );
  });
  const outcomes = together(each);
  await deps.deliveries.record(issue, outcomes, deps.now());
  await buryGivenUp(deps, issue, outcomes);
  return outcomes.find(({ heldBack }) => heldBack)?.retryAt;
}

/** What goes out with the same idempotency key goes out at the same time, as the latest of it: the key stands for those very mails. */
function together(outcomes: DeliveryOutcome[]): DeliveryOutcome[] {
  const times = outcomes.flatMap(({ sameBatch, retryAt }) => (sameBatch && retryAt ? [retryAt] : []));
  const retryAt = times.toSorted().at(-1);
  return outcomes.map((outcome) => (outcome.sameBatch && retryAt ? { ...outcome, retryAt } : outcome));
}

const NO_RESULT = { status: 'unknown', error: 'the transport gave no result' } as const;

function notMade(reason: unknown): SendResult {
  return { status: 'failed', error: reason instanceof Error ? reason.message : String(reason) };
}

/** What a result means for the row: done, tried again, or given up. */
function outcomeOf(
  { now, random, transport, policy }: DeliverDeps,
  delivery: LeasedDelivery,
  result: SendResult,
): DeliveryOutcome {
  const { subscriberId, attempts, heldBack } = delivery;
  const row = { subscriberId, attempts };
  if (result.status === 'sent') return { ...row, ...result };
  const { error } = result;
  if (result.status === 'failed') return { ...row, status: result.bounce ? 'bounced' : 'failed', error };
  const tries = attempts - heldBack;
  if (result.status === 'unknown') {
    const again = !result.changed && tries < MOST_TRIES && repeats(transport, policy);
    if (!again) return { ...row, status: 'unknown', error };
    return { ...row, status: 'queued', error, retryAt: shift(now(), pauseSeconds(tries, random())), sameBatch: true };
  }
  const limited = result.status === 'limited';
  if (limited ? attempts >= MOST_ATTEMPTS : tries >= MOST_TRIES) {
    return { ...row, status: 'failed', error: `given up after ${attempts} attempts: ${error}` };
  }
  const pause = pauseSeconds(limited ? attempts : tries, random(), result.retryAfterSeconds);
  return { ...row, status: 'queued', error, retryAt: shift(now(), pause), ...(limited ? { heldBack: true } : {}) };
}

/** Whether what may have been accepted is sent again. A carrier that knows its own takes no harm from it. */
export function repeats(transport: Transport, { unknown }: Pick<MailPolicy, 'unknown'>): boolean {
  return transport.recognisesRepeats || unknown === 'retry';
}

/** After the record: the row tells the same, should the job stop between the two. */
async function buryGivenUp({ queue }: DeliverDeps, issue: IssueReference, outcomes: DeliveryOutcome[]): Promise<void> {
  const letters = outcomes.flatMap(({ subscriberId, status, error }) =>
    status === 'failed' || status === 'unknown' ? { kind: 'given up', issue, subscriberId, status, error } : [],
  );
  if (letters.length > 0) await queue.bury(letters);
}

/** Makes the mails of an issue: composed once, and filled in for each. */
async function writer(deps: DeliverDeps, publication: Publication, issue: IssueReference, mail: IssueMail) {
  const from = senderOf(publication).email;
  const domain = senderDomain(publication);
  // Of the release and not of each try: what is repeated has to be the same mail, to the byte.
  const date = mailDate(mail.releasedAt);
  const fields = deps.transport.form === 'fields' ? await fieldsTemplate(mail.template) : undefined;
  return async ({ subscriberId, email, firstRevision = 1 }: LeasedDelivery): Promise<OutgoingMail> => {
    const messageId = deliveryMessageId(issue, subscriberId, domain);
    const unsubscribe = await unsubscribeUrl(deps, subscriberId, issue.digest);
    const preferences = await preferencesUrl(deps, subscriberId);
    const thread = deliveryMessageId({ ...issue, revision: firstRevision }, subscriberId, domain).slice(1, -1);
    const values = { to: email, messageId, unsubscribe, preferences, thread, date };
    return {
      id: deliveryKey(issue, subscriberId),
      kind: 'digest',
      from,
      to: email,
      subject: mail.subject,
      messageId,
      issue,
      raw: fields ? '' : fillMail(mail.template, values),
      ...(fields ? { fields: fillFields(fields, values) } : {}),
    };
  };
}

/** The address of the page that ends a subscription, and the RFC 8058 one-click target. */
export async function unsubscribeUrl(
  deps: Pick<DeliverDeps, 'tokens' | 'baseUrl'>,
  subscriberId: string,
  digest: string,
): Promise<string> {
  return `${deps.baseUrl}unsubscribe/${await deps.tokens.sign({ purpose: 'unsubscribe', subject: subscriberId, scope: digest })}`;
}
