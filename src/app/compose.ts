import type { IssueReference } from '../domain/answer.ts';
import type { Entry } from '../domain/article.ts';
import type { ArticleStore, IssueDraft, IssueStore, KeptAnswer } from '../domain/content-ports.ts';
import { digestAtom } from '../domain/delivery.ts';
import type { Digest } from '../domain/digest.ts';
import { chooseArticles } from '../domain/digest-selection.ts';
import { addressOf } from '../domain/feed.ts';
import type { FrozenEntry } from '../domain/issue.ts';
import type { Hashes } from '../domain/ports.ts';
import type { Publication } from '../domain/publication.ts';
import { cleanText, firstSentences, htmlToText } from '../render/body.ts';
import { issueEntry } from '../render/issue-entry.ts';
import { type DigestMail, renderDigest } from '../render/mail/digest.ts';
import { composeMail } from '../render/mail/mime.ts';
import { type MailTemplate, slotMark } from '../render/mail/slots.ts';
import { showable } from './article.ts';
import { replyToOf, senderDomain, senderOf } from './sender.ts';
import { TEST_TOKEN } from './unsubscribe.ts';

export interface ComposeDeps {
  baseUrl: string;
  newId: () => string;
  log: (message: string, context: Record<string, unknown>) => void;
  articles: ArticleStore;
  issues: IssueStore;
  hashes: Hashes;
}

export interface ComposeOrder {
  publication: Publication;
  digest: Digest;
  /** Articles published by then are taken; also the issue's date. */
  at: string;
  subject?: string;
  intro?: string;
}

export interface ComposedIssue {
  number: number;
  revision: number;
  articles: FrozenEntry[];
  rendered: DigestMail;
  mail: MailTemplate;
  intro?: string;
  reason?: string;
}

/** Most articles of one issue; the rest stays for the next one. */
const MOST_ARTICLES = 500;
/**
 * A D1 row holds 2 MB: an issue's articles, their list in the issues feed, its page and its mail. Articles beyond this
 * many bytes without their bodies stay for the next issue; bodies beyond theirs are left out, their links remain.
 */
const MOST_ARTICLE_BYTES = 300_000;
const MOST_BODY_BYTES = 400_000;

/** The next issue of a digest, rendered but not frozen; undefined when there is nothing new. */
export async function composeIssue(deps: ComposeDeps, order: ComposeOrder): Promise<ComposedIssue | undefined> {
  const { publication, digest, at } = order;
  const unissued = showable(await deps.articles.unissued(digest, MOST_ARTICLES), deps);
  const chosen = chooseArticles(digest, unissued, at);
  if (chosen.length === 0) return undefined;
  const number = await deps.issues.nextNumber(digest.id);
  return renderIssue(deps, {
    ...order,
    number,
    revision: 1,
    articles: freezeEntries(chosen, digest, publication.language),
  });
}

/** What an issue is rendered of: its frozen articles, and of a later revision what was corrected. */
export interface IssueOrder extends ComposeOrder {
  number: number;
  revision: number;
  articles: FrozenEntry[];
  reason?: string;
  /** Of a correction: the revision that is shown as the one before. */
  earlier?: number;
}

