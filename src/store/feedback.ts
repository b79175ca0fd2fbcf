import type { RateLimits } from '../domain/delivery-ports.ts';
import type { Feedback, FeedbackStore } from '../domain/feedback.ts';
import { SOFT_BOUNCE_SECONDS, SOFT_BOUNCES } from '../domain/feedback.ts';
import { shift } from '../domain/time.ts';
import { pauseOverLimit } from './delivery-record.ts';
import { issueKey } from './issue-key.ts';

type Event = Feedback & { addressHash: string };

interface Found {
  digest: string;
  number: number;
  revision: number;
  subscriberId: string;
}

const ROW = 'digest = ?1 AND number = ?2 AND revision = ?3 AND subscriberId = ?4';

/** What carriers tell of mails they took. Every statement holds what makes a repeat harmless. */
export function feedbackStore(db: D1Database, limits: RateLimits): FeedbackStore {
  return {
    async record(event, at) {
      const row = await find(db, event);
      await db.batch([...ofDelivery(db, event, row, at, limits), ...ofAddress(db, event, at)]);
    },
    async forgetSoftBounces(before) {
      await db.prepare('DELETE FROM softBounce WHERE at < ?').bind(before).run();
    },
  };
}

/** By our own id where the carrier hands it back, since it is there before the carrier's own is written down. */
async function find(db: D1Database, { delivery, providerId }: Event): Promise<Found | undefined> {
  const columns = 'SELECT digest, number, revision, subscriberId FROM delivery';
  const ours = delivery
    ? await db
        .prepare(`${columns} WHERE ${ROW}`)
        .bind(...issueKey(delivery), delivery.subscriberId)
        .first<Found>()
    : null;
  if (ours || providerId === undefined) return ours ?? undefined;
  return (await db.prepare(`${columns} WHERE providerId = ?`).bind(providerId).first<Found>()) ?? undefined;
}

function ofDelivery(
  db: D1Database,
  { kind, detail, at: happenedAt, providerId }: Event,
  row: Found | undefined,
  at: string,
  limits: RateLimits,
): D1PreparedStatement[] {
  if (!row) return [];
  const key = [...issueKey(row), row.subscriberId] as const;
  const count = (column: 'mailed' | 'bounced' | 'complained') =>
    db
      .prepare(
        `UPDATE issue SET ${column} = ${column} + changes() WHERE digest = ?1 AND number = ?2 AND revision = ?3 AND changes() > 0`,
      )
      .bind(...issueKey(row));
  const pause = pauseOverLimit(db, row, limits, at);
  switch (kind) {
    case 'delivered':
      return [
        db
          .prepare(
            `UPDATE delivery SET status = 'sent', leasedUntil = NULL, retryAt = NULL, batch = NULL, sentAt = ?5,
               updatedAt = ?6, providerId = coalesce(?7, providerId)
             WHERE ${ROW} AND status NOT IN ('sent', 'bounced') AND attempts > 0`,
          )
          .bind(...key, happenedAt, at, providerId ?? null),
        count('mailed'),
      ];
    case 'hard_bounce':
    case 'soft_bounce':
      return [
        // Counted as bounced in place of as mailed, so that the two together are the mails there were.
        ...(kind === 'hard_bounce'
          ? [
              db
                .prepare(
                  `UPDATE issue SET mailed = max(mailed - 1, 0) WHERE digest = ?1 AND number = ?2 AND revision = ?3
                   AND EXISTS (SELECT 1 FROM delivery WHERE ${ROW} AND status = 'sent')`,
                )
                .bind(...key),
            ]
          : []),
        db
          .prepare(
            `UPDATE delivery SET status = 'bounced', leasedUntil = NULL, retryAt = NULL, batch = NULL,
               error = coalesce(nullif(?5, ''), error, 'bounced, as the carrier says'), updatedAt = ?6,
               providerId = coalesce(?7, providerId)
             WHERE ${ROW} AND status IN ('queued', 'sending', 'unknown', 'sent') AND attempts > 0`,
          )
          .bind(...key, detail, at, providerId ?? null),
        ...(kind === 'hard_bounce' ? [count('bounced'), pause] : []),
      ];
    case 'complaint':
      return [
        db
          .prepare(`UPDATE delivery SET complainedAt = ?5, updatedAt = ?6 WHERE ${ROW} AND complainedAt IS NULL`)
          .bind(...key, happenedAt, at),
        count('complained'),
        pause,
      ];
    case 'delayed':
      return [
        db
          .prepare(
            `UPDATE delivery SET error = ?5, updatedAt = ?6 WHERE ${ROW} AND status = 'sent' AND error IS NOT ?5`,
          )
          .bind(...key, detail || 'delayed, as the carrier says', at),
      ];
  }
}

function ofAddress(
  db: D1Database,
  { id, kind, addressHash, at: happenedAt }: Event,
  at: string,
): D1PreparedStatement[] {
  const suppress = (reason: string, when = 'true') =>
    db.prepare(
      `INSERT INTO suppression (addressHash, reason, createdAt) SELECT ?1, '${reason}', ?2 WHERE ${when}
       ON CONFLICT DO NOTHING`,
    );
  if (kind === 'hard_bounce' || kind === 'complaint') return [suppress(kind).bind(addressHash, at)];
  if (kind !== 'soft_bounce') return [];
  return [
    db
      .prepare('INSERT INTO softBounce (addressHash, eventId, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
      .bind(addressHash, id, happenedAt),
    suppress(
      'hard_bounce',
      `(SELECT count(*) FROM softBounce WHERE addressHash = ?1 AND at > ?3) >= ${SOFT_BOUNCES}`,
    ).bind(addressHash, at, shift(at, -SOFT_BOUNCE_SECONDS)),
  ];
}
