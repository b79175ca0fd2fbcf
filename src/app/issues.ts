import type { IssueReference } from '../domain/answer.ts';
import type { SubscriptionStore } from '../domain/audience-ports.ts';
import type { IssueStore, PublicationStore, StoredIssue } from '../domain/content-ports.ts';
import type { DeliveryReports } from '../domain/delivery-ports.ts';
import { Refusal } from '../domain/errors.ts';
import type { IssueStatus } from '../domain/issue.ts';
import type { MailPolicy } from '../domain/mail-policy.ts';
import { mailRefusal } from './sender.ts';
import { readPublication } from './settings.ts';
import type { Call } from './webhook.ts';

export interface IssueDeps {
  issues: IssueStore;
  subscriptions: SubscriptionStore;
  deliveryReports: DeliveryReports;
  publications: PublicationStore;
  baseUrl: string;
  policy: MailPolicy;
}

type Reference = Pick<IssueReference, 'digest' | 'number'>;
type Pause = Reference & { reason?: string };

/** Releases a held issue to its subscribers. @throws Refusal when it is not held */
export async function approveIssue(deps: IssueDeps, reference: Reference, call: Call): Promise<void> {
  await refuseIfNotMailed(deps, 'Nothing was released');
  const issue = await inStatus(deps, reference, ['held'], 'only a held issue can be approved');
  const audience = await deps.subscriptions.audience(issue.digest);
  await deps.issues.approve(issue, call.now, {
    receipt: call.receipt,
    answer: { id: issue.digest, outcome: 'approved', issue: { ...refer(issue), audience } },
  });
}

/** Stops an issue: drops a held one, and of one that is being sent whatever has not gone out. */
export async function cancelIssue(deps: IssueDeps, reference: Reference, call: Call): Promise<void> {
  const issue = await inStatus(
    deps,
    reference,
    ['held', 'planning', 'sending', 'paused'],
    'there is nothing left to stop',
  );
  const audience = await plannedAudience(deps, issue);
  await deps.issues.cancel(issue, call.now, {
    receipt: call.receipt,
    answer: { id: issue.digest, outcome: 'cancelled', issue: { ...refer(issue), audience } },
  });
}

/** Stops an issue for now. What carriers have in their hands goes out; the rest waits. */
export async function pauseIssue(deps: IssueDeps, { reason, ...reference }: Pause, call: Call): Promise<void> {
  const issue = await inStatus(deps, reference, ['planning', 'sending'], 'only what is under way can be paused');
  const audience = await plannedAudience(deps, issue);
  await deps.issues.pause(issue, reason ?? 'by issue.pause', call.now, {
    receipt: call.receipt,
    answer: { id: issue.digest, outcome: 'paused', issue: { ...refer(issue), audience } },
  });
}

/** Goes on with a paused issue. */
export async function resumeIssue(deps: IssueDeps, reference: Reference, call: Call): Promise<void> {
  await refuseIfNotMailed(deps, 'Nothing was resumed');
  const issue = await inStatus(deps, reference, ['paused'], 'only a paused issue can be resumed');
  const audience = await plannedAudience(deps, issue);
  await deps.issues.resume(issue, call.now, {
    receipt: call.receipt,
    answer: { id: issue.digest, outcome: 'resumed', issue: { ...refer(issue), audience } },
  });
}

async function refuseIfNotMailed(deps: IssueDeps, what: string): Promise<void> {
  const publication = await readPublication(deps.publications, deps.baseUrl);
  const refusal = publication && mailRefusal(deps.policy, publication);
  if (refusal !== undefined) throw new Refusal('unavailable', `${what}: ${refusal}.`);
}

/** How many have a delivery so far; of a held issue, how many would get it. */
async function plannedAudience(deps: IssueDeps, issue: StoredIssue): Promise<number> {
  if (issue.status === 'held') return deps.subscriptions.audience(issue.digest);
  return Object.values(await deps.deliveryReports.balance(issue)).reduce((sum, count) => sum + count, 0);
}

async function inStatus(
  deps: IssueDeps,
  { digest, number }: Reference,
  allowed: IssueStatus[],
  why: string,
): Promise<StoredIssue> {
  const issue = await deps.issues.read(digest, number);
  if (issue && allowed.includes(issue.status)) return issue;
  const message = issue ? `is ${issue.status}; ${why}` : `digest ${JSON.stringify(digest)} has no issue ${number}`;
  throw new Refusal('invalid', 'Nothing was done.', [{ pointer: '/data/number', message }]);
}

function refer({ digest, number, revision }: StoredIssue): IssueReference {
  return { digest, number, revision };
}
