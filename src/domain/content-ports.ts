import type { Answer, IssueReference, Receipt } from './answer.ts';
import type { Article, Entry } from './article.ts';
import type { Digest } from './digest.ts';
import type { FrozenEntry, Issue, IssueStatus } from './issue.ts';
import type { PublicationSettings } from './publication.ts';
import type { ArticleData } from './webhook.ts';

/** Somebody else changed the same row first; read again and decide again. */
export class Raced extends Error {}

export interface PublicationStore {
  read(): Promise<{ id: string; settings: PublicationSettings; contentHash: string } | undefined>;
  /** Writes the settings, marks every feed as changed and keeps the answer, in one transaction. */
  commit(
    change: { id: string; settings: PublicationSettings; contentHash: string; at: string },
    answer: KeptAnswer,
  ): Promise<void>;
}

/** An answer to be written with the work it tells of. A refused call leaves none: its id may be used again. */
export interface KeptAnswer {
  receipt: Receipt;
  answer: Answer;
}

/** An article as stored, with what decides whether a call changes it. */
export interface StoredArticle {
  article: Article;
  key: string;
  contentHash: string;
  /** The `timestamp` of the call that was applied last, no later than its arrival; empty of one before this was kept. */
  saidAt: string;
  /** Present when the stored rendering was made for another base URL or by an older renderer. */
  staleSource?: ArticleData;
}

export interface ArticleCommit {
  article: Article;
  key: string;
  contentHash: string;
  source: ArticleData;
  renderedFor: string;
  note?: string;
  /** Old addresses that answer 301 from now on. */
  aliases: string[];
  saidAt: string;
  /** Feeds that show the article from now on. Those that showed it before are found and marked as changed too. */
  scopes: string[];
  at: string;
}

export interface ArticleStore {
  byKey(key: string): Promise<StoredArticle | undefined>;
  bySlug(slug: string): Promise<StoredArticle | undefined>;
  /** The article that an old path belongs to. */
  byAlias(path: string): Promise<StoredArticle | undefined>;
  /** Newest first; published only. */
  latest(limit: number, topic?: string): Promise<StoredArticle[]>;
  /** What the caller sent for a revision. */
  source(id: string, revision: number): Promise<ArticleData | undefined>;
  history(id: string): Promise<{ revision: number; updatedAt: string; note?: string }[]>;
  /** The articles with these ids, withdrawn ones too, in no order. */
  byIds(ids: string[]): Promise<StoredArticle[]>;
  /**
   * Writes one revision with its history, topics, aliases, changed feeds, the issues that are reissued for it and the
   * answer. @throws Raced
   */
  commit(change: ArticleCommit, answer: KeptAnswer, reissues?: IssueDraft[]): Promise<void>;
  /** Notes when a call said again what is there, so that an older one that comes late is known; with reissues and the answer. */
  repeat(id: string, saidAt: string, answer: KeptAnswer, reissues: IssueDraft[]): Promise<void>;
  /** Hides the article and keeps the answer. @throws Raced */
  withdraw(
    change: { id: string; revision: number; note?: string; at: string; saidAt: string },
    answer: KeptAnswer,
  ): Promise<void>;
  /** Publishes the scheduled articles whose time has come; true when there were any. */
  releaseDue(at: string): Promise<boolean>;
  /** At most `limit` articles whose rendering is out of date. */
  stale(limit: number): Promise<StoredArticle[]>;
  rerender(article: Article, renderedFor: string): Promise<void>;
  /** Published articles of the digest's topics that no issue of it holds, in its order. */
  unissued(digest: Pick<Digest, 'id' | 'topics' | 'order' | 'since'>, limit: number): Promise<StoredArticle[]>;
  topics(): Promise<{ slug: string; articles: number }[]>;
  /** Which of the paths lead to an article already, as its address or as an old one. */
  aliasOwners(paths: string[]): Promise<{ path: string; articleId: string }[]>;
  /** Addresses of all published articles, for the site map. */
  addresses(limit: number): Promise<{ slug: string; updatedAt: string }[]>;
}

export interface FeedDocument {
  path: string;
  scope: string;
  body: string;
  etag: string;
  /** Unix seconds. */
  lastModified: number;
  contentType: string;
  link: string;
  version: number;
  madeBy: string;
}

/** What one feed is made of, read at one instant. */
export interface FeedSource {
  scope: string;
  version: number;
  changedAt: string;
}

export interface FeedStore {
  /** @param known an If-None-Match header: where it holds the document's tag, the body is not read and is empty */
  document(path: string, known?: string): Promise<FeedDocument | undefined>;
  /** Feeds whose documents are missing, older than the feed, or made by another release. */
  stale(madeBy: string, limit: number): Promise<string[]>;
  /** The given feeds and their articles, at one instant. */
  sources(scopes: string[], limit: number): Promise<{ feeds: FeedSource[]; articles: Map<string, StoredArticle[]> }>;
  /**
   * Writes documents, each unless a newer version is there already. The same bytes keep their `lastModified`; others get
   * a later one than the bytes they replace, or If-Modified-Since would hide them.
   * @returns those whose bytes are new
   */
  put(documents: FeedDocument[]): Promise<FeedDocument[]>;
}

