import type { Answer } from '../domain/answer.ts';
import type { SubscriptionStore } from '../domain/audience-ports.ts';
import type { OccurrenceStore, ReceiptStore } from '../domain/content-ports.ts';
import { Raced } from '../domain/content-ports.ts';
import type { Digest } from '../domain/digest.ts';
import { Refusal } from '../domain/errors.ts';
import type { MailPolicy } from '../domain/mail-policy.ts';
import type { Job, JobQueue } from '../domain/ports.ts';
import type { Publication } from '../domain/publication.ts';
import { acceptedOccurrences } from '../domain/schedule.ts';
import { normaliseEmail } from '../domain/subscriber.ts';
import { shift } from '../domain/time.ts';
import type { OutgoingMail, Transport } from '../domain/transport.ts';
import type { DigestRunData } from '../domain/webhook.ts';
import { mailDate } from '../render/mail/mime.ts';
import { type ComposeDeps, type ComposedIssue, type ComposeOrder, composeIssue, freezeIssue } from './compose.ts';
import { filled, sendOne } from './letter.ts';
import { mailRefusal, senderDomain, senderOf } from './sender.ts';
import { TEST_TOKEN } from './unsubscribe.ts';
import type { Call } from './webhook.ts';

export interface DigestDeps extends ComposeDeps {
  occurrences: OccurrenceStore;
  subscriptions: SubscriptionStore;
  receipts: ReceiptStore;
  transport: Transport;
  queue: JobQueue;
  policy: MailPolicy;
}

/** An occurrence that is later than this is not made up for. */
const LATEST_SECONDS = 6 * 3600;
/** How far back missed occurrences are written down. */
const LOOK_BACK_SECONDS = 7 * 86_400;

/**
 * Composes what a digest's schedule has due at `at`, which is the tick's own time. Every occurrence gets a record:
 * issued, skipped because nothing is new, or missed and why. A second run for the same tick finds the record.
 */
export async function runDueDigest(
  deps: DigestDeps,
  publication: Publication,
  digest: Digest,
  at: string,
): Promise<void> {
  const recorded = await deps.occurrences.recordedThrough(digest.id);
  if (recorded === undefined) return;
  const from = [shift(recorded, 1), shift(at, -LOOK_BACK_SECONDS)].reduce((one, other) => (one > other ? one : other));
  const due = acceptedOccurrences(digest.schedule, from, shift(at, 1));
  const latest = due.at(-1);
  // One write for each reason: after days of standstill there may be thousands.
  const byReason = Map.groupBy(due, (occurrence) =>
    missedBecause(mailRefusal(deps.policy, publication), occurrence, latest, at),
  );
  for (const [reason, instants] of byReason) {
    if (reason !== undefined) await deps.occurrences.close(digest.id, instants, 'missed', reason, at);
  }
  if (latest === undefined || !byReason.has(undefined)) return;
  if (await deps.occurrences.claim(digest.id, latest, at))
    await composeOccurrence(deps, publication, digest, latest, at);
}

/** Only the latest occurrence can still be met. */
function missedBecause(
  refusal: string | undefined,
  occurrence: string,
  latest: string | undefined,
  at: string,
): string | undefined {
  if (occurrence < shift(at, -LATEST_SECONDS)) return 'was due more than six hours before the tick';
  if (occurrence !== latest) return 'a later occurrence was due at the same tick';
  return refusal;
}

async function composeOccurrence(
  deps: DigestDeps,
  publication: Publication,
  digest: Digest,
  occurrence: string,
  at: string,
): Promise<void> {
  const order = { publication, digest, at };
  const issue = await composeIssue(deps, order);
  if (!issue) {
    await deps.occurrences.close(digest.id, [occurrence], 'skipped', 'no article is new', at);
    return;
  }
  try {
    await freezeIssue(deps, order, issue, { occurrence });
  } catch (error) {
    // A digest.run took the articles meanwhile. The claim runs out, and the next tick looks again.
    if (error instanceof Raced) return;
    throw error;
  }
  await deps.queue.send(jobsFor(digest, issue.number));
}

