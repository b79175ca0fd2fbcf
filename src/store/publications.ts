import type { PublicationStore } from '../domain/content-ports.ts';
import { commit, keepAnswer } from './batch.ts';

/** The publication's one row. */
export function publicationStore(db: D1Database): PublicationStore {
  return {
    async read() {
      const row = await db
        .prepare('SELECT id, settings, contentHash FROM publication')
        .first<{ id: string; settings: string; contentHash: string }>();
      return row ? { ...row, settings: JSON.parse(row.settings) } : undefined;
    },

    async commit({ id, settings, contentHash, at }, answer) {
      await commit(db, [
        db
          .prepare(
            `INSERT INTO publication (one, id, settings, contentHash, updatedAt) VALUES (1, ?, ?, ?, ?)
             ON CONFLICT (one) DO UPDATE SET settings = excluded.settings, contentHash = excluded.contentHash,
               updatedAt = excluded.updatedAt`,
          )
          .bind(id, JSON.stringify(settings), contentHash, at),
        // Title, language, author and hubs stand in every feed.
        db
          .prepare(
            `INSERT INTO feed (scope, version, changedAt)
             SELECT value, 1, ?2 FROM json_each(?1) WHERE true
             ON CONFLICT (scope) DO NOTHING`,
          )
          .bind(JSON.stringify(['', 'issues', ...settings.topics.map((topic) => `topics/${topic.slug}`)]), at),
        db.prepare('UPDATE feed SET version = version + 1, changedAt = max(changedAt, ?)').bind(at),
        // A digest that comes back later was not watched meanwhile.
        db
          .prepare('DELETE FROM digestWatch WHERE digest NOT IN (SELECT value FROM json_each(?))')
          .bind(JSON.stringify(settings.digests.map((digest) => digest.id))),
        ...settings.digests.map((digest) =>
          db
            .prepare(
              `INSERT INTO digestWatch (digest, schedule, since) VALUES (?, ?, ?)
               ON CONFLICT (digest) DO UPDATE SET schedule = excluded.schedule, since = excluded.since
               WHERE digestWatch.schedule <> excluded.schedule`,
            )
            .bind(digest.id, JSON.stringify(digest.schedule), at),
        ),
        keepAnswer(db, answer),
      ]);
    },
  };
}
