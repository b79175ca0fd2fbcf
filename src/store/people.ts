import type { PersonStore } from '../domain/ports.ts';

/** What a person may ask of the data held about them: all of it, another address, and to be forgotten. */
export function personStore(db: D1Database): PersonStore {
  return {
    async read(subscriberId) {
      const row = await db
        .prepare(
          `SELECT p.id, p.email, x.reason FROM subscriber p
           LEFT JOIN suppression x ON x.addressHash = p.addressHash WHERE p.id = ?`,
        )
        .bind(subscriberId)
        .first<{ id: string; email: string; reason: string | null }>();
      return row ? { id: row.id, email: row.email, suppressed: row.reason !== null } : undefined;
    },

    async everything(subscriberId) {
      const [person, subscriptions, consent, deliveries] = await db.batch([
        db
          .prepare(
            `SELECT p.email, p.createdAt, x.reason AS suppression FROM subscriber p
             LEFT JOIN suppression x ON x.addressHash = p.addressHash WHERE p.id = ?`,
          )
          .bind(subscriberId),
        db
          .prepare(
            `SELECT digest, status, createdAt, confirmedAt, unsubscribedAt FROM subscription WHERE subscriberId = ?
             ORDER BY digest`,
          )
          .bind(subscriberId),
        db
          .prepare(
            'SELECT event, digest, textVersion, way, network, proof, at FROM consent WHERE subscriberId = ? ORDER BY id',
          )
          .bind(subscriberId),
        db
          .prepare(
            `SELECT digest, number, revision, status, error, updatedAt FROM delivery WHERE subscriberId = ?
             ORDER BY updatedAt, digest, number, revision`,
          )
          .bind(subscriberId),
      ]);
      const [subscriber] = person?.results ?? [];
      if (!subscriber) return undefined;
      return {
        subscriber,
        subscriptions: subscriptions?.results ?? [],
        consent: consent?.results ?? [],
        deliveries: deliveries?.results ?? [],
      };
    },

    async erase(subscriberId) {
      // Deliveries stay, so that the balance of past issues still holds; without the person their id names nobody.
      await db.batch([
        db
          .prepare('DELETE FROM outbox WHERE recipient = (SELECT email FROM subscriber WHERE id = ?)')
          .bind(subscriberId),
        db.prepare('DELETE FROM addressChange WHERE subscriberId = ?').bind(subscriberId),
        db.prepare('DELETE FROM subscription WHERE subscriberId = ?').bind(subscriberId),
        db.prepare('DELETE FROM subscriber WHERE id = ?').bind(subscriberId),
        db.prepare('DELETE FROM consent WHERE subscriberId = ?').bind(subscriberId),
      ]);
    },

    async requestAddress(change, at) {
      await db
        .prepare(
          'INSERT INTO addressChange (id, subscriberId, email, requestedAt) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
        )
        .bind(change.id, change.subscriberId, change.email, at)
        .run();
    },

    async pendingAddress(id) {
      const row = await db
        .prepare('SELECT id, subscriberId, email FROM addressChange WHERE id = ?')
        .bind(id)
        .first<{ id: string; subscriberId: string; email: string }>();
      return row ?? undefined;
    },

    async moveAddress(change, addressHash, how, at) {
      const [, moved] = await db.batch([
        db
          .prepare(
            `INSERT INTO consent (subscriberId, event, way, network, at)
             SELECT id, 'address_changed', ?2, ?3, ?4 FROM subscriber WHERE id = ?1 AND email <> ?5
               AND NOT EXISTS (SELECT 1 FROM subscriber WHERE email = ?5 AND id <> ?1)`,
          )
          .bind(change.subscriberId, how.way, how.network ?? null, at, change.email),
        // Somebody else's row with that address stays; the change then does nothing.
        db
          .prepare(
            `UPDATE subscriber SET email = ?2, addressHash = ?3 WHERE id = ?1
             AND NOT EXISTS (SELECT 1 FROM subscriber WHERE email = ?2 AND id <> ?1)`,
          )
          .bind(change.subscriberId, change.email, addressHash),
      ]);
      return (moved?.meta.changes ?? 0) > 0;
    },
  };
}
