import type { PersonStore } from '../domain/audience-ports.ts';

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
      const [person, subscriptions, consent, deliveries, addressChanges, confirmationMails] = await db.batch([
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
            `SELECT digest, number, revision, d.status, d.attempts, d.error, d.sentAt, d.complainedAt, d.updatedAt
             FROM issue i CROSS JOIN delivery d USING (digest, number, revision) WHERE d.subscriberId = ?
             ORDER BY d.updatedAt, digest, number, revision`,
          )
          .bind(subscriberId),
        db
          .prepare('SELECT email, requestedAt FROM addressChange WHERE subscriberId = ? ORDER BY requestedAt, id')
          .bind(subscriberId),
        db
          .prepare(
            `SELECT m.sentAt FROM confirmationMail m JOIN subscriber p ON p.addressHash = m.addressHash
             WHERE p.id = ? ORDER BY m.sentAt`,
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
        addressChanges: addressChanges?.results ?? [],
        confirmationMails: confirmationMails?.results ?? [],
      };
    },

    async erase(subscriberId) {
      // Deliveries stay, so that the balance of past issues still holds; without the person their id names nobody. What a
      // transport said of one may hold the address.
      await db.batch([
        db
          .prepare(
            `DELETE FROM outbox WHERE recipient = (SELECT email FROM subscriber WHERE id = ?1)
               OR substr(id, -length(?1) - 1) = '.' || ?1
               OR instr(id, 'confirm-' || ?1 || '-') = 1 OR instr(id, 'address-' || ?1 || '-') = 1`,
          )
          .bind(subscriberId),
        db
          .prepare(
            `UPDATE delivery SET error = NULL, providerId = NULL FROM issue i
             WHERE delivery.digest = i.digest AND delivery.number = i.number AND delivery.revision = i.revision
               AND delivery.subscriberId = ?`,
          )
          .bind(subscriberId),
        db
          .prepare('DELETE FROM confirmationMail WHERE addressHash = (SELECT addressHash FROM subscriber WHERE id = ?)')
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
      const results = await db.batch([
        ...(await replaceUnconfirmed(db, change.subscriberId, addressHash)),
        db
          .prepare(
            `INSERT INTO consent (subscriberId, event, way, network, at)
             SELECT id, 'address_changed', ?2, ?3, ?4 FROM subscriber WHERE id = ?1 AND email <> ?5
               AND NOT EXISTS (SELECT 1 FROM subscriber WHERE addressHash = ?6 AND id <> ?1)`,
          )
          .bind(change.subscriberId, how.way, how.network ?? null, at, change.email, addressHash),
        // The latest word counts: a link that went to yet another address must not take it back.
        db
          .prepare(
            `DELETE FROM addressChange WHERE subscriberId = ?1 AND id <> ?2
             AND NOT EXISTS (SELECT 1 FROM subscriber WHERE addressHash = ?3 AND id <> ?1)`,
          )
          .bind(change.subscriberId, change.id, addressHash),
        // Somebody else's row with that address stays; the change then does nothing.
        db
          .prepare(
            `UPDATE subscriber SET email = ?2, addressHash = ?3 WHERE id = ?1
             AND NOT EXISTS (SELECT 1 FROM subscriber WHERE addressHash = ?3 AND id <> ?1)`,
          )
          .bind(change.subscriberId, change.email, addressHash),
      ]);
      const moved = results.at(-1);
      return (moved?.meta.changes ?? 0) > 0;
    },
  };
}

/**
 * Removes whoever was only asked about that address and never confirmed: its holder just spoke, and anybody could have
 * typed it into the form to keep it from them.
 */
async function replaceUnconfirmed(
  db: D1Database,
  subscriberId: string,
  addressHash: string,
): Promise<D1PreparedStatement[]> {
  const other = await db
    .prepare('SELECT id FROM subscriber WHERE addressHash = ? AND id <> ?')
    .bind(addressHash, subscriberId)
    .first<{ id: string }>();
  if (!other) return [];
  const statements = [
    `DELETE FROM subscription WHERE subscriberId = ?1 AND NOT EXISTS (
       SELECT 1 FROM subscription s WHERE s.subscriberId = ?1 AND (s.status <> 'pending' OR s.unsubscribedAt IS NOT NULL))`,
    'DELETE FROM subscriber WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM subscription s WHERE s.subscriberId = ?1)',
    'DELETE FROM consent WHERE subscriberId = ?1 AND NOT EXISTS (SELECT 1 FROM subscriber p WHERE p.id = ?1)',
  ];
  return statements.map((sql) => db.prepare(sql).bind(other.id));
}
