import type { IssueReference } from './answer.ts';
import type { SuppressionReason } from './audience-ports.ts';
import type { DeliveryBalance, DeliveryOutcome, DeliveryPage, DeliveryStatus, LeasedDelivery } from './delivery.ts';
import type { IssueStatus } from './issue.ts';
import type { SubscriptionStatus } from './subscriber.ts';

/** A page of an issue that a job is due for. */
export interface OpenPage {
  issue: IssueReference;
  page: DeliveryPage;
}

/** Of the mails of an issue since it was last released, how many may bounce or be complained of, in percent. */
export interface RateLimits {
  bouncePercent: number;
  complaintPercent: number;
}

/** The ledger: one row per issue revision and subscriber. */
export interface DeliveryStore {
  /**
   * Writes the delivery rows of the next subscriptions by key; undefined when all are written. Of several at once, one
   * does it.
   */
  plan(issue: IssueReference, at: string): Promise<DeliveryPage[] | undefined>;
  /**
   * Leases at most `limit` deliveries of a page that are due, all of one batch, and frees those whose lease ran out. Who left or
   * is suppressed is written off on the way. None when the issue is not to be sent now.
   * @param batch the key of what was never tried before
   */
  lease(open: OpenPage, lease: { at: string; until: string; limit: number; batch: string }): Promise<LeasedDelivery[]>;
  /** What became of leased deliveries. Bounced addresses are suppressed, and too many of them pause the issue. */
  record(issue: IssueReference, outcomes: DeliveryOutcome[], at: string): Promise<void>;
  /**
   * Closes a page that is done, and the issue with its last page; else says when the page is due next, if that is news.
   * @param earliest when the carrier takes mail again
   */
  settle(open: OpenPage, at: string, earliest?: string): Promise<string | undefined>;
  /** Pages whose job is late by now, with the time set anew. @param of that issue alone */
  takeOverdue(before: string, at: string, limit: number, of?: IssueReference): Promise<OpenPage[]>;
}

/** What operators ask the ledger. */
export interface DeliveryReports {
  balance(issue: IssueReference): Promise<DeliveryBalance>;
  /** The balance and, of the same moment, what was said of deliveries, the most frequent first. */
  ofIssue(
    issue: IssueReference,
    limit: number,
  ): Promise<{ balance: DeliveryBalance; reasons: { status: DeliveryStatus; reason: string; count: number }[] }>;
  /** How many would get the next revision of an issue: who was sent one, or is still to be, and has not left. */
  reissueAudience(issue: Pick<IssueReference, 'digest' | 'number'>): Promise<number>;
  /** All that is known of why an address did or did not get issues. */
  ofAddress(addressHash: string): Promise<AddressHistory>;
}

export interface AddressHistory {
  subscriberId?: string;
  suppression?: { reason: SuppressionReason; createdAt: string };
  softBounces: number;
  subscriptions: { digest: string; status: SubscriptionStatus; since: string; unsubscribedAt?: string }[];
  /** Released issues of the digests subscribed to, newest first, with the delivery, if there is one. */
  issues: IssueOfAddress[];
}

export interface IssueOfAddress extends IssueReference {
  issueStatus: IssueStatus;
  releasedAt: string;
  status?: DeliveryStatus;
  attempts?: number;
  retryAt?: string;
  error?: string;
  providerId?: string;
  sentAt?: string;
  complainedAt?: string;
}

/** Work that was given up. */
export interface DeadLetterStore {
  keep(letters: { id: string; job: unknown }[], at: string): Promise<void>;
  list(limit: number): Promise<{ id: string; job: unknown; at: string }[]>;
  forget(before: string): Promise<void>;
}
