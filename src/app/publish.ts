import type { Answer } from '../domain/answer.ts';
import type { Article } from '../domain/article.ts';
import { Refusal } from '../domain/errors.ts';
import type { ArticleStore, Hashes, PublicationStore, ReceiptStore, StoredArticle } from '../domain/ports.ts';
import { slugOf } from '../domain/slug.ts';
import type { ArticleData } from '../domain/webhook.ts';
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
  const warnings = stored ? warningsFor(stored, data) : [];
  if (stored && isUnchanged(stored, data, contentHash)) {
    const { id, url, revision } = stored.article;
    await deps.receipts.keep({ receipt: call.receipt, answer: answerOf({ id, url, revision }, 'unchanged', warnings) });
    return;
  }
  const slug = await chooseSlug(deps, data, stored);
  await refuseTakenAliases(deps, data, stored);
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
      ...touchedFeeds(stored?.article, article),
      at: call.timestamp,
    },
    { receipt: call.receipt, answer: answerOf(article, stored ? 'updated' : 'created', warnings) },
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
  const scopes = article.status === 'published' ? scopesOf(article) : [];
  await deps.articles.withdraw(
    {
      id: article.id,
      revision: article.revision,
      ...(data.note === undefined ? {} : { note: data.note }),
      at: call.timestamp,
      scopes,
    },
    { receipt: call.receipt, answer: answerOf(article, 'withdrawn', []) },
  );
}

/** The caller's own id when it is an absolute IRI (RFC 3987), else a UUID minted of the publication and the key. */
async function articleId({ hashes }: PublishDeps, publicationId: string, key: string): Promise<string> {
  return /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i.test(key)
    ? key
    : `urn:uuid:${await hashes.uuidV5(publicationId, key)}`;
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

function warningsFor({ article }: StoredArticle, data: ArticleData): string[] {
  return article.status === 'published' && article.publishedAt !== data.publishedAt
    ? [`/data/publishedAt: stays ${article.publishedAt}, because readers have seen the article`]
    : [];
}

/** publishedAt stays once readers saw the article; updatedAt moves with every revision and never lies ahead. */
function decideTimes(
  stored: StoredArticle | undefined,
  data: ArticleData,
  call: Call,
): Pick<Article, 'status' | 'publishedAt' | 'updatedAt'> {
  const seen = stored !== undefined && stored.article.status !== 'scheduled';
  const publishedAt = seen ? stored.article.publishedAt : data.publishedAt;
  const status = publishedAt > call.now ? 'scheduled' : 'published';
  const previous = seen ? stored.article.updatedAt : '';
  const given = data.updatedAt ?? (seen ? call.timestamp : publishedAt);
  const updatedAt = given > previous ? given : call.timestamp;
  return { status, publishedAt, updatedAt: later(publishedAt, earlier(updatedAt, later(call.now, publishedAt))) };
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}

function earlier(one: string, other: string): string {
  return one < other ? one : other;
}

async function chooseSlug(
  { articles, hashes }: PublishDeps,
  data: ArticleData,
  stored?: StoredArticle,
): Promise<string> {
  const isFree = async (slug: string) => {
    const owner = await articles.bySlug(slug);
    return !owner || owner.key === data.id;
  };
  if (data.slug !== undefined) {
    if (await isFree(data.slug)) return data.slug;
    throw new Refusal('invalid', 'The article was not published.', [
      { pointer: '/data/slug', message: `${JSON.stringify(data.slug)} belongs to another article; choose another one` },
    ]);
  }
  if (stored) return stored.article.slug;
  const slug = slugOf(data.title) || `article-${(await hashes.sha256(data.id)).slice(0, 8)}`;
  for (let suffix = 1; suffix <= 20; suffix += 1) {
    const candidate = suffix === 1 ? slug : `${slug}-${suffix}`;
    if (await isFree(candidate)) return candidate;
  }
  return `${slug}-${(await hashes.sha256(data.id)).slice(0, 8)}`;
}

async function refuseTakenAliases({ articles }: PublishDeps, data: ArticleData, stored?: StoredArticle): Promise<void> {
  const aliases = data.aliases ?? [];
  if (aliases.length === 0) return;
  const taken = (await articles.aliasOwners(aliases)).filter(({ articleId }) => articleId !== stored?.article.id);
  if (taken.length === 0) return;
  throw new Refusal(
    'invalid',
    'The article was not published.',
    taken.map(({ path }) => ({
      pointer: `/data/aliases/${aliases.indexOf(path)}`,
      message: `${path} leads to another article already`,
    })),
  );
}

function scopesOf(article: Article): string[] {
  return ['', ...article.topics.map((topic) => `topics/${topic}`)];
}

function touchedFeeds(before: Article | undefined, after: Article): { scopes: string[]; removedFrom: string[] } {
  const old = before?.status === 'published' ? scopesOf(before) : [];
  const current = after.status === 'published' ? scopesOf(after) : [];
  return { scopes: [...new Set([...old, ...current])], removedFrom: old.filter((scope) => !current.includes(scope)) };
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
