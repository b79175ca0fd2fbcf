import type { Fault } from './errors.ts';

/** What a webhook call did. */
export type Outcome =
  | 'created'
  | 'updated'
  | 'unchanged'
  | 'withdrawn'
  | 'issued'
  | 'held'
  | 'skipped'
  | 'tested'
  | 'approved'
  | 'paused'
  | 'resumed'
  | 'cancelled'
  | 'reissued';

/** The body of a webhook's 200. The receipt keeps it and repeats it. */
export interface Answer {
  /** The article's id, the publication's id, or the digest's. */
  id: string;
  outcome: Outcome;
  revision?: number;
  issue?: IssueReference & { audience: number };
  /** When a correction reissues more than one issue, all of them; `issue` is the first. */
  issues?: (IssueReference & { audience: number })[];
  /** The article's address, for the caller to show. */
  url?: string;
  /** What was accepted but not followed, and why. */
  warnings?: string[];
}

/** What a dry run answers: what the call would do. */
export interface Plan extends Omit<Answer, 'issues'> {
  dryRun: true;
  /** Fields that would change, by their names in the call. */
  changes?: string[];
  /** Paths of the feeds that would change. */
  feeds?: string[];
  /** Issues that hold the article, or would be made; whoever is not mailed has an audience of 0. */
  issues?: PlannedIssue[];
  /** What `confirm` must be, so that the reissue is sent. */
  confirm?: number;
  /** What an editor would like to know before, by JSON pointer. */
  findings: Fault[];
}

export interface PlannedIssue extends IssueReference {
  audience: number;
  subject: string;
  /** Their titles. */
  articles?: string[];
  /** Of each part of the mail, before it is encoded. */
  bytes?: { html: number; text: number };
}

export interface IssueReference {
  digest: string;
  number: number;
  revision: number;
}

/** The record of a webhook call: its `webhook-id` and the SHA-256 of its body, in hex. */
export interface Receipt {
  id: string;
  bodyHash: string;
  receivedAt: string;
}
