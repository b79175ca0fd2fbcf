import type { Article } from '../domain/article.ts';
import type { ArticleStore, StoredArticle } from '../domain/content-ports.ts';
import { Raced } from '../domain/content-ports.ts';
import { commit, keepAnswer, touchFeeds } from './batch.ts';
import { reissueStatements } from './issue-drafts.ts';

interface Row {
  id: string;
  key: string;
  slug: string;
  revision: number;
  contentHash: string;
  saidAt: string;
  status: Article['status'];
  publishedAt: string;
  updatedAt: string;
  withdrawnAt: string | null;
  withdrawalNote: string | null;
  entry: string;
  staleSource: string | null;
}

/** `?1` is what renderings must have been made for; the source comes along only when they were not. */
export const ARTICLE_COLUMNS = `a.id, a.key, a.slug, a.revision, a.contentHash, a.saidAt, a.status, a.publishedAt, a.updatedAt,
  a.withdrawnAt, a.withdrawalNote, a.entry,
  CASE WHEN a.renderedFor = ?1 THEN NULL ELSE
    (SELECT r.source FROM articleRevision r WHERE r.articleId = a.id AND r.revision = a.revision) END AS staleSource`;

export function toStoredArticle(row: Row): StoredArticle {
  const article: Article = {
    ...JSON.parse(row.entry),
    id: row.id,
    slug: row.slug,
    revision: row.revision,
    status: row.status,
    publishedAt: row.publishedAt,
    updatedAt: row.updatedAt,
    ...(row.withdrawnAt === null ? {} : { withdrawnAt: row.withdrawnAt }),
    ...(row.withdrawalNote === null ? {} : { withdrawalNote: row.withdrawalNote }),
  };
  const stored = { article, key: row.key, contentHash: row.contentHash, saidAt: row.saidAt };
  return row.staleSource === null ? stored : { ...stored, staleSource: JSON.parse(row.staleSource) };
}

/** What the row's own columns do not hold. */
function entryJson(article: Article): string {
  const { id, slug, revision, status, publishedAt, updatedAt, withdrawnAt, withdrawalNote, ...entry } = article;
  return JSON.stringify(entry);
}

/**
 * Articles and their revisions.
 * @param renderedFor the renderer and base URL that stored renderings must have been made for
 */
