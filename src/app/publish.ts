import type { Answer } from '../domain/answer.ts';
import type { Article } from '../domain/article.ts';
import type {
  ArticleCommit,
  ArticleStore,
  PublicationStore,
  ReceiptStore,
  StoredArticle,
} from '../domain/content-ports.ts';
import { type Fault, Refusal } from '../domain/errors.ts';
import { ALL_ARTICLES, topicScope } from '../domain/feed.ts';
import type { Hashes } from '../domain/ports.ts';
import type { Publication } from '../domain/publication.ts';
import { slugOf } from '../domain/slug.ts';
import type { ArticleData } from '../domain/webhook.ts';
import { isIri } from '../render/feeds/address.ts';
import { fitForXml } from '../render/feeds/text.ts';
import { renderedFor, toArticle } from './article.ts';
import { needsConfirmation, type PlannedReissue, type ReissueDeps, reissuesFor } from './reissue.ts';
import { mailRefusal } from './sender.ts';
import { withPublication } from './settings.ts';
import type { Call } from './webhook.ts';

export interface PublishDeps extends ReissueDeps {
  baseUrl: string;
  publications: PublicationStore;
  articles: ArticleStore;
  receipts: ReceiptStore;
  hashes: Hashes;
}

/** What a call would make of an article, decided but not done. */
export interface ArticlePlan {
  outcome: 'created' | 'updated' | 'unchanged';
  /** As it will be. */
  article: Article;
  before?: StoredArticle;
  /** Absent when nothing about the article changes. */
  commit?: ArticleCommit;
  reissues: PlannedReissue[];
  /** To how many the reissues go, when the call must confirm that number and does not: then they are left out. */
  unconfirmed?: number;
  warnings: string[];
}

/**
 * Publishes or updates an article, and reissues what held it when that is asked for. Content that is already there makes no
 * revision and touches no feed.
 * @throws Refusal when nothing can be published yet, or a slug or alias belongs to another article
 * @throws Raced when another call changed the article or an issue meanwhile; call again
 */
export async function publishArticle(deps: PublishDeps, data: ArticleData, call: Call): Promise<void> {
  const plan = await planArticle(deps, data, call);
  const asked = plan.unconfirmed === undefined ? plan.reissues : [];
  const kept = { receipt: call.receipt, answer: answerTo(plan, asked) };
  const drafts = asked.map(({ draft }) => draft);
  if (plan.commit) await deps.articles.commit(plan.commit, kept, drafts);
  else await deps.articles.repeat(plan.article.id, saidAt(call), kept, drafts);
}

/** Decides what a call makes of an article. @throws Refusal as `publishArticle` does */
export async function planArticle(deps: PublishDeps, data: ArticleData, call: Call): Promise<ArticlePlan> {
  const publication = await withPublication(deps.publications, deps.baseUrl);
  const before = await deps.articles.byKey(data.id);
  const contentHash = await deps.hashes.sha256(contentOf(data));
  const unchanged = before && isUnchanged(before, data, contentHash);
  const late = before && !unchanged ? lateWarning(before, call) : undefined;
  if (before && late !== undefined) {
    return { outcome: 'unchanged', article: before.article, before, reissues: [], warnings: [late] };
  }
  const article = unchanged ? before.article : await nextRevision(deps, publication.id, data, before, call);
  const warnings = before ? warningsFor(before.article, data) : [];
  const outcome = before ? 'updated' : 'created';
  return {
    outcome: unchanged ? 'unchanged' : outcome,
    article,
    ...(before ? { before } : {}),
    ...(unchanged ? {} : { commit: commitOf(deps, data, article, contentHash, call) }),
    ...(await reissuesAsked(deps, publication, data, article, call, [
      ...warnings,
      ...(unchanged ? [] : scheduledWarning(article)),
    ])),
  };
}

/** The names of fields that the stored revision has not, or has otherwise: what `planArticle` calls a change. */
export async function changesOf(
  { articles }: Pick<PublishDeps, 'articles'>,
  data: ArticleData,
  before?: StoredArticle,
): Promise<string[]> {
  const source = before && (await articles.source(before.article.id, before.article.revision));
  const fields = (from: ArticleData | undefined) => new Map(Object.entries(from ? comparable(from) : {}));
  const [old, now] = [fields(source), fields(data)];
  return [...new Set([...old.keys(), ...now.keys()])].filter(
    (name) => canonical(old.get(name)) !== canonical(now.get(name)),
  );
}

async function nextRevision(
  deps: PublishDeps,
  publicationId: string,
  data: ArticleData,
  stored: StoredArticle | undefined,
  call: Call,
): Promise<Article> {
  await refuseTakenAddresses(deps, data, stored);
  const decided = {
    id: stored?.article.id ?? (await articleId(deps, publicationId, data.id)),
    slug: data.slug ?? stored?.article.slug ?? (await mintSlug(deps, data)),
    revision: (stored?.article.revision ?? 0) + 1,
    ...decideTimes(stored, data, call),
  };
  return toArticle(data, decided, deps.baseUrl);
}

function commitOf(
  { baseUrl }: PublishDeps,
  data: ArticleData,
  article: Article,
  contentHash: string,
  call: Call,
): ArticleCommit {
  return {
    article,
    key: data.id,
    contentHash,
    source: data,
    renderedFor: renderedFor(baseUrl),
    ...(data.correction === undefined ? {} : { note: data.correction.note }),
    aliases: data.aliases ?? [],
    scopes: article.status === 'published' ? scopesOf(article) : [],
    at: call.now,
    saidAt: saidAt(call),
  };
}

