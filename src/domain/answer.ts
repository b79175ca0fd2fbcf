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
  | 'cancelled';

/** The body of a webhook's 200. The receipt keeps it and repeats it. */
export interface Answer {
  /** The article's id, the publication's id, or the digest's. */
  id: string;
  outcome: Outcome;
  revision?: number;
  issue?: IssueReference & { audience: number };
  /** The article's address, for the caller to show. */
  url?: string;
  /** What was accepted but not followed, and why. */
  warnings?: string[];
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
