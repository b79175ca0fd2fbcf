import type { FeedDocument, FeedSource, FeedStore, StoredArticle } from '../domain/content-ports.ts';
import { FEED_FORMATS } from '../domain/feed.ts';
import { ARTICLE_COLUMNS, toStoredArticle } from './articles.ts';

const DOCUMENTS_PER_FEED = Object.keys(FEED_FORMATS).length;

type ArticleRow = Parameters<typeof toStoredArticle>[0];

/** Feeds, and the documents made of them. */
export function feedStore(db: D1Database, renderedFor: string): FeedStore {
  return {
    async document(path, known = '') {
      const row = await db
        .prepare(
          `SELECT path, scope, CASE WHEN instr(?2, substr(etag, 3)) > 0 THEN '' ELSE body END AS body, etag,
             lastModified, contentType, link, version, madeBy FROM feedDocument WHERE path = ?1`,
        )
        .bind(path, known)
        .first<FeedDocument>();
      return row ?? undefined;
    },

    async stale(madeBy, limit) {
      const { results } = await db
        .prepare(
          `SELECT f.scope FROM feed f WHERE ?1 > (
             SELECT count(*) FROM feedDocument d WHERE d.scope = f.scope AND d.version >= f.version AND d.madeBy = ?2)
           ORDER BY f.scope LIMIT ?3`,
        )
        .bind(DOCUMENTS_PER_FEED, madeBy, limit)
        .all<{ scope: string }>();
      return results.map((row) => row.scope);
    },

    async sources(scopes, limit) {
      const [feeds, ...lists] = await db.batch([
        db
          .prepare('SELECT scope, version, changedAt FROM feed WHERE scope IN (SELECT value FROM json_each(?))')
          .bind(JSON.stringify(scopes)),
        ...scopes.map((scope) => listedIds(db, scope, limit)),
      ]);
      const ids = lists.map((list) => (list.results as { id: string }[]).map((row) => row.id));
      // Read later than the versions above: it may show more than they say, never less, and is then made again.
      const articles = await byId(db, renderedFor, [...new Set(ids.flat())]);
      return {
        feeds: (feeds?.results ?? []) as FeedSource[],
        articles: new Map(scopes.map((scope, index) => [scope, pick(articles, ids[index] ?? [])])),
      };
    },

    async put(documents) {
      if (documents.length === 0) return [];
      const [before] = await db.batch([
        db
          .prepare('SELECT path, etag FROM feedDocument WHERE path IN (SELECT value FROM json_each(?))')
          .bind(JSON.stringify(documents.map(({ path }) => path))),
        ...documents.map((document) => upsert(db, document)),
      ]);
      const etags = new Map(
        ((before?.results ?? []) as { path: string; etag: string }[]).map(({ path, etag }) => [path, etag]),
      );
      return documents.filter(({ path, etag }) => etags.get(path) !== etag);
    },
  };
}

function listedIds(db: D1Database, scope: string, limit: number): D1PreparedStatement {
  const topic = /^topics\/(.+)$/.exec(scope)?.[1];
  const order = 'ORDER BY a.publishedAt DESC, a.id LIMIT ?1';
  return topic === undefined
    ? db.prepare(`SELECT a.id FROM article a WHERE a.status = 'published' ${order}`).bind(limit)
    : db
        .prepare(
          `SELECT a.id FROM articleTopic t JOIN article a ON a.id = t.articleId
           WHERE t.topic = ?2 AND a.status = 'published' ${order}`,
        )
        .bind(limit, topic);
}

async function byId(db: D1Database, renderedFor: string, ids: string[]): Promise<Map<string, StoredArticle>> {
  const { results } = await db
    .prepare(
      `SELECT ${ARTICLE_COLUMNS} FROM article a
       WHERE a.id IN (SELECT value FROM json_each(?2)) AND a.status = 'published'`,
    )
    .bind(renderedFor, JSON.stringify(ids))
    .all<ArticleRow>();
  return new Map(results.map((row) => [row.id, toStoredArticle(row)]));
}

function pick(articles: Map<string, StoredArticle>, ids: string[]): StoredArticle[] {
  return ids.flatMap((id) => articles.get(id) ?? []);
}

function upsert(db: D1Database, document: FeedDocument): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO feedDocument (path, scope, body, etag, lastModified, contentType, link, version, madeBy)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (path) DO UPDATE SET body = excluded.body, etag = excluded.etag,
         lastModified = CASE WHEN excluded.etag = feedDocument.etag THEN feedDocument.lastModified
           ELSE max(excluded.lastModified, feedDocument.lastModified + 1) END, contentType = excluded.contentType, link = excluded.link,
         version = excluded.version, madeBy = excluded.madeBy
       WHERE excluded.version >= feedDocument.version`,
    )
    .bind(
      document.path,
      document.scope,
      document.body,
      document.etag,
      document.lastModified,
      document.contentType,
      document.link,
      document.version,
      document.madeBy,
    );
}