export function articleStore(db: D1Database, renderedFor: string): ArticleStore {
  async function one(where: string, value: string): Promise<StoredArticle | undefined> {
    const row = await db
      .prepare(`SELECT ${ARTICLE_COLUMNS} FROM article a WHERE ${where}`)
      .bind(renderedFor, value)
      .first<Row>();
    return row ? toStoredArticle(row) : undefined;
  }
  async function many(sql: string, ...values: unknown[]): Promise<StoredArticle[]> {
    const { results } = await db
      .prepare(sql)
      .bind(renderedFor, ...values)
      .all<Row>();
    return results.map(toStoredArticle);
  }

  return {
    byKey: (key) => one('a.key = ?2', key),
    bySlug: (slug) => one('a.slug = ?2', slug),
    byAlias: (path) => one('a.id = (SELECT articleId FROM alias WHERE path = ?2)', path),

    latest: (limit, topic) =>
      topic === undefined
        ? many(
            `SELECT ${ARTICLE_COLUMNS} FROM article a WHERE a.status = 'published'
             ORDER BY a.publishedAt DESC, a.id LIMIT ?2`,
            limit,
          )
        : many(
            `SELECT ${ARTICLE_COLUMNS} FROM articleTopic t JOIN article a ON a.id = t.articleId
             WHERE t.topic = ?3 AND a.status = 'published' ORDER BY a.publishedAt DESC, a.id LIMIT ?2`,
            limit,
            topic,
          ),

    async source(id, revision) {
      const source = await db
        .prepare('SELECT source FROM articleRevision WHERE articleId = ? AND revision = ?')
        .bind(id, revision)
        .first<string>('source');
      return source === null ? undefined : JSON.parse(source);
    },

    async history(id) {
      const { results } = await db
        .prepare('SELECT revision, updatedAt, note FROM articleRevision WHERE articleId = ? ORDER BY revision DESC')
        .bind(id)
        .all<{ revision: number; updatedAt: string; note: string | null }>();
      return results.map(({ note, ...row }) => (note === null ? row : { ...row, note }));
    },

    byIds: (ids) =>
      many(
        `SELECT ${ARTICLE_COLUMNS} FROM article a WHERE a.id IN (SELECT value FROM json_each(?2))`,
        JSON.stringify(ids),
      ),

    async commit(change, answer, reissues = []) {
      const { article } = change;
      const path = `/articles/${article.slug}`;
      await commit(db, [
        // First, because it is what a race breaks: two writers want the same revision number.
        db
          .prepare('INSERT INTO articleRevision (articleId, revision, source, updatedAt, note) VALUES (?, ?, ?, ?, ?)')
          .bind(article.id, article.revision, JSON.stringify(change.source), article.updatedAt, change.note ?? null),
        db
          .prepare(
            `INSERT INTO alias (path, articleId) SELECT '/articles/' || slug, id FROM article WHERE id = ?1 AND slug <> ?2
             ON CONFLICT (path) DO UPDATE SET articleId = excluded.articleId`,
          )
          .bind(article.id, article.slug),
        touchFeedsShowing(db, article.id, change.at, change.scopes),
        upsertArticle(db, change),
        db.prepare('DELETE FROM articleTopic WHERE articleId = ?').bind(article.id),
        db
          .prepare('INSERT INTO articleTopic (topic, articleId) SELECT DISTINCT value, ?2 FROM json_each(?1)')
          .bind(JSON.stringify(article.topics), article.id),
        db
          .prepare(
            `INSERT INTO alias (path, articleId) SELECT DISTINCT value, ?2 FROM json_each(?1) WHERE true
             ON CONFLICT (path) DO UPDATE SET articleId = excluded.articleId`,
          )
          .bind(JSON.stringify(change.aliases), article.id),
        // An address in use is never a redirect.
        db.prepare('DELETE FROM alias WHERE path = ?').bind(path),
        touchFeeds(db, change.scopes, change.at),
        ...reissues.flatMap((draft) => reissueStatements(db, draft)),
        keepAnswer(db, answer),
      ]);
    },

    async repeat(id, saidAt, answer, reissues) {
      await commit(db, [
        db.prepare('UPDATE article SET saidAt = ?2 WHERE id = ?1 AND saidAt < ?2').bind(id, saidAt),
        ...reissues.flatMap((draft) => reissueStatements(db, draft)),
        keepAnswer(db, answer),
      ]);
    },

    async withdraw({ id, revision, note, at, saidAt }, answer) {
      const [, updated] = await commit(db, [
        touchFeedsShowing(db, id, at),
        db
          .prepare(
            `UPDATE article SET status = 'withdrawn', withdrawnAt = ?, withdrawalNote = ?, saidAt = ?
             WHERE id = ? AND revision = ? AND status <> 'withdrawn'`,
          )
          .bind(at, note ?? null, saidAt, id, revision),
        keepAnswer(
          db,
          answer,
          `EXISTS (SELECT 1 FROM article WHERE id = ?5 AND revision = ?6 AND status = 'withdrawn')`,
          id,
          revision,
        ),
      ]);
      if (updated?.meta.changes === 0) throw new Raced(`article ${id} changed`);
    },

    async releaseDue(at) {
      // Feeds first: both statements look at the same articles, and the second one takes them out of sight.
      const [, released] = await db.batch([
        db
          .prepare(
            `INSERT INTO feed (scope, version, changedAt)
             SELECT scope, 1, ?1 FROM (
               SELECT '' AS scope FROM article WHERE status = 'scheduled' AND publishedAt <= ?1
               UNION SELECT 'topics/' || t.topic FROM articleTopic t JOIN article a ON a.id = t.articleId
                 WHERE a.status = 'scheduled' AND a.publishedAt <= ?1) WHERE true
             ON CONFLICT (scope) DO UPDATE SET version = version + 1`,
          )
          .bind(at),
        db.prepare(`UPDATE article SET status = 'published' WHERE status = 'scheduled' AND publishedAt <= ?`).bind(at),
      ]);
      return (released?.meta.changes ?? 0) > 0;
    },

    stale: (limit) => many(`SELECT ${ARTICLE_COLUMNS} FROM article a WHERE a.renderedFor <> ?1 LIMIT ?2`, limit),

    async rerender(article, madeFor) {
      await db
        .prepare('UPDATE article SET entry = ?, renderedFor = ? WHERE id = ? AND revision = ?')
        .bind(entryJson(article), madeFor, article.id, article.revision)
        .run();
    },

    unissued: ({ id, topics, order, since }, limit) =>
      many(
        `SELECT ${ARTICLE_COLUMNS} FROM article a WHERE a.status = 'published' AND a.publishedAt >= ?4
         AND NOT EXISTS (SELECT 1 FROM issueArticle i WHERE i.digest = ?2 AND i.articleId = a.id)
         AND (?3 = '[]' OR EXISTS (SELECT 1 FROM articleTopic t
           WHERE t.articleId = a.id AND t.topic IN (SELECT value FROM json_each(?3))))
         ORDER BY a.publishedAt ${order === 'oldest' ? 'ASC' : 'DESC'}, a.id LIMIT ?5`,
        id,
        JSON.stringify(topics),
        since ?? '',
        limit,
      ),

    async topics() {
      const { results } = await db
        .prepare(
          `SELECT t.topic AS slug, count(*) AS articles FROM articleTopic t JOIN article a ON a.id = t.articleId
           WHERE a.status = 'published' GROUP BY t.topic ORDER BY articles DESC, t.topic`,
        )
        .all<{ slug: string; articles: number }>();
      return results;
    },

    async aliasOwners(paths) {
      const { results } = await db
        .prepare(
          `SELECT path, articleId FROM alias WHERE path IN (SELECT value FROM json_each(?1))
           UNION SELECT '/articles/' || slug, id FROM article
             WHERE slug IN (SELECT substr(value, 11) FROM json_each(?1) WHERE substr(value, 1, 10) = '/articles/')`,
        )
        .bind(JSON.stringify(paths))
        .all<{ path: string; articleId: string }>();
      return results;
    },

    async addresses(limit) {
      const { results } = await db
        .prepare(`SELECT slug, updatedAt FROM article WHERE status = 'published' ORDER BY publishedAt DESC, id LIMIT ?`)
        .bind(limit)
        .all<{ slug: string; updatedAt: string }>();
      return results;
    },
  };
}

