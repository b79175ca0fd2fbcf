import type { Manner, SubscriptionState, SubscriptionStore } from '../domain/audience-ports.ts';
import type { SubscriptionStatus } from '../domain/subscriber.ts';

/** Subscriptions and the consent behind each: every change writes its line of the record in the same transaction. */
export function subscriptionStore(db: D1Database): SubscriptionStore {
  return {
    async request({ id, email, addressHash }, digests, how, at) {
      const list = JSON.stringify(digests);
      await db.batch([
        db
          .prepare(
            `INSERT INTO subscriber (id, email, addressHash, createdAt)
             SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS (SELECT 1 FROM subscriber WHERE addressHash = ?3)
             ON CONFLICT (email) DO NOTHING`,
          )
          .bind(id, email, addressHash, at),
        // An active subscription stays one; whoever left may ask again, and confirms again. That they left stays noted
        // until then, because anybody can type an address.
        db
          .prepare(
            `INSERT INTO subscription (digest, subscriberId, status, createdAt)
             SELECT d.value, p.id, 'pending', ?3 FROM json_each(?1) d JOIN subscriber p ON p.id = ${holder('?2')}
             WHERE ${notRequested('?3')}
             ON CONFLICT (digest, subscriberId) DO UPDATE SET status = 'pending', createdAt = excluded.createdAt
               WHERE subscription.status <> 'active'`,
          )
          .bind(list, addressHash, at),
        consentWhere(db, 'requested', how, at, {
          from: `json_each(?6) d JOIN subscriber p ON p.id = ${holder('?7')}
                 JOIN subscription s ON s.subscriberId = p.id AND s.digest = d.value`,
          digest: 'd.value',
          subscriber: 'p.id',
          where: `s.status = 'pending' AND ${notRequested('?5')}`,
          values: [list, addressHash],
        }),
      ]);
      return stateOf(db, addressHash);
    },

    async confirm(subscriberId, digests, how, at) {
      const pending = { digests, subscriberId, where: `s.status = 'pending'` };
      await db.batch([consentFor(db, 'confirmed', how, at, pending), setStatus(db, 'active', pending, at)]);
      return statuses(db, subscriberId);
    },

    async choose(subscriberId, wanted, unwanted, how, at) {
      const joining = { digests: wanted, subscriberId, where: `s.status <> 'active'` };
      const leaving = { digests: unwanted, subscriberId, where: `s.status <> 'unsubscribed'` };
      await db.batch([
        db
          .prepare(
            `INSERT INTO subscription (digest, subscriberId, status, createdAt)
             SELECT d.value, p.id, 'pending', ?3 FROM json_each(?1) d JOIN subscriber p ON p.id = ?2 WHERE true
             ON CONFLICT (digest, subscriberId) DO NOTHING`,
          )
          .bind(JSON.stringify(wanted), subscriberId, at),
        consentFor(db, 'confirmed', how, at, joining),
        setStatus(db, 'active', joining, at),
        consentFor(db, 'unsubscribed', how, at, leaving),
        setStatus(db, 'unsubscribed', leaving, at),
      ]);
    },

    async unsubscribe(subscriberId, digests, how, at) {
      const leaving = { digests, subscriberId, where: `s.status <> 'unsubscribed'` };
      await db.batch([consentFor(db, 'unsubscribed', how, at, leaving), setStatus(db, 'unsubscribed', leaving, at)]);
    },

    statuses: (subscriberId) => statuses(db, subscriberId),

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

    async forgetUnconfirmed(before) {
      const { results } = await db
        .prepare(
          // With DISTINCT it would read all subscriptions in place of the index of those that wait.
          `SELECT subscriberId AS id FROM subscription WHERE status = 'pending' AND createdAt < ? LIMIT ${FORGOTTEN_AT_ONCE}`,
        )
        .bind(before)
        .all<{ id: string }>();
      const ids = JSON.stringify([...new Set(results.map(({ id }) => id))]);
      await db.batch([
        ...(results.length > 0 ? forget(db, ids, before) : []),
        // Counted by the day, and `before` is weeks ago: no hash of an address is kept longer than it is of use.
        db
          .prepare(`DELETE FROM confirmationMail WHERE sentAt < strftime('%Y-%m-%dT%H:%M:%SZ', ?, '+28 days')`)
          .bind(before),
        db.prepare('DELETE FROM addressChange WHERE requestedAt < ?').bind(before),
      ]);
    },
  };
}

/**
 * Whose address it is, whatever its capitals: the hash is of one spelling (platform/hashes.ts). Of two people from before that was
 * so, the first.
 */
function holder(addressHash: string): string {
  return `(SELECT h.id FROM subscriber h WHERE h.addressHash = ${addressHash} ORDER BY h.createdAt, h.id LIMIT 1)`;
}