/** The mail and the page of an issue; a correction answers to the mail that each of its readers had first. */
export async function renderIssue(
  deps: Pick<ComposeDeps, 'baseUrl' | 'newId'>,
  order: IssueOrder,
): Promise<ComposedIssue> {
  const { publication, digest, at, number, revision, articles, reason } = order;
  const nonce = deps.newId().replaceAll('-', '');
  const web = issueUrl(deps.baseUrl, { digest: digest.id, number });
  const rendered = renderDigest({
    publication,
    digest,
    number,
    articles,
    date: at,
    links: { web, unsubscribe: slotMark('unsubscribe', nonce), preferences: slotMark('preferences', nonce) },
    ...given('subject', order.subject),
    ...given('intro', order.intro),
    ...given('reason', reason),
  });
  const thread = slotMark('thread', nonce);
  const mail = await composeMail({
    from: senderOf(publication),
    ...given('replyTo', replyToOf(publication)),
    subject: rendered.subject,
    html: rendered.html,
    text: rendered.text,
    nonce,
    slots: reason === undefined ? ['preferences'] : ['preferences', 'thread'],
    ...(reason === undefined ? {} : { headers: { 'In-Reply-To': `<${thread}>`, References: thread } }),
    list: {
      id: `${digestAtom(digest.id)}.${senderDomain(publication)}`,
      title: cleanText(digest.title),
      archiveUrl: addressOf(deps.baseUrl, '/issues'),
      feedbackId: `${number}:${digestAtom(digest.id)}:digest:broadside`,
    },
  });
  // Outside of a mail the link has no recipient.
  const testLink = `${deps.baseUrl}unsubscribe/${TEST_TOKEN}`;
  const html = rendered.html
    .replaceAll(slotMark('unsubscribe', nonce), testLink)
    .replaceAll(slotMark('preferences', nonce), testLink);
  return {
    number,
    revision,
    articles,
    rendered: { ...rendered, html },
    mail,
    ...given('intro', order.intro),
    ...given('reason', reason),
  };
}

/** Where an issue is read on the web. */
export function issueUrl(
  baseUrl: string,
  { digest, number }: Pick<IssueReference, 'digest' | 'number'>,
  revision?: number,
): string {
  return addressOf(baseUrl, `/issues/${digest}/${number}${revision === undefined ? '' : `/revisions/${revision}`}`);
}

/**
 * Freezes an issue with whatever it answers to, in one transaction: an occurrence of the schedule or a call.
 * @throws Raced when another one took the number, an article or the occurrence first
 */
export async function freezeIssue(
  deps: ComposeDeps,
  order: ComposeOrder,
  issue: ComposedIssue,
  done: { occurrence: string } | KeptAnswer,
): Promise<void> {
  const status = order.digest.mode === 'approve' ? 'held' : 'planning';
  const cause = 'receipt' in done ? `receipt ${done.receipt.id}` : `occurrence ${done.occurrence}`;
  await deps.issues.freeze(await draftOf(deps, order, issue, { status, cause }), done);
}

/** A rendered issue as the store takes it. */
export async function draftOf(
  deps: Pick<ComposeDeps, 'hashes' | 'baseUrl'>,
  { publication, digest, at, earlier }: Pick<IssueOrder, 'publication' | 'digest' | 'at' | 'earlier'>,
  { number, revision, articles, intro, reason, rendered, mail }: ComposedIssue,
  as: Pick<IssueDraft, 'status' | 'cause'>,
): Promise<IssueDraft> {
  const entryId = `urn:uuid:${await deps.hashes.uuidV5(publication.id, `issue ${digest.id} ${number}`)}`;
  const { subject, preheader, html } = rendered;
  const before = issueUrl(deps.baseUrl, { digest: digest.id, number }, earlier);
  const correction =
    reason === undefined ? {} : { correction: { reason, earlier: before, language: publication.language } };
  return {
    digest: digest.id,
    number,
    revision,
    ...as,
    subject,
    ...given('intro', intro),
    ...given('reason', reason),
    entry: issueEntry(entryId, { subject, preheader, articles, ...given('intro', intro), ...correction }),
    articles,
    html,
    mail: JSON.stringify(mail),
    at,
  };
}

/** What an issue keeps of its articles: the text it shows, and no more than there is room for. */
export function freezeEntries(articles: Entry[], digest: Digest, language: string): FrozenEntry[] {
  const frozen: FrozenEntry[] = [];
  let room = MOST_ARTICLE_BYTES;
  let bodyRoom = MOST_BODY_BYTES;
  for (const article of articles) {
    const summary = article.summary ?? firstSentences(htmlToText(article.html), article.language ?? language);
    const entry = { ...article, ...(summary ? { summary } : {}), html: '' };
    room -= byteLength(JSON.stringify(entry));
    if (room < 0 && frozen.length > 0) break;
    const body = digest.content === 'full' ? byteLength(article.html) : 0;
    if (body > 0 && body <= bodyRoom) {
      bodyRoom -= body;
      entry.html = article.html;
    }
    frozen.push(entry);
  }
  return frozen;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

function given<K extends string, V>(name: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { [P in K]?: V });
}