/** The call's own time; a clock that runs ahead must not shut out the calls after it. */
function saidAt({ timestamp, now }: Call): string {
  return timestamp < now ? timestamp : now;
}

/** Of calls that arrive out of order, as retries do, the one that was said last counts. */
function lateWarning(before: StoredArticle, call: Call): string | undefined {
  if (saidAt(call) >= before.saidAt) return undefined;
  return `/timestamp: nothing was changed, because a call of ${before.saidAt} was applied already`;
}

/** The correction itself is published in any case; why nothing is mailed, a warning says. */
async function reissuesAsked(
  deps: PublishDeps,
  publication: Publication,
  { reissue, correction, confirm }: ArticleData,
  article: Article,
  call: Call,
  warnings: string[],
): Promise<Pick<ArticlePlan, 'reissues' | 'unconfirmed' | 'warnings'>> {
  if (reissue !== true || !correction) return { reissues: [], warnings };
  const refusal = mailRefusal(deps.policy, publication);
  if (refusal !== undefined)
    return { reissues: [], warnings: [...warnings, `/data/reissue: nothing was sent: ${refusal}`] };
  const reissues = await reissuesFor(deps, publication, article, correction.note, call.now);
  if (reissues.length === 0) {
    return { reissues, warnings: [...warnings, '/data/reissue: no issue holds an earlier revision of the article'] };
  }
  const audience = mailedTo(reissues);
  if (!needsConfirmation(audience, confirm)) return { reissues, warnings };
  const warning = `/data/confirm: nothing was sent; to reissue, confirm must be ${audience}, the number of mails`;
  return { reissues, unconfirmed: audience, warnings: [...warnings, warning] };
}

/** How many mails the reissues are; what waits for approval goes to nobody yet. */
function mailedTo(reissues: PlannedReissue[]): number {
  return reissues.reduce((sum, { draft, audience }) => sum + (draft.status === 'held' ? 0 : audience), 0);
}

function answerTo({ outcome, article, warnings }: ArticlePlan, reissued: PlannedReissue[]): Answer {
  const issues = reissued.map(({ draft: { digest, number, revision }, audience }) => ({
    digest,
    number,
    revision,
    audience,
  }));
  const [first] = issues;
  return {
    ...answerOf(article, first ? 'reissued' : outcome, warnings),
    ...(first ? { issue: first } : {}),
    ...(issues.length > 1 ? { issues } : {}),
  };
}

/** Withdraws an article: out of the feeds and later digests, its page answers 410. */
export async function withdrawArticle(
  deps: PublishDeps,
  data: { id: string; note?: string },
  call: Call,
): Promise<void> {
  const { article, outcome, warnings } = await planWithdrawal(deps, data.id, call);
  const kept = { receipt: call.receipt, answer: answerOf(article, outcome, warnings) };
  if (outcome === 'unchanged') return deps.receipts.keep(kept);
  const { id, revision } = article;
  const note = data.note === undefined ? {} : { note: data.note };
  await deps.articles.withdraw({ id, revision, ...note, at: call.now, saidAt: saidAt(call) }, kept);
}

/** What a withdrawal would do. @throws Refusal when there is no such article */
export async function planWithdrawal(
  { articles }: Pick<PublishDeps, 'articles'>,
  key: string,
  call: Call,
): Promise<{ article: Article; outcome: 'withdrawn' | 'unchanged'; warnings: string[] }> {
  const stored = await articles.byKey(key);
  if (!stored) {
    throw new Refusal('invalid', 'Nothing was withdrawn.', [
      { pointer: '/data/id', message: `no article has the id ${JSON.stringify(key)}` },
    ]);
  }
  const { article } = stored;
  if (article.status === 'withdrawn') return { article, outcome: 'unchanged', warnings: [] };
  const late = lateWarning(stored, call);
  return late === undefined
    ? { article, outcome: 'withdrawn', warnings: [] }
    : { article, outcome: 'unchanged', warnings: [late] };
}

/** The caller's own id when it is an IRI that feeds can carry, else a UUID minted of the publication and the key. */
async function articleId({ hashes }: PublishDeps, publicationId: string, key: string): Promise<string> {
  return isIri(key) && fitForXml(key) === key ? key : `urn:uuid:${await hashes.uuidV5(publicationId, key)}`;
}

/** What makes a revision. Times, the note and the wish to reissue are about a revision, not part of one. */
function contentOf(data: ArticleData): string {
  return canonical(comparable(data)) ?? '';
}

function comparable(data: ArticleData): Partial<ArticleData> {
  const { publishedAt, updatedAt, correction, reissue, confirm, ...content } = data;
  return content;
}

/** JSON with the fields of objects in one order. */
function canonical(content: unknown): string | undefined {
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

/** The feeds that show an article. */
export function scopesOf(article: Article): string[] {
  return [ALL_ARTICLES, ...article.topics.map(topicScope)];
}

function answerOf(
  { id, url, revision }: Pick<Article, 'id' | 'url' | 'revision'>,
  outcome: Answer['outcome'],
  warnings: string[],
): Answer {
  return { id, outcome, revision, url, ...(warnings.length > 0 ? { warnings } : {}) };
}
