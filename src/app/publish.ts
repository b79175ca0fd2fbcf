import type { Answer } from '../domain/answer.ts';
import type { Article } from '../domain/article.ts';
import type { ArticleStore, PublicationStore, ReceiptStore, StoredArticle } from '../domain/content-ports.ts';
import { type Fault, Refusal } from '../domain/errors.ts';
import { ALL_ARTICLES, topicScope } from '../domain/feed.ts';
import type { Hashes } from '../domain/ports.ts';
import { slugOf } from '../domain/slug.ts';
import type { ArticleData } from '../domain/webhook.ts';
import { isIri } from '../render/feeds/address.ts';
import { fitForXml } from '../render/feeds/text.ts';
import { renderedFor, toArticle } from './article.ts';
import type { Call } from './webhook.ts';

export interface PublishDeps {
  baseUrl: string;
  publications: PublicationStore;
  articles: ArticleStore;
  receipts: ReceiptStore;
  hashes: Hashes;
}

/**
 * Publishes or updates an article. Content that is already there makes no revision and touches no feed.
 * @throws Refusal when nothing can be published yet, or a slug or alias belongs to another article
 * @throws Raced when another call changed the article meanwhile; call again
 */
export async function publishArticle(deps: PublishDeps, data: ArticleData, call: Call): Promise<void> {
  const publication = await deps.publications.read();
  if (!publication) {
    throw new Refusal('invalid', 'There is no publication yet: send publication.updated first.');
  }
  const stored = await deps.articles.byKey(data.id);
  const contentHash = await deps.hashes.sha256(contentOf(data));
  const warnings = stored ? warningsFor(stored.article, data) : [];
  if (stored && isUnchanged(stored, data, contentHash)) {
    const { id, url, revision } = stored.article;
    await deps.receipts.keep({ receipt: call.receipt, answer: answerOf({ id, url, revision }, 'unchanged', warnings) });
    return;
  }
  await refuseTakenAddresses(deps, data, stored);
  const slug = data.slug ?? stored?.article.slug ?? (await mintSlug(deps, data));
  const article = toArticle(
    data,
    {
      id: stored?.article.id ?? (await articleId(deps, publication.id, data.id)),
      slug,
      revision: (stored?.article.revision ?? 0) + 1,
      ...decideTimes(stored, data, call),
    },
    deps.baseUrl,
  );
  await deps.articles.commit(
    {
      article,
      key: data.id,
      contentHash,
      source: data,
      renderedFor: renderedFor(deps.baseUrl),
      ...(data.correction === undefined ? {} : { note: data.correction.note }),
      aliases: data.aliases ?? [],
      scopes: article.status === 'published' ? scopesOf(article) : [],
      at: call.now,
    },
    {
      receipt: call.receipt,
      answer: answerOf(article, stored ? 'updated' : 'created', [...warnings, ...scheduledWarning(article)]),
    },
  );
}

/** Withdraws an article: out of the feeds and later digests, its page answers 410. */
export async function withdrawArticle(
  deps: PublishDeps,
  data: { id: string; note?: string },
  call: Call,
): Promise<void> {
  const stored = await deps.articles.byKey(data.id);
  if (!stored) throw unknownArticle(data.id);
  const { article } = stored;
  if (article.status === 'withdrawn') {
    await deps.receipts.keep({ receipt: call.receipt, answer: answerOf(article, 'unchanged', []) });
    return;
  }
  await deps.articles.withdraw(
    {
      id: article.id,
      revision: article.revision,
      ...(data.note === undefined ? {} : { note: data.note }),
      at: call.now,
    },
    { receipt: call.receipt, answer: answerOf(article, 'withdrawn', []) },
  );
}

/** The caller's own id when it is an IRI that feeds can carry, else a UUID minted of the publication and the key. */
async function articleId({ hashes }: PublishDeps, publicationId: string, key: string): Promise<string> {
  return isIri(key) && fitForXml(key) === key ? key : `urn:uuid:${await hashes.uuidV5(publicationId, key)}`;
}