export interface ReceiptStore {
  read(id: string): Promise<{ bodyHash: string; answer: Answer } | undefined>;
  /** Keeps the answer of a call that had nothing else to write. @throws Raced */
  keep(kept: KeptAnswer): Promise<void>;
}

/** An issue in its feed, without what the moment and the base URL decide. */
export type IssueEntry = Pick<Entry, 'id' | 'title' | 'html'> & { summary: string };

/** A released issue in a list. */
export interface IssueSummary {
  digest: string;
  number: number;
  revision: number;
  subject: string;
  /** When its first revision was. */
  releasedAt: string;
  /** When this one was. */
  updatedAt: string;
}

/** A composed issue, ready to be frozen. */
export interface IssueDraft {
  digest: string;
  number: number;
  /** 1, or of a reissue the one after the newest. */
  revision: number;
  status: Extract<IssueStatus, 'held' | 'planning'>;
  cause: string;
  subject: string;
  intro?: string;
  /** Of a reissue: what was corrected. */
  reason?: string;
  /** What the issues feed shows of it. */
  entry: IssueEntry;
  articles: FrozenEntry[];
  html: string;
  mail: string;
  at: string;
}

export interface StoredIssue extends Issue {
  html: string;
  /** The highest revision there is, also one that was cancelled before anybody had it. */
  newestRevision: number;
}

/** A revision in the history of an issue. */
export interface IssueRevision {
  revision: number;
  releasedAt: string;
  reason?: string;
}

/** What is mailed of a revision. */
export interface IssueMail {
  subject: string;
  releasedAt: string;
  /** The composed message with slots for what is the recipient's own. */
  template: { parts: string[]; slots: { name: string; place: 'header' | 'text' | 'html' }[] };
}

export interface IssueStore {
  nextNumber(digest: string): Promise<number>;
  /** The newest revision of an issue that was not cancelled before anybody had it; or the given one. */
  read(digest: string, number: number, revision?: number): Promise<StoredIssue | undefined>;
  /** The released revisions of an issue, newest first. */
  revisions(digest: string, number: number): Promise<IssueRevision[]>;
  /** The latest released issue of a digest. */
  latest(digest: string): Promise<Pick<IssueReference, 'digest' | 'number'> | undefined>;
  /** Issues that hold an article and were released or wait for approval. */
  holding(articleId: string): Promise<Pick<IssueReference, 'digest' | 'number'>[]>;
  mail(issue: IssueReference): Promise<IssueMail | undefined>;
  /** Released issues, newest first. */
  list(limit: number): Promise<IssueSummary[]>;
  /** The nearest released issues before and after a number. */
  neighbours(digest: string, number: number): Promise<{ previous?: number; next?: number }>;
  /** Released issues as their feed shows them, newest first. */
  entries(limit: number): Promise<(IssueEntry & Omit<IssueSummary, 'subject'>)[]>;
  /** Freezes an issue, takes its articles, and closes the occurrence or keeps the answer, in one transaction. @throws Raced */
  freeze(draft: IssueDraft, done: { occurrence: string } | KeptAnswer): Promise<void>;
  /**
   * Freezes later revisions of issues, which supersede what was not yet sent of the earlier ones, and keeps the answer.
   * @throws Raced
   */
  reissue(drafts: IssueDraft[], answer: KeptAnswer): Promise<void>;
  /** Releases a held issue. @throws Raced */
  approve(issue: IssueReference, at: string, answer: KeptAnswer): Promise<void>;
  /** Stops an issue; what was held gives its articles back, what is queued is cancelled. @throws Raced */
  cancel(issue: IssueReference, at: string, answer: KeptAnswer): Promise<void>;
  /** Stops an issue for now. @throws Raced */
  pause(issue: IssueReference, because: string, at: string, answer: KeptAnswer): Promise<void>;
  /** Goes on with a paused issue, and counts its bounces and complaints anew. @throws Raced */
  resume(issue: IssueReference, at: string, answer: KeptAnswer): Promise<void>;
  /** Issues whose planning nothing has touched since `before`. */
  unfinished(before: string): Promise<IssueReference[]>;
  /** Marks as sent whatever has nothing left to do. */
  closeDone(at: string): Promise<void>;
  /** Held issues whose editor has not been told. */
  untold(): Promise<IssueReference[]>;
  markTold(issue: IssueReference, at: string): Promise<void>;
}

export interface OccurrenceStore {
  /** The instant up to which all occurrences are recorded: the latest one, or when the schedule was set. */
  recordedThrough(digest: string): Promise<string | undefined>;
  /** True for the one caller that may compose it, also when an earlier claimant stopped half way. */
  claim(digest: string, at: string, now: string): Promise<boolean>;
  /** Records what became of instants that nobody has issued. */
  close(digest: string, instants: string[], status: 'skipped' | 'missed', reason: string, now: string): Promise<void>;
  list(digest: string, limit: number): Promise<OccurrenceRecord[]>;
}

export interface OccurrenceRecord {
  at: string;
  status: 'claimed' | 'issued' | 'skipped' | 'missed';
  reason?: string;
  issueNumber?: number;
}
