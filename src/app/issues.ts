import type { IssueReference, Outcome } from '../domain/answer.ts';
import type { SubscriptionStore } from '../domain/audience-ports.ts';
import type { IssueStore, KeptAnswer, PublicationStore, StoredIssue } from '../domain/content-ports.ts';
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

export type IssueAction = 'issue.approve' | 'issue.pause' | 'issue.resume' | 'issue.cancel';
type Reference = Pick<IssueReference, 'digest' | 'number'> & { reason?: string };

/** What an action makes of an issue, decided but not done. */
export interface IssueDecision {
  issue: StoredIssue;
  outcome: Outcome;
  audience: number;
}

interface Rule {
  outcome: Outcome;
  from: IssueStatus[];
  /** Why it is refused for an issue in another status. */
  otherwise: string;
  /** What did not happen, where mail would go out and none may. */
  mails?: string;
  run(issues: IssueStore, issue: IssueReference, at: string, kept: KeptAnswer, reason?: string): Promise<void>;
}

const RULES: Record<IssueAction, Rule> = {
  // Releases a held issue to its subscribers.
  'issue.approve': {
    outcome: 'approved',
    from: ['held'],
    otherwise: 'only a held issue can be approved',
    mails: 'Nothing was released',
    run: (issues, issue, at, kept) => issues.approve(issue, at, kept),
  },
  // Stops an issue for now. What carriers have in their hands goes out; the rest waits.
  'issue.pause': {
    outcome: 'paused',
    from: ['planning', 'sending'],
    otherwise: 'only what is under way can be paused',
    run: (issues, issue, at, kept, reason = 'by issue.pause') => issues.pause(issue, reason, at, kept),
  },
  'issue.resume': {
    outcome: 'resumed',
    from: ['paused'],
    otherwise: 'only a paused issue can be resumed',
    mails: 'Nothing was resumed',
    run: (issues, issue, at, kept) => issues.resume(issue, at, kept),
  },
  // Drops a held issue, and of one that is being sent whatever has not gone out.
  'issue.cancel': {
    outcome: 'cancelled',
    from: ['held', 'planning', 'sending', 'paused'],
    otherwise: 'there is nothing left to stop',
    run: (issues, issue, at, kept) => issues.cancel(issue, at, kept),
  },
};

/**
 * Releases, pauses, resumes or stops an issue.
 * @throws Refusal when its status, or the configuration of mail, does not allow it
 * @throws Raced when its status changed meanwhile; call again
 */
export async function changeIssue(deps: IssueDeps, action: IssueAction, data: Reference, call: Call): Promise<void> {
  const { issue, outcome, audience } = await decideIssue(deps, action, data);
  const { digest, number, revision } = issue;
  const answer = { id: digest, outcome, issue: { digest, number, revision, audience } };
  await RULES[action].run(deps.issues, issue, call.now, { receipt: call.receipt, answer }, data.reason);
}

/** What an action would make of an issue. @throws Refusal as `changeIssue` does */
export async function decideIssue(
  deps: IssueDeps,
  action: IssueAction,
  { digest, number }: Reference,
): Promise<IssueDecision> {
  const { outcome, from, otherwise, mails } = RULES[action];
  if (mails !== undefined) await refuseIfNotMailed(deps, mails);
  const issue = await deps.issues.read(digest, number);
  if (!issue || !from.includes(issue.status)) {
    const message = issue
      ? `is ${issue.status}; ${otherwise}`
      : `digest ${JSON.stringify(digest)} has no issue ${number}`;
    throw new Refusal('invalid', 'Nothing was done.', [{ pointer: '/data/number', message }]);
  }
  return { issue, outcome, audience: await audienceOf(deps, issue) };
}

async function refuseIfNotMailed(deps: IssueDeps, what: string): Promise<void> {
  const publication = await readPublication(deps.publications, deps.baseUrl);
  const refusal = publication && mailRefusal(deps.policy, publication);
  if (refusal !== undefined) throw new Refusal('unavailable', `${what}: ${refusal}.`);
}

/** How many have a delivery so far; of a held issue, how many would get it. */
async function audienceOf(deps: IssueDeps, issue: StoredIssue): Promise<number> {
  if (issue.status === 'held') return deps.subscriptions.audience(issue.digest);
  return Object.values(await deps.deliveryReports.balance(issue)).reduce((sum, count) => sum + count, 0);
}
