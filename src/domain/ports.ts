import type { Answer, IssueReference, Receipt } from './answer.ts';
import type { Article, Entry } from './article.ts';
import type { ConsentRecord } from './consent.ts';
import type { DeliveryBalance, DeliveryStatus, LeasedDelivery } from './delivery.ts';
import type { Digest } from './digest.ts';
import type { Issue, IssueStatus } from './issue.ts';
import type { PublicationSettings } from './publication.ts';
import type { Subscriber, SubscriptionStatus } from './subscriber.ts';
import type { Token } from './token.ts';
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
  history(id: string): Promise<{ revision: number; updatedAt: string; note?: string }[]>;
  /** Writes one revision with its history, topics, aliases, changed feeds and the answer. @throws Raced */
  commit(change: ArticleCommit, answer: KeptAnswer): Promise<void>;
  /** Hides the article and keeps the answer. @throws Raced */
  withdraw(change: { id: string; revision: number; note?: string; at: string }, answer: KeptAnswer): Promise<void>;
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
  document(path: string): Promise<FeedDocument | undefined>;
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
  releasedAt: string;
}

/** A composed issue, ready to be frozen. */
export interface IssueDraft {
  digest: string;
  number: number;
  status: Extract<IssueStatus, 'held' | 'planning'>;
  cause: string;
  subject: string;
  intro?: string;
  /** What the issues feed shows of it. */
  entry: IssueEntry;
  articles: Entry[];
  html: string;
  mail: string;
  at: string;
}

export interface StoredIssue extends Issue {
  html: string;
  /** The composed message with slots for what is the recipient's own. */
  mail: { parts: string[]; slots: { name: string; place: 'header' | 'text' | 'html' }[] };
}

