import type { DeadLetterStore } from '../domain/delivery-ports.ts';

/** Work that was given up, for an operator to look at. */
export function deadLetterStore(db: D1Database): DeadLetterStore {
  return {
    async keep(letters, at) {
      await db
        .prepare(
          `INSERT INTO deadLetter (id, job, at) SELECT value ->> 'id', json(value -> 'job'), ?2 FROM json_each(?1) WHERE true
           ON CONFLICT DO NOTHING`,
        )
        .bind(JSON.stringify(letters), at)
        .run();
    },
    async list(limit) {
      const { results } = await db
        .prepare('SELECT id, job, at FROM deadLetter ORDER BY at DESC, id LIMIT ?')
        .bind(limit)
        .all<{ id: string; job: string; at: string }>();
      return results.map((row) => ({ ...row, job: JSON.parse(row.job) as unknown }));
    },
    async forget(before) {
      await db.prepare('DELETE FROM deadLetter WHERE at < ?').bind(before).run();
    },
  };
}
