import type { IssueReference } from '../domain/answer.ts';
import type { DeliveryStore } from '../domain/audience-ports.ts';
import type { DeliveryBalance, DeliveryStatus, LeasedDelivery } from '../domain/delivery.ts';

const ISSUE = 'digest = ?1 AND number = ?2 AND revision = ?3';
const OPEN = `(status = 'queued' OR (status = 'sending' AND leasedUntil <= ?4))`;

function key(issue: IssueReference): [string, number, number] {
  return [issue.digest, issue.number, issue.revision];
}

/** The ledger: one row per issue revision and subscriber. */
export function deliveryStore(db: D1Database): DeliveryStore {
  return {
    async planPage(issue, size, at) {
      const next = await nextSubscribers(db, issue, size);
      const last = next.ids.at(-1);
      if (last === undefined) {
        await endPlanning(db, issue, at);
        return undefined;
      }
      await db.batch([
        db
          .prepare(
            `INSERT INTO delivery (id, digest, number, revision, subscriberId, status, updatedAt)
             SELECT lower(hex(randomblob(16))), ?1, ?2, ?3, s.subscriberId, 'queued', ?4
             FROM subscription s JOIN subscriber p ON p.id = s.subscriberId
             WHERE s.digest = ?1 AND s.subscriberId > ?5 AND s.subscriberId <= ?6 AND s.status = 'active'
               AND NOT EXISTS (SELECT 1 FROM suppression x WHERE x.addressHash = p.addressHash)
               AND EXISTS (SELECT 1 FROM issue WHERE ${ISSUE} AND status = 'planning')
             ON CONFLICT (digest, number, revision, subscriberId) DO NOTHING`,
          )
          .bind(...key(issue), at, next.after, last),
        db
          .prepare(
            `UPDATE issue SET plannedThrough = max(plannedThrough, ?5), touchedAt = ?4 WHERE ${ISSUE} AND status = 'planning'`,
          )
          .bind(...key(issue), at, last),
      ]);
      return { after: next.after, through: last };
    },

    async lease(issue, { after, through }, at, until) {
      const { results } = await db
        .prepare(
          `UPDATE delivery SET status = 'sending', leasedUntil = ?7, attempts = attempts + 1, updatedAt = ?4
           WHERE ${ISSUE} AND subscriberId > ?5 AND subscriberId <= ?6 AND ${OPEN}
             AND EXISTS (SELECT 1 FROM issue WHERE ${ISSUE} AND status IN ('planning', 'sending'))
           RETURNING id, subscriberId`,
        )
        .bind(...key(issue), at, after, through, until)
        .all<{ id: string; subscriberId: string }>();
      return withAddress(db, issue, results, at);
    },

    async record(outcomes, at) {
      await db
        .prepare(
          `UPDATE delivery SET status = o.status, error = o.error, leasedUntil = NULL, updatedAt = ?2
           FROM (SELECT value ->> 'id' AS id, value ->> 'status' AS status, value ->> 'error' AS error
                 FROM json_each(?1)) o
           WHERE delivery.id = o.id AND delivery.status IN ('sending', 'unknown')`,
        )
        .bind(JSON.stringify(outcomes), at)
        .run();
    },

    async finish(issue, at) {
      await db
        .prepare(
          `UPDATE issue SET touchedAt = ?4, status = CASE WHEN EXISTS (
               SELECT 1 FROM delivery WHERE ${ISSUE} AND status IN ('queued', 'sending')) THEN status ELSE 'sent' END
           WHERE ${ISSUE} AND status = 'sending'`,
        )
        .bind(...key(issue), at)
        .run();
    },

    async balance(issue) {
      const { results } = await db
        .prepare(`SELECT status, count(*) AS count FROM delivery WHERE ${ISSUE} GROUP BY status`)
        .bind(...key(issue))
        .all<{ status: DeliveryStatus; count: number }>();
      return Object.fromEntries(results.map((row) => [row.status, row.count])) satisfies DeliveryBalance;
    },

    async leftovers(issue, size, at) {
      const { results } = await db
        .prepare(`SELECT subscriberId FROM delivery WHERE ${ISSUE} AND ${OPEN} ORDER BY subscriberId LIMIT 10000`)
        .bind(...key(issue), at)
        .all<{ subscriberId: string }>();
      return pages(
        results.map((row) => row.subscriberId),
        size,
      );
    },
  };
}

/** The next subscriptions by key, whatever their state: a page whose people all left is a page, not the end. */
async function nextSubscribers(db: D1Database, issue: IssueReference, size: number) {
  const planned = await db
    .prepare(`SELECT plannedThrough AS after FROM issue WHERE ${ISSUE} AND status = 'planning'`)
    .bind(...key(issue))
    .first<{ after: string }>();
  if (!planned) return { after: '', ids: [] };
  const { results } = await db
    .prepare(
      'SELECT subscriberId FROM subscription WHERE digest = ? AND subscriberId > ? ORDER BY subscriberId LIMIT ?',
    )
    .bind(issue.digest, planned.after, size)
    .all<{ subscriberId: string }>();
  return { after: planned.after, ids: results.map((row) => row.subscriberId) };
}

/** All deliveries are written; how far planning came, which is a subscriber's id, is not kept. */
async function endPlanning(db: D1Database, issue: IssueReference, at: string): Promise<void> {
  await db
    .prepare(
      `UPDATE issue SET status = 'sending', plannedThrough = '', touchedAt = ?4 WHERE ${ISSUE} AND status = 'planning'`,
    )
    .bind(...key(issue), at)
    .run();
}

/** Re-reads each person at the moment of sending; who left or was suppressed since planning gets nothing. */
async function withAddress(
  db: D1Database,
  issue: IssueReference,
  leased: { id: string; subscriberId: string }[],
  at: string,
): Promise<LeasedDelivery[]> {
  if (leased.length === 0) return [];
  const ids = JSON.stringify(leased.map((row) => row.id));
  const [, , ready] = await db.batch<LeasedDelivery>([
    refuse(
      db,
      ids,
      at,
      'unsubscribed',
      `NOT EXISTS (SELECT 1 FROM subscription s WHERE s.digest = ?3
        AND s.subscriberId = delivery.subscriberId AND s.status = 'active')`,
      issue.digest,
    ),
    refuse(
      db,
      ids,
      at,
      'suppressed',
      `EXISTS (SELECT 1 FROM subscriber p JOIN suppression x
        ON x.addressHash = p.addressHash WHERE p.id = delivery.subscriberId)`,
    ),
    db
      .prepare(
        `SELECT d.id, d.subscriberId, p.email FROM delivery d JOIN subscriber p ON p.id = d.subscriberId
         WHERE d.id IN (SELECT value FROM json_each(?)) AND d.status = 'sending' ORDER BY d.subscriberId`,
      )
      .bind(ids),
  ]);
  return ready?.results ?? [];
}

function refuse(db: D1Database, ids: string, at: string, status: DeliveryStatus, where: string, ...values: string[]) {
  return db
    .prepare(
      `UPDATE delivery SET status = '${status}', leasedUntil = NULL, updatedAt = ?2
       WHERE id IN (SELECT value FROM json_each(?1)) AND status = 'sending' AND ${where}`,
    )
    .bind(ids, at, ...values);
}

function pages(ids: string[], size: number): { after: string; through: string }[] {
  const found: { after: string; through: string }[] = [];
  for (let start = 0, after = ''; start < ids.length; start += size) {
    const through = ids[Math.min(start + size, ids.length) - 1] ?? '';
    found.push({ after, through });
    after = through;
  }
  return found;
}
