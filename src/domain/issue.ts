import type { Article, Entry } from './article.ts';

/** An article as an issue shows it for good. Those of issues of the first release have no revision. */
export type FrozenEntry = Entry & Partial<Pick<Article, 'revision'>>;

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
  articles: FrozenEntry[];
  createdAt: string;
  /** Why a later revision was made, as its readers are told. */
  reason?: string;
  /** Why it stands still while `paused`. */
  pausedBecause?: string;
  /** When it was released to subscribers; absent while held. */
  releasedAt?: string;
}

/**
 * `held` waits for approval; `planning` writes deliveries; `sending` has all of them written; `superseded` was overtaken by
 * a later revision before it was sent to all.
 */
export type IssueStatus = 'held' | 'planning' | 'sending' | 'paused' | 'sent' | 'cancelled' | 'superseded';
