import type { IssueReference } from '../domain/answer.ts';
import type { DeliveryStore } from '../domain/audience-ports.ts';
import type { IssueStore, StoredIssue } from '../domain/content-ports.ts';
import { deliveryMessageId, LEASE_SECONDS, type LeasedDelivery, PAGE_SIZE } from '../domain/delivery.ts';
import type { JobQueue, OutgoingMail, SendResult, Tokens, Transport } from '../domain/ports.ts';
import type { Publication } from '../domain/publication.ts';
import { shift } from '../domain/time.ts';
import { fillMail } from '../render/mail/slots.ts';
import { preferencesUrl } from './preferences.ts';
import { senderDomain, senderOf } from './sender.ts';

export interface DeliverDeps {
  baseUrl: string;
  now: () => string;
  issues: IssueStore;
  deliveries: DeliveryStore;
  transport: Transport;
  queue: JobQueue;
  tokens: Tokens;
}

/** Pages planned by one invocation; the rest is left to a further job. */
const PAGES_PER_JOB = 10;

/**
 * Writes delivery rows for the people an issue goes to, page by page, and queues each page. May be stopped anywhere
 * and run again: rows are unique, the issue remembers how far planning came, and the sweep queues what was left.
 */
export async function planDeliveries(deps: DeliverDeps, issue: IssueReference): Promise<void> {
  for (let count = 0; count < PAGES_PER_JOB; count += 1) {
    const page = await deps.deliveries.planPage(issue, PAGE_SIZE, deps.now());
    if (!page) {
      await deps.deliveries.finish(issue, deps.now());
      return;
    }
    await deps.queue.send([{ kind: 'deliver', issue, page }]);
  }
  await deps.queue.send([{ kind: 'plan', issue }]);
}

/**
 * Sends a page of deliveries. Rows are leased first, so a page that is queued twice is sent once; who left or was
 * suppressed meanwhile gets nothing; a consumer that dies leaves leases that run out.
 */
export async function deliverPage(
  deps: DeliverDeps,
  publication: Publication,
  issue: IssueReference,
  page: { after: string; through: string },
): Promise<void> {
  const stored = await deps.issues.read(issue.digest, issue.number);
  if (!stored || stored.revision !== issue.revision) return;
  const now = deps.now();
  const leased = await deps.deliveries.lease(issue, page, now, shift(now, LEASE_SECONDS));
  if (leased.length > 0) await sendLeased(deps, publication, stored, leased);
  await deps.deliveries.finish(issue, deps.now());
}

/** One mail that cannot be made fails by itself and keeps nobody else's back. */
async function sendLeased(
  deps: DeliverDeps,
  publication: Publication,
  issue: StoredIssue,
  leased: LeasedDelivery[],
): Promise<void> {
  const made = await Promise.allSettled(leased.map((delivery) => toMail(deps, publication, issue, delivery)));
  const mails = made.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  const results = mails.length > 0 ? await deps.transport.send(mails) : [];
  const resultOf = new Map(mails.map((mail, index) => [mail.id, results[index] ?? NO_RESULT]));
  const outcomes = leased.map(({ id }, index) => {
    const each = made[index];
    const result = each?.status === 'rejected' ? failure(each.reason) : (resultOf.get(id) ?? NO_RESULT);
    return { id, ...result };
  });
  await deps.deliveries.record(outcomes, deps.now());
}

function failure(reason: unknown): SendResult {
  return { status: 'failed', error: reason instanceof Error ? reason.message : String(reason) };
}

async function toMail(
  deps: DeliverDeps,
  publication: Publication,
  issue: StoredIssue,
  { id, subscriberId, email }: LeasedDelivery,
): Promise<OutgoingMail> {
  const messageId = deliveryMessageId(issue, subscriberId, senderDomain(publication));
  const unsubscribe = await unsubscribeUrl(deps, subscriberId, issue.digest);
  const preferences = await preferencesUrl(deps, subscriberId);
  return {
    id,
    kind: 'digest',
    from: senderOf(publication).email,
    to: email,
    subject: issue.subject,
    messageId,
    issue: { digest: issue.digest, number: issue.number, revision: issue.revision },
    raw: fillMail(issue.mail, { to: email, messageId, unsubscribe, preferences }),
  };
}

const NO_RESULT = { status: 'failed', error: 'the transport gave no result' } as const;

/** Finds issues that stopped half way and queues what they still need. */
export async function sweepDeliveries(deps: DeliverDeps, at: string): Promise<void> {
  for (const issue of await deps.issues.unfinished(shift(at, -2 * LEASE_SECONDS))) {
    const pages = await deps.deliveries.leftovers(issue, PAGE_SIZE, at);
    await deps.queue.send([
      { kind: 'plan', issue },
      ...pages.map((page) => ({ kind: 'deliver' as const, issue, page })),
    ]);
  }
}

/** The address of the page that ends a subscription, and the RFC 8058 one-click target. */
export async function unsubscribeUrl(
  deps: Pick<DeliverDeps, 'tokens' | 'baseUrl'>,
  subscriberId: string,
  digest: string,
): Promise<string> {
  return `${deps.baseUrl}unsubscribe/${await deps.tokens.sign({ purpose: 'unsubscribe', subject: subscriberId, scope: digest })}`;
}
