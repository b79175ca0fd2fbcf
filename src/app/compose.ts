import type { IssueReference } from '../domain/answer.ts';
import type { Entry } from '../domain/article.ts';
import type { ArticleStore, IssueDraft, IssueStore, KeptAnswer } from '../domain/content-ports.ts';
import { digestAtom } from '../domain/delivery.ts';
import type { Digest } from '../domain/digest.ts';
import { chooseArticles } from '../domain/digest-selection.ts';
import { addressOf } from '../domain/feed.ts';
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
  articles: Entry[];
  rendered: DigestMail;
  mail: MailTemplate;
  intro?: string;
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
  const articles = freezeEntries(chosen, digest, publication.language);
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
  });
  const mail = await composeMail({
    from: senderOf(publication),
    ...given('replyTo', replyToOf(publication)),
    subject: rendered.subject,
    html: rendered.html,
    text: rendered.text,
    date: at,
    nonce,
    slots: ['preferences'],
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
  return { number, articles, rendered: { ...rendered, html }, mail, ...given('intro', order.intro) };
}

/** Where an issue is read on the web. */
export function issueUrl(baseUrl: string, { digest, number }: Pick<IssueReference, 'digest' | 'number'>): string {
  return addressOf(baseUrl, `/issues/${digest}/${number}`);
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
  const { publication, digest, at } = order;
  const entryId = `urn:uuid:${await deps.hashes.uuidV5(publication.id, `issue ${digest.id} ${issue.number}`)}`;
  const { subject, preheader, html } = issue.rendered;
  const draft: IssueDraft = {
    digest: digest.id,
    number: issue.number,
    status: digest.mode === 'approve' ? 'held' : 'planning',
    cause: 'receipt' in done ? `receipt ${done.receipt.id}` : `occurrence ${done.occurrence}`,
    subject,
    ...given('intro', issue.intro),
    entry: issueEntry(entryId, { subject, preheader, articles: issue.articles, ...given('intro', issue.intro) }),
    articles: issue.articles,
    html,
    mail: JSON.stringify(issue.mail),
    at,
  };
  await deps.issues.freeze(draft, done);
}

/** What an issue keeps of its articles: the text it shows, and no more than there is room for. */
function freezeEntries(articles: Entry[], digest: Digest, language: string): Entry[] {
  const frozen: Entry[] = [];
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
