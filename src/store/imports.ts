import type { ImportRow, ImportStore } from '../domain/audience-ports.ts';

/** Whoever left and then asked again, or was asked for by somebody else, has left until they confirm. */
const STANDING = `CASE WHEN s.status = 'pending' AND s.unsubscribedAt IS NOT NULL THEN 'unsubscribed' ELSE s.status END`;

/** Subscribers that come from elsewhere, a page at a time. */
export function importStore(db: D1Database): ImportStore {
  return {
    async known(digest, addressHashes) {
      const { results } = await db
        .prepare(
          `SELECT v.value AS addressHash, ${STANDING} AS status, x.reason FROM json_each(?2) v
           LEFT JOIN subscriber p ON p.addressHash = v.value
           LEFT JOIN subscription s ON s.subscriberId = p.id AND s.digest = ?1
           LEFT JOIN suppression x ON x.addressHash = v.value
           ORDER BY coalesce(${STANDING}, '')`,
        )
        .bind(digest, JSON.stringify(addressHashes))
        .all<{ addressHash: string; status: 'pending' | 'active' | 'unsubscribed' | null; reason: string | null }>();
      // Of two people with one mailbox, in other capitals, the strictest comes last and counts.
      return new Map(
        results.map((row) => [row.addressHash, { status: row.status ?? undefined, suppressed: row.reason !== null }]),
      );
    },

    async write(digest, rows, consent, at) {
      const list = JSON.stringify(rows);
      await db.batch([
        db
          .prepare(
            `INSERT INTO subscriber (id, email, addressHash, createdAt)
             SELECT r.value ->> 'id', r.value ->> 'email', r.value ->> 'addressHash',
               coalesce(r.value ->> 'subscribedAt', ?2) FROM json_each(?1) r
             WHERE NOT EXISTS (SELECT 1 FROM subscriber p WHERE p.addressHash = r.value ->> 'addressHash')
             ON CONFLICT (email) DO NOTHING`,
          )
          .bind(list, at),
        db
          .prepare(
            `INSERT INTO suppression (addressHash, reason, createdAt)
             SELECT r.value ->> 'addressHash', r.value ->> 'suppression', ?2 FROM json_each(?1) r
             WHERE r.value ->> 'suppression' IS NOT NULL
             ON CONFLICT (addressHash) DO NOTHING`,
          )
          .bind(list, at),
        // The record first: it tells which of the rows below are changes.
        db
          .prepare(
            `INSERT INTO consent (subscriberId, digest, event, way, proof, at)
             SELECT p.id, ?2, CASE r.value ->> 'status' WHEN 'active' THEN 'imported' ELSE 'unsubscribed' END, 'import',
               coalesce(r.value ->> 'proof', CASE r.value ->> 'status' WHEN 'active' THEN ?3 END), ?4
             FROM json_each(?1) r JOIN subscriber p ON p.addressHash = r.value ->> 'addressHash'
             LEFT JOIN subscription s ON s.digest = ?2 AND s.subscriberId = p.id
             WHERE s.digest IS NULL OR ${STANDING} = 'pending'
               OR (s.status = 'active' AND r.value ->> 'status' = 'unsubscribed')`,
          )
          .bind(list, digest, consent ?? null, at),
        // Whoever left stays away; somebody active leaves when the other service says so.
        db
          .prepare(
            `INSERT INTO subscription (digest, subscriberId, status, createdAt, confirmedAt, unsubscribedAt)
             SELECT ?2, p.id, r.value ->> 'status', coalesce(r.value ->> 'subscribedAt', ?3),
               coalesce(r.value ->> 'confirmedAt', CASE WHEN r.value ->> 'status' = 'active' THEN ?3 END),
               CASE WHEN r.value ->> 'status' = 'unsubscribed' THEN coalesce(r.value ->> 'unsubscribedAt', ?3) END
             FROM json_each(?1) r JOIN subscriber p ON p.addressHash = r.value ->> 'addressHash' WHERE true
             ON CONFLICT (digest, subscriberId) DO UPDATE SET status = excluded.status,
               confirmedAt = coalesce(subscription.confirmedAt, excluded.confirmedAt),
               unsubscribedAt = excluded.unsubscribedAt
             WHERE (subscription.status = 'pending' AND subscription.unsubscribedAt IS NULL)
               OR (subscription.status = 'active' AND excluded.status = 'unsubscribed')`,
          )
          .bind(list, digest, at),
      ]);
    },

    async page(digest, after, limit) {
      const { results } = await db
        .prepare(
          `SELECT s.subscriberId, p.email, s.status, x.reason, s.createdAt, s.confirmedAt,
             coalesce(s.unsubscribedAt, x.createdAt) AS unsubscribedAt,
             (SELECT coalesce(c.proof, 'confirmed ' || c.at || ', way: ' || c.way) FROM consent c
              WHERE c.subscriberId = s.subscriberId AND c.digest = s.digest
                AND (c.proof IS NOT NULL OR c.event = 'confirmed') ORDER BY c.id DESC LIMIT 1) AS proof
           FROM subscription s JOIN subscriber p ON p.id = s.subscriberId
           LEFT JOIN suppression x ON x.addressHash = p.addressHash
           WHERE s.digest = ? AND s.subscriberId > ? AND ${STANDING} <> 'pending' ORDER BY s.subscriberId LIMIT ?`,
        )
        .bind(digest, after, limit)
        .all<Record<string, string | null>>();
      return results.map(toRow);
    },
  };
}

function toRow(row: Record<string, string | null>): ImportRow & { subscriberId: string } {
  const optional = (name: string, value: string | null | undefined) => (value == null ? {} : { [name]: value });
  return {
    subscriberId: row.subscriberId ?? '',
    email: row.email ?? '',
    status: statusOf(row.status, row.reason),
    ...optional('subscribedAt', row.createdAt),
    ...optional('confirmedAt', row.confirmedAt),
    ...optional('unsubscribedAt', row.unsubscribedAt),
    ...optional('proof', row.proof),
  };
}

function statusOf(status: string | null | undefined, reason: string | null | undefined): ImportRow['status'] {
  if (reason === 'hard_bounce') return 'bounced';
  if (reason === 'complaint') return 'complained';
  return status === 'active' && reason == null ? 'active' : 'unsubscribed';
}