/** What makes a revision. Times, the note and the wish to reissue are about a revision, not part of one. */
function contentOf(data: ArticleData): string {
  const { publishedAt, updatedAt, correction, reissue, ...content } = data;
  return JSON.stringify(content, (_, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}

function isUnchanged({ article, contentHash }: StoredArticle, data: ArticleData, newHash: string): boolean {
  if (article.status === 'withdrawn' || newHash !== contentHash) return false;
  return article.status === 'published' || article.publishedAt === data.publishedAt;
}

function warningsFor(article: Article, data: ArticleData): string[] {
  return wasSeen(article) && article.publishedAt !== data.publishedAt
    ? [`/data/publishedAt: stays ${article.publishedAt}, because readers have seen the article`]
    : [];
}

function scheduledWarning({ status, publishedAt }: Article): string[] {
  return status === 'scheduled' ? [`the article is hidden until the first tick after ${publishedAt}`] : [];
}

/** Whether readers ever had the article; one that was withdrawn before its time was never out. */
function wasSeen({ status, publishedAt, withdrawnAt = '' }: Article): boolean {
  return status === 'published' || (status === 'withdrawn' && withdrawnAt >= publishedAt);
}

/** publishedAt stays once readers saw the article; updatedAt moves with every revision and never lies ahead. */
function decideTimes(
  stored: StoredArticle | undefined,
  data: ArticleData,
  { timestamp, now }: Call,
): Pick<Article, 'status' | 'publishedAt' | 'updatedAt'> {
  const before = stored && wasSeen(stored.article) ? stored.article : undefined;
  const publishedAt = before?.publishedAt ?? data.publishedAt;
  const status = before || publishedAt <= now ? 'published' : 'scheduled';
  const given = data.updatedAt ?? (before ? timestamp : publishedAt);
  const updatedAt = [given, timestamp, now]
    .map((at) => (at < now ? at : now))
    .find((at) => before === undefined || at > before.updatedAt);
  return { status, publishedAt, updatedAt: later(publishedAt, updatedAt ?? now) };
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}

/** A slug of the title that leads nowhere yet, so that no old address of another article changes hands unasked. */
async function mintSlug({ articles, hashes }: PublishDeps, data: ArticleData): Promise<string> {
  const hash = (await hashes.sha256(data.id)).slice(0, 8);
  const slug = slugOf(data.title) || `article-${hash}`;
  for (let suffix = 1; suffix <= 20; suffix += 1) {
    const candidate = suffix === 1 ? slug : `${slug}-${suffix}`;
    if ((await articles.aliasOwners([addressPath(candidate)])).length === 0) return candidate;
  }
  return `${slug}-${hash}`;
}

/** An address that is or was another article's stays with it: its readers' links must not lead elsewhere. */
async function refuseTakenAddresses(
  { articles }: PublishDeps,
  { slug, aliases = [] }: ArticleData,
  stored?: StoredArticle,
): Promise<void> {
  const faults: Fault[] = [];
  const isOthers = (owner: string | undefined) => owner !== undefined && owner !== stored?.article.id;
  const own = slug === undefined ? [] : [addressPath(slug)];
  const asked = [...own, ...aliases];
  const owners = asked.length > 0 ? await articles.aliasOwners(asked) : [];
  for (const { path, articleId: owner } of owners) {
    if (!isOthers(owner)) continue;
    const message = `${path} leads to another article already; choose another one`;
    if (own.includes(path)) faults.push({ pointer: '/data/slug', message });
    if (aliases.includes(path)) faults.push({ pointer: `/data/aliases/${aliases.indexOf(path)}`, message });
  }
  if (faults.length > 0) throw new Refusal('invalid', 'The article was not published.', faults);
}

/** Where the page of a slug is, not percent-encoded. */
function addressPath(slug: string): string {
  return `/articles/${slug}`;
}

function scopesOf(article: Article): string[] {
  return [ALL_ARTICLES, ...article.topics.map(topicScope)];
}

function answerOf(
  { id, url, revision }: Pick<Article, 'id' | 'url' | 'revision'>,
  outcome: Answer['outcome'],
  warnings: string[],
): Answer {
  return { id, outcome, revision, url, ...(warnings.length > 0 ? { warnings } : {}) };
}

function unknownArticle(key: string): Refusal {
  return new Refusal('invalid', 'Nothing was withdrawn.', [
    { pointer: '/data/id', message: `no article has the id ${JSON.stringify(key)}` },
  ]);
}