function upsertArticle(db: D1Database, change: Parameters<ArticleStore['commit']>[0]): D1PreparedStatement {
  const { article } = change;
  return db
    .prepare(
      `INSERT INTO article (id, key, slug, revision, contentHash, status, publishedAt, updatedAt, entry, renderedFor, saidAt)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET slug = excluded.slug, revision = excluded.revision,
         contentHash = excluded.contentHash, status = excluded.status, publishedAt = excluded.publishedAt,
         updatedAt = excluded.updatedAt, entry = excluded.entry, renderedFor = excluded.renderedFor,
         saidAt = excluded.saidAt, withdrawnAt = NULL, withdrawalNote = NULL`,
    )
    .bind(
      article.id,
      change.key,
      article.slug,
      article.revision,
      change.contentHash,
      article.status,
      article.publishedAt,
      article.updatedAt,
      entryJson(article),
      change.renderedFor,
      change.saidAt,
    );
}

/**
 * Marks the feeds that show an article as changed, before it is. What they show is asked inside the transaction, because
 * a tick may have released the article since it was read. Feeds that are not in `kept` lose it, which no entry of theirs
 * can tell: their own date moves.
 */
function touchFeedsShowing(db: D1Database, articleId: string, at: string, kept: string[] = []): D1PreparedStatement {
  return db
    .prepare(
      `UPDATE feed SET version = version + 1,
         changedAt = CASE WHEN scope IN (SELECT value FROM json_each(?3)) THEN changedAt ELSE max(changedAt, ?2) END
       WHERE EXISTS (SELECT 1 FROM article WHERE id = ?1 AND status = 'published')
         AND (scope = '' OR scope IN (SELECT 'topics/' || topic FROM articleTopic WHERE articleId = ?1))`,
    )
    .bind(articleId, at, JSON.stringify(kept));
}
