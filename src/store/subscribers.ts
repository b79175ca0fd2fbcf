import type { SubscriberStore } from '../domain/ports.ts';
import type { SubscriptionStatus } from '../domain/subscriber.ts';

/** People and what they subscribed to. */
export function subscriberStore(db: D1Database): SubscriberStore {
  return {
    async subscribe({ id, email, addressHash }, digest, at) {
      const [, added] = await db.batch([
        db
          .prepare(
            `INSERT INTO subscriber (id, email, addressHash, createdAt) VALUES (?, ?, ?, ?)
             ON CONFLICT (email) DO NOTHING`,
          )
          .bind(id, email, addressHash, at),
        // Whoever left stays away: an existing row is never made active here.
        db
          .prepare(
            `INSERT INTO subscription (digest, subscriberId, status, createdAt, confirmedAt)
             SELECT ?1, id, 'active', ?3, ?3 FROM subscriber WHERE email = ?2
             ON CONFLICT (digest, subscriberId) DO NOTHING`,
          )
          .bind(digest, email, at),
      ]);
      return (added?.meta.changes ?? 0) > 0;
    },

    async unsubscribe(subscriberId, digest, at) {
      const { meta } = await db
        .prepare(
          `UPDATE subscription SET status = 'unsubscribed', unsubscribedAt = coalesce(unsubscribedAt, ?3)
           WHERE digest = ?1 AND subscriberId = ?2`,
        )
        .bind(digest, subscriberId, at)
        .run();
      return meta.changes > 0;
    },

    async status(subscriberId, digest) {
      const row = await db
        .prepare('SELECT status FROM subscription WHERE digest = ? AND subscriberId = ?')
        .bind(digest, subscriberId)
        .first<{ status: SubscriptionStatus }>();
      return row?.status;
    },

    async audience(digest) {
      const row = await db
        .prepare(
          `SELECT count(*) AS audience FROM subscription s JOIN subscriber p ON p.id = s.subscriberId
           WHERE s.digest = ? AND s.status = 'active'
             AND NOT EXISTS (SELECT 1 FROM suppression x WHERE x.addressHash = p.addressHash)`,
        )
        .bind(digest)
        .first<{ audience: number }>();
      return row?.audience ?? 0;
    },
  };
}
