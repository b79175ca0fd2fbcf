import type { Entry } from './article.ts';

/** One number of a digest: a frozen set of article revisions and their rendered mail. */
export interface Issue {
  digest: string;
  /** Counts from 1 within the digest. */
  number: number;
  /** Counts from 1; a reissue makes the next. */
  revision: number;
  status: IssueStatus;
  subject: string;
  intro?: string;
  articles: Entry[];
  createdAt: string;
  /** When it was released to subscribers; absent while held. */
  releasedAt?: string;
}

/** `held` waits for approval; `planning` writes deliveries; `sending` has all of them written. */
export type IssueStatus = 'held' | 'planning' | 'sending' | 'sent' | 'cancelled';