export interface IssueStore {
  nextNumber(digest: string): Promise<number>;
  byCause(digest: string, cause: string): Promise<Issue | undefined>;
  /** The newest revision of an issue. */
  read(digest: string, number: number): Promise<StoredIssue | undefined>;
  /** Released issues, newest first. */
  list(limit: number): Promise<IssueSummary[]>;
  /** The nearest released issues before and after a number. */
  neighbours(digest: string, number: number): Promise<{ previous?: number; next?: number }>;
  /** Released issues as their feed shows them, newest first. */
  entries(limit: number): Promise<(IssueEntry & Omit<IssueSummary, 'subject'>)[]>;
  /** Freezes an issue, takes its articles, and closes the occurrence or keeps the answer, in one transaction. @throws Raced */
  freeze(draft: IssueDraft, done: { occurrence: string } | KeptAnswer): Promise<void>;
  /** Releases a held issue. @throws Raced */
  approve(issue: IssueReference, at: string, answer: KeptAnswer): Promise<void>;
  /** Stops an issue; what was held gives its articles back, what is queued is cancelled. @throws Raced */
  cancel(issue: IssueReference, at: string, answer: KeptAnswer): Promise<void>;
  /** Issues being planned or sent that nothing has touched since `before`. */
  unfinished(before: string): Promise<IssueReference[]>;
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

/** How somebody agreed or left, for the consent record. */
export type Manner = Pick<ConsentRecord, 'way' | 'network' | 'textVersion' | 'proof'>;

/** Where an address stands. */
export interface SubscriptionState {
  subscriberId: string;
  suppressed: boolean;
  /** Digests that wait for the confirmation. */
  pending: string[];
}

export interface SubscriptionStore {
  /** Makes pending subscriptions of what is not active; the person's state afterwards. */
  request(
    subscriber: Subscriber & { addressHash: string },
    digests: string[],
    how: Manner,
    at: string,
  ): Promise<SubscriptionState | undefined>;
  state(email: string): Promise<SubscriptionState | undefined>;
  /** Makes pending ones active, and leaves the others; all of the person's afterwards. */
  confirm(subscriberId: string, digests: string[], how: Manner, at: string): Promise<Map<string, SubscriptionStatus>>;
  /** Sets what a person who is known to hold the address wants. */
  choose(subscriberId: string, wanted: string[], unwanted: string[], how: Manner, at: string): Promise<void>;
  unsubscribe(subscriberId: string, digests: string[], how: Manner, at: string): Promise<void>;
  statuses(subscriberId: string): Promise<Map<string, SubscriptionStatus>>;
  /** How many would get an issue of the digest now. */
  audience(digest: string): Promise<number>;
  /** Deletes what was never confirmed since before `before`, and people nothing is left of. */
  forgetUnconfirmed(before: string): Promise<void>;
}

export type SuppressionReason = 'hard_bounce' | 'complaint' | 'manual';

export interface SuppressionStore {
  /** The first reason stays. */
  add(addressHash: string, reason: SuppressionReason, at: string): Promise<void>;
  remove(addressHash: string): Promise<boolean>;
  /** Lifts the suppression of a person who proved to hold the address. */
  returnOf(subscriberId: string, how: Manner, at: string): Promise<boolean>;
  /** Counts a confirmation mail; false when the address got one within the hour, or `most` within the day. */
  allowConfirmation(
    addressHash: string,
    at: string,
    limit: { since: { hour: string; day: string }; most: number },
  ): Promise<boolean>;
}

export interface AddressChange {
  id: string;
  subscriberId: string;
  email: string;
}

export interface PersonStore {
  read(subscriberId: string): Promise<(Subscriber & { suppressed: boolean }) | undefined>;
  /** All data held about a person. */
  everything(subscriberId: string): Promise<Record<string, unknown> | undefined>;
  erase(subscriberId: string): Promise<void>;
  requestAddress(change: AddressChange, at: string): Promise<void>;
  pendingAddress(id: string): Promise<AddressChange | undefined>;
  /** False when the address belongs to somebody else. */
  moveAddress(change: AddressChange, addressHash: string, how: Manner, at: string): Promise<boolean>;
}

/** A subscriber of another service, or of ours on the way out. */
export interface ImportRow {
  email: string;
  status: 'active' | 'unsubscribed' | 'bounced' | 'complained';
  subscribedAt?: string;
  confirmedAt?: string;
  unsubscribedAt?: string;
  proof?: string;
}

export interface ImportStore {
  /** What is known of addresses, by their hashes. */
  known(
    digest: string,
    addressHashes: string[],
  ): Promise<Map<string, { status: SubscriptionStatus | undefined; suppressed: boolean }>>;
  write(
    digest: string,
    rows: (Omit<ImportRow, 'status'> & {
      id: string;
      addressHash: string;
      status: 'active' | 'unsubscribed';
      suppression?: SuppressionReason;
    })[],
    consent: string | undefined,
    at: string,
  ): Promise<void>;
  /** A page of subscriptions by key, pending ones left out. */
  page(digest: string, after: string, limit: number): Promise<(ImportRow & { subscriberId: string })[]>;
}

export interface DeliveryStore {
  /** Writes the next page of delivery rows; undefined when all are written. */
  planPage(issue: IssueReference, size: number, at: string): Promise<{ after: string; through: string } | undefined>;
  /** Leases what is queued, or was leased and never reported, among the subscribers of a page. */
  lease(
    issue: IssueReference,
    page: { after: string; through: string },
    at: string,
    until: string,
  ): Promise<LeasedDelivery[]>;
  record(outcomes: { id: string; status: DeliveryStatus; error?: string }[], at: string): Promise<void>;
  /** Marks the issue as sent when nothing is left to do. */
  finish(issue: IssueReference, at: string): Promise<void>;
  balance(issue: IssueReference): Promise<DeliveryBalance>;
  /** Pages that still have queued or expired deliveries. */
  leftovers(issue: IssueReference, size: number, at: string): Promise<{ after: string; through: string }[]>;
}

/** A mail, exactly as it goes over the wire (RFC 5322), with what the transport must know. */
export interface OutgoingMail {
  /** Same for the same mail: an idempotency key. */
  id: string;
  kind: 'digest' | 'test' | 'notice';
  from: string;
  to: string;
  subject: string;
  messageId: string;
  issue?: IssueReference;
  raw: string;
}

export type SendResult = { status: 'sent' } | { status: 'failed'; error: string };

/** What carries mail. */
export interface Transport {
  /** One result per mail, in order. Sending the same mail again must be harmless. */
  send(mails: OutgoingMail[]): Promise<SendResult[]>;
}

/** A piece of background work; each may run twice or be lost, and is then found again by the sweep. */
export type Job =
  | { kind: 'notice' }
  | { kind: 'announce'; hub: string; topics: string[] }
  | { kind: 'subscribe'; request: { email: string; digests: string[]; how: Manner; at: string } }
  | { kind: 'plan'; issue: IssueReference }
  | { kind: 'deliver'; issue: IssueReference; page: { after: string; through: string } };

/** WebSub hubs, which tell their subscribers that a feed changed. */
export interface Hubs {
  /** @param topics addresses of the feeds that changed @throws Error when the hub does not take it */
  announce(hub: string, topics: string[]): Promise<void>;
}

export interface JobQueue {
  send(jobs: Job[]): Promise<void>;
}

export interface Tokens {
  sign(token: Token): Promise<string>;
  /** The claims, when the signature is ours. */
  verify(text: string): Promise<Token | undefined>;
}

export interface Hashes {
  /** SHA-256, in hex. */
  sha256(text: string): Promise<string>;
  /** UUIDv5 (RFC 9562 section 5.5). */
  uuidV5(namespace: string, name: string): Promise<string>;
  /** What suppressions are matched by: HMAC-SHA-256 of the address with a key of its own. */
  address(email: string): Promise<string>;
}
