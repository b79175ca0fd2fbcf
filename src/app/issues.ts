import type { IssueReference } from '../domain/answer.ts';
import type { SubscriptionStore } from '../domain/audience-ports.ts';
import type { IssueStore, StoredIssue } from '../domain/content-ports.ts';
import { Refusal } from '../domain/errors.ts';
import type { IssueStatus } from '../domain/issue.ts';
import type { Call } from './webhook.ts';

export interface IssueDeps {
  issues: IssueStore;
  subscriptions: SubscriptionStore;
  refusesDigests: string | undefined;
}

type Reference = Pick<IssueReference, 'digest' | 'number'>;

/** Releases a held issue to its subscribers. @throws Refusal when it is not held */
export async function approveIssue(deps: IssueDeps, reference: Reference, call: Call): Promise<void> {
  if (deps.refusesDigests !== undefined)
    throw new Refusal('unavailable', `Nothing was released: ${deps.refusesDigests}.`);
  const issue = await inStatus(deps, reference, ['held'], 'only a held issue can be approved');
  const audience = await deps.subscriptions.audience(issue.digest);
  await deps.issues.approve(issue, call.now, {
    receipt: call.receipt,
    answer: { id: issue.digest, outcome: 'approved', issue: { ...refer(issue), audience } },
  });
}

/** Stops an issue: drops a held one, and of one that is being sent whatever has not gone out. */
export async function cancelIssue(deps: IssueDeps, reference: Reference, call: Call): Promise<void> {
  const issue = await inStatus(deps, reference, ['held', 'planning', 'sending'], 'there is nothing left to stop');
  const audience = await deps.subscriptions.audience(issue.digest);
  await deps.issues.cancel(issue, call.now, {
    receipt: call.receipt,
    answer: { id: issue.digest, outcome: 'cancelled', issue: { ...refer(issue), audience } },
  });
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
