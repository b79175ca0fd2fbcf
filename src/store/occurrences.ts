import type { OccurrenceRecord, OccurrenceStore } from '../domain/content-ports.ts';
import { shift } from '../domain/time.ts';

/** A claimant that has not closed its occurrence by then has died, and another one composes. */
const CLAIM_SECONDS = 240;

/** Due instants of digests, and what became of each. */
export function occurrenceStore(db: D1Database): OccurrenceStore {
  return {
    async recordedThrough(digest) {
      // An open claim counts as not yet recorded: it is taken over when its time is up.
      const row = await db
        .prepare(
          `SELECT max(w.since, coalesce((SELECT max(o.at) FROM occurrence o
             WHERE o.digest = w.digest AND o.status <> 'claimed'), '')) AS at
           FROM digestWatch w WHERE w.digest = ?`,
        )
        .bind(digest)
        .first<{ at: string }>();
      return row?.at;
    },

    async claim(digest, at, now) {
      const { meta } = await db
        .prepare(
          `INSERT INTO occurrence (digest, at, status, claimedAt) VALUES (?1, ?2, 'claimed', ?3)
           ON CONFLICT (digest, at) DO UPDATE SET claimedAt = excluded.claimedAt
           WHERE occurrence.status = 'claimed' AND occurrence.claimedAt <= ?4`,
        )
        .bind(digest, at, now, shift(now, -CLAIM_SECONDS))
        .run();
      return meta.changes > 0;
    },

    async close(digest, instants, status, reason, now) {
      await db
        .prepare(
          `INSERT INTO occurrence (digest, at, status, reason, claimedAt)
           SELECT ?1, value, ?3, ?4, ?5 FROM json_each(?2) WHERE true
           ON CONFLICT (digest, at) DO UPDATE SET status = excluded.status, reason = excluded.reason
           WHERE occurrence.status = 'claimed'`,
        )
        .bind(digest, JSON.stringify(instants), status, reason, now)
        .run();
    },

    async list(digest, limit) {
      const { results } = await db
        .prepare('SELECT at, status, reason, issueNumber FROM occurrence WHERE digest = ? ORDER BY at DESC LIMIT ?')
        .bind(digest, limit)
        .all<{ at: string; status: OccurrenceRecord['status']; reason: string | null; issueNumber: number | null }>();
      return results.map(({ reason, issueNumber, ...row }) => ({
        ...row,
        ...(reason === null ? {} : { reason }),
        ...(issueNumber === null ? {} : { issueNumber }),
      }));
    },
  };
}