/** People whom one call of forgetUnconfirmed looks at; the next tick finds the others. */
const FORGOTTEN_AT_ONCE = 1000;

/** A job that is done again finds its own line in the record, and must not undo what was done since. */
function notRequested(at: string): string {
  return `NOT EXISTS (SELECT 1 FROM consent c
    WHERE c.subscriberId = p.id AND c.digest = d.value AND c.event = 'requested' AND c.at = ${at})`;
}

/** Ends what people did not confirm: who had left before has left, who was never here is deleted with the record. */
function forget(db: D1Database, ids: string, before: string): D1PreparedStatement[] {
  const among = (column: string) => `${column} IN (SELECT value FROM json_each(?1))`;
  const stale = `${among('subscriberId')} AND status = 'pending' AND createdAt < ?2`;
  return [
    db
      .prepare(`UPDATE subscription SET status = 'unsubscribed' WHERE ${stale} AND unsubscribedAt IS NOT NULL`)
      .bind(ids, before),
    db.prepare(`DELETE FROM subscription WHERE ${stale}`).bind(ids, before),
    db
      .prepare(
        `DELETE FROM subscriber WHERE ${among('id')}
         AND NOT EXISTS (SELECT 1 FROM subscription s WHERE s.subscriberId = subscriber.id)`,
      )
      .bind(ids),
    db
      .prepare(
        `DELETE FROM consent WHERE ${among('subscriberId')}
         AND NOT EXISTS (SELECT 1 FROM subscriber p WHERE p.id = consent.subscriberId)`,
      )
      .bind(ids),
  ];
}

interface Selection {
  digests: string[];
  subscriberId: string;
  /** Which of those subscriptions, `s`. */
  where: string;
}

/** The record's lines for the subscriptions that a statement after it will change; so it comes first in the batch. */
function consentFor(
  db: D1Database,
  event: string,
  how: Manner,
  at: string,
  { digests, subscriberId, where }: Selection,
) {
  return consentWhere(db, event, how, at, {
    from: 'subscription s',
    digest: 's.digest',
    subscriber: 's.subscriberId',
    where: `s.subscriberId = ?7 AND s.digest IN (SELECT value FROM json_each(?6)) AND ${where}`,
    values: [JSON.stringify(digests), subscriberId],
  });
}

function consentWhere(
  db: D1Database,
  event: string,
  how: Manner,
  at: string,
  select: { from: string; digest: string; subscriber: string; where: string; values: [string, string] },
): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO consent (subscriberId, digest, event, textVersion, way, network, proof, at)
       SELECT ${select.subscriber}, ${select.digest}, '${event}', ?1, ?2, ?3, ?4, ?5
       FROM ${select.from} WHERE ${select.where}`,
    )
    .bind(how.textVersion ?? null, how.way, how.network ?? null, how.proof ?? null, at, ...select.values);
}

function setStatus(
  db: D1Database,
  status: SubscriptionStatus,
  { digests, subscriberId, where }: Selection,
  at: string,
): D1PreparedStatement {
  const stamp = status === 'active' ? 'confirmedAt = ?3, unsubscribedAt = NULL' : 'unsubscribedAt = ?3';
  return db
    .prepare(
      `UPDATE subscription AS s SET status = '${status}', ${stamp}
       WHERE s.subscriberId = ?2 AND s.digest IN (SELECT value FROM json_each(?1)) AND ${where}`,
    )
    .bind(JSON.stringify(digests), subscriberId, at);
}

async function statuses(db: D1Database, subscriberId: string): Promise<Map<string, SubscriptionStatus>> {
  const { results } = await db
    .prepare('SELECT digest, status FROM subscription WHERE subscriberId = ?')
    .bind(subscriberId)
    .all<{ digest: string; status: SubscriptionStatus }>();
  return new Map(results.map(({ digest, status }) => [digest, status]));
}

async function stateOf(db: D1Database, addressHash: string): Promise<SubscriptionState | undefined> {
  const [people, subscriptions] = await db.batch([
    db
      .prepare(
        `SELECT p.id, p.email, x.reason FROM subscriber p LEFT JOIN suppression x ON x.addressHash = p.addressHash
         WHERE p.id = ${holder('?')}`,
      )
      .bind(addressHash),
    db
      .prepare(
        `SELECT s.digest FROM subscription s JOIN subscriber p ON p.id = s.subscriberId
         WHERE p.id = ${holder('?')} AND s.status = 'pending' ORDER BY s.digest`,
      )
      .bind(addressHash),
  ]);
  const person = people?.results[0] as { id: string; email: string; reason: string | null } | undefined;
  if (!person) return undefined;
  return {
    subscriberId: person.id,
    email: person.email,
    suppressed: person.reason !== null,
    pending: ((subscriptions?.results ?? []) as { digest: string }[]).map(({ digest }) => digest),
  };
}