/** Jobs that follow a freeze; when they are lost, the sweep queues them again. */
function jobsFor(digest: Digest, number: number): Job[] {
  return digest.mode === 'send'
    ? [{ kind: 'plan', issue: { digest: digest.id, number, revision: 1 } }]
    : [{ kind: 'notice' }];
}

/** `digest.run`: composes now, whatever the schedule says; with `testTo` to that address alone, recording nothing. */
export async function runDigestNow(
  deps: DigestDeps,
  publication: Publication,
  data: DigestRunData,
  call: Call,
): Promise<void> {
  const { digest, order, composed: issue } = await planDigestNow(deps, publication, data, call);
  const { receipt } = call;
  if (!issue) {
    await deps.receipts.keep({ receipt, answer: { id: digest.id, outcome: 'skipped' } });
  } else if (data.testTo !== undefined) {
    await sendTest(deps, publication, issue, data.testTo, call);
    await deps.receipts.keep({ receipt, answer: { id: digest.id, outcome: 'tested' } });
  } else {
    await freezeIssue(deps, order, issue, { receipt, answer: await issuedAnswer(deps, digest, issue) });
  }
}

/** The issue that `digest.run` would make, rendered but not frozen. @throws Refusal when it may make none */
export async function planDigestNow(
  deps: DigestDeps,
  publication: Publication,
  { digest: id, subject, intro }: DigestRunData,
  { now: at }: Call,
): Promise<{ digest: Digest; order: ComposeOrder; composed: ComposedIssue | undefined }> {
  const digest = publication.digests.find((known) => known.id === id);
  if (!digest) throw unknownDigest(publication, id);
  const refusal = mailRefusal(deps.policy, publication);
  if (refusal !== undefined) throw new Refusal('unavailable', `No issue was made: ${refusal}.`);
  const words = { ...(subject === undefined ? {} : { subject }), ...(intro === undefined ? {} : { intro }) };
  const order = { publication, digest, at, ...words };
  return { digest, order, composed: await composeIssue(deps, order) };
}

async function issuedAnswer(deps: DigestDeps, digest: Digest, issue: ComposedIssue): Promise<Answer> {
  const audience = await deps.subscriptions.audience(digest.id);
  return {
    id: digest.id,
    outcome: digest.mode === 'send' ? 'issued' : 'held',
    issue: { digest: digest.id, number: issue.number, revision: 1, audience },
  };
}

async function sendTest(
  deps: DigestDeps,
  publication: Publication,
  issue: ComposedIssue,
  testTo: string,
  call: Call,
): Promise<void> {
  const to = normaliseEmail(testTo);
  if (to === undefined) {
    throw new Refusal('invalid', 'No test was sent.', [
      { pointer: '/data/testTo', message: 'must be an e-mail address that mail can be sent to' },
    ]);
  }
  const id = `test-${(await deps.hashes.sha256(call.receipt.id)).slice(0, 32)}`;
  const messageId = `<${id}@${senderDomain(publication)}>`;
  const testLink = `${deps.baseUrl}unsubscribe/${TEST_TOKEN}`;
  const values = { to, messageId, unsubscribe: testLink, preferences: testLink, date: mailDate(call.now) };
  const mail: OutgoingMail = {
    id,
    kind: 'test',
    from: senderOf(publication).email,
    to,
    subject: issue.rendered.subject,
    messageId,
    // Nobody is subscribed by a test, so its link explains itself instead of ending anything.
    ...(await filled(deps.transport, issue.mail, values)),
  };
  const result = await sendOne(deps.transport, mail);
  if (result.status === 'sent') return;
  throw new Refusal('unavailable', `The transport did not take the test mail (${result.error}); repeat the call.`);
}

export function unknownDigest(publication: Publication, id: string): Refusal {
  const known = publication.digests.map((digest) => digest.id).join(', ') || 'none';
  return new Refusal('invalid', 'Nothing was done.', [
    { pointer: '/data/digest', message: `no digest is called ${JSON.stringify(id)}; known: ${known}` },
  ]);
}
