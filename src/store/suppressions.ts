import type { SuppressionStore } from '../domain/audience-ports.ts';

/** Addresses never to be mailed, known by a keyed hash only, so that erasing a person keeps the promise. */
export function suppressionStore(db: D1Database): SuppressionStore {
  return {
    async add(addressHash, reason, at) {
      await db
        .prepare(
          `INSERT INTO suppression (addressHash, reason, createdAt) VALUES (?, ?, ?)
           ON CONFLICT (addressHash) DO NOTHING`,
        )
        .bind(addressHash, reason, at)
        .run();
    },

    async remove(addressHash) {
      const { meta } = await db.prepare('DELETE FROM suppression WHERE addressHash = ?').bind(addressHash).run();
      return meta.changes > 0;
    },

    async returnOf(subscriberId, how, at) {
      const [, removed] = await db.batch([
        db
          .prepare(
            `INSERT INTO consent (subscriberId, event, way, network, at)
             SELECT p.id, 'returned', ?2, ?3, ?4 FROM subscriber p
             JOIN suppression x ON x.addressHash = p.addressHash WHERE p.id = ?1`,
          )
          .bind(subscriberId, how.way, how.network ?? null, at),
        db
          .prepare('DELETE FROM suppression WHERE addressHash = (SELECT addressHash FROM subscriber WHERE id = ?)')
          .bind(subscriberId),
      ]);
      return (removed?.meta.changes ?? 0) > 0;
    },

    async allowConfirmation(addressHash, at, { since, most }) {
      await db
        .prepare(
          `INSERT INTO confirmationMail (addressHash, sentAt)
           SELECT ?1, ?2 WHERE (SELECT count(*) FROM confirmationMail WHERE addressHash = ?1 AND sentAt > ?3) < ?5
             AND NOT EXISTS (SELECT 1 FROM confirmationMail WHERE addressHash = ?1 AND sentAt > ?4)
             AND NOT EXISTS (SELECT 1 FROM suppression WHERE addressHash = ?1)
           ON CONFLICT DO NOTHING`,
        )
        .bind(addressHash, at, since.day, since.hour, most)
        .run();
      // A job that is done again asks for the same instant, and may.
      const row = await db
        .prepare(
          `SELECT 1 AS allowed FROM confirmationMail m WHERE addressHash = ? AND sentAt = ?
             AND NOT EXISTS (SELECT 1 FROM suppression x WHERE x.addressHash = m.addressHash)`,
        )
        .bind(addressHash, at)
        .first();
      return row !== null;
    },
  };
}
