import { MOST_TRIES } from '../domain/delivery.ts';
import type { DeliveryStore, OpenPage, RateLimits } from '../domain/delivery-ports.ts';
import { shift } from '../domain/time.ts';
import { planStep } from './delivery-plan.ts';
import { recordOutcomes } from './delivery-record.ts';
import { ISSUE, issueKey } from './issue-key.ts';

/** Between two looks at an earlier revision that is still in a carrier's hands. */
const WAIT_SECONDS = 30;
const PAGE = `${ISSUE} AND subscriberId > ?4 AND subscriberId <= ?5`;
/** Still in the hands of a carrier with an earlier revision: to be told first what became of that. */
const EARLIER_UNDER_WAY = `EXISTS (SELECT 1 FROM issue e CROSS JOIN delivery o
  ON o.digest = e.digest AND o.number = e.number AND o.revision = e.revision AND o.subscriberId = delivery.subscriberId
  WHERE e.digest = ?1 AND e.number = ?2 AND e.revision < ?3 AND o.status = 'sending')`;
/** The revision that somebody had first: the start of the thread that a correction belongs to. */
const FIRST_REVISION = `(SELECT min(e.revision) FROM issue e CROSS JOIN delivery o
  ON o.digest = e.digest AND o.number = e.number AND o.revision = e.revision AND o.subscriberId = delivery.subscriberId
  WHERE e.digest = ?1 AND e.number = ?2 AND e.revision < ?3 AND o.status IN ('sent', 'unknown'))`;
const DUE = `${PAGE} AND status = 'queued' AND coalesce(retryAt, '') <= ?6`;

/**
 * The ledger: one row per issue revision and subscriber.
 * @param unknown what to do with a mail that may have been accepted: send the same again, or leave it
 */
export function deliveryStore(
  db: D1Database,
  { unknown, limits }: { unknown: 'retry' | 'hold'; limits: RateLimits },
): DeliveryStore {
  return {
    plan: planStep(db),

    async lease({ issue, page }, { at, until, limit, batch }) {
      const page6 = [...issueKey(issue), page.after, page.through, at] as const;
      const results = await db.batch<{
        subscriberId: string;
        email: string;
        attempts: number;
        heldBack: number;
        batch: string;
        firstRevision: number | null;
      }>([
        freeExpired(db, unknown).bind(...page6),
        db
          .prepare(
            `UPDATE delivery SET status = 'unsubscribed', updatedAt = ?6 WHERE ${DUE} AND NOT EXISTS (
               SELECT 1 FROM subscription s WHERE s.digest = ?1 AND s.subscriberId = delivery.subscriberId
                 AND s.status = 'active')`,
          )
          .bind(...page6),
        db
          .prepare(
            `UPDATE delivery SET status = 'suppressed', updatedAt = ?6 WHERE ${DUE} AND EXISTS (
               SELECT 1 FROM subscriber p JOIN suppression x ON x.addressHash = p.addressHash
               WHERE p.id = delivery.subscriberId)`,
          )
          .bind(...page6),
        // What may have been accepted goes first and together, since its idempotency key stands for those very mails.
        db
          .prepare(
            `UPDATE delivery SET status = 'sending', leasedUntil = ?7, attempts = attempts + 1,
               batch = coalesce(batch, ?9), retryAt = NULL, updatedAt = ?6
             WHERE ${ISSUE} AND subscriberId IN (
               SELECT subscriberId FROM delivery WHERE ${DUE} AND NOT ${EARLIER_UNDER_WAY}
                 AND batch IS (SELECT batch FROM delivery WHERE ${DUE} ORDER BY batch IS NULL, batch LIMIT 1)
               ORDER BY subscriberId LIMIT ?8)
               AND EXISTS (SELECT 1 FROM issue WHERE ${ISSUE} AND status IN ('planning', 'sending'))
             RETURNING subscriberId, attempts, heldBack, batch, ${FIRST_REVISION} AS firstRevision,
               (SELECT email FROM subscriber p WHERE p.id = delivery.subscriberId) AS email`,
          )
          .bind(...page6, until, limit, batch),
      ]);
      return (results.at(-1)?.results ?? []).map(({ firstRevision, ...row }) =>
        firstRevision === null ? row : { ...row, firstRevision },
      );
    },

    record: recordOutcomes(db, limits),

    async settle({ issue, page }, at, earliest = at) {
      const key = issueKey(issue);
      const results = await db.batch<{ dueAt: string }>([
        db
          .prepare(
            `DELETE FROM deliveryPage WHERE ${ISSUE} AND through = ?5 AND NOT EXISTS (
               SELECT 1 FROM delivery WHERE ${PAGE} AND status IN ('queued', 'sending'))`,
          )
          .bind(...key, page.after, page.through),
        db
          .prepare(
            `UPDATE issue SET status = 'sent', touchedAt = ?4 WHERE ${ISSUE} AND status = 'sending'
             AND NOT EXISTS (SELECT 1 FROM deliveryPage WHERE ${ISSUE})`,
          )
          .bind(...key, at),
        // One job follows, however many jobs of the page come here. A standing issue needs none. Who waits for the report of an
        // earlier revision is asked for again after a while.
        db
          .prepare(
            `UPDATE deliveryPage SET dueAt = n.dueAt FROM (
               SELECT max(?6, min(coalesce(leasedUntil, retryAt,
                 CASE WHEN ${EARLIER_UNDER_WAY} THEN ?7 ELSE ?6 END))) AS dueAt FROM delivery
               WHERE ${PAGE} AND status IN ('queued', 'sending')) n
             WHERE ${ISSUE} AND through = ?5 AND deliveryPage.dueAt <> n.dueAt
               AND EXISTS (SELECT 1 FROM issue WHERE ${ISSUE} AND status NOT IN ('held', 'paused', 'cancelled'))
             RETURNING deliveryPage.dueAt`,
          )
          .bind(...key, page.after, page.through, earliest, shift(at, WAIT_SECONDS)),
      ]);
      return results.at(-1)?.results[0]?.dueAt;
    },

    async takeOverdue(before, at, limit, of) {
      const { results } = await db
        .prepare(
          `UPDATE deliveryPage SET dueAt = ?2 WHERE (digest, number, revision, through) IN (
             SELECT p.digest, p.number, p.revision, p.through FROM deliveryPage p
             JOIN issue i ON i.digest = p.digest AND i.number = p.number AND i.revision = p.revision
             WHERE p.dueAt < ?1 AND i.status NOT IN ('held', 'paused', 'cancelled')
               AND (?4 IS NULL OR (p.digest = ?4 AND p.number = ?5 AND p.revision = ?6))
             ORDER BY p.dueAt LIMIT ?3)
           RETURNING digest, number, revision, after, through`,
        )
        .bind(before, at, limit, of?.digest ?? null, of?.number ?? null, of?.revision ?? null)
        .all<OpenPage['issue'] & OpenPage['page']>();
      return results.map(({ digest, number, revision, after, through }) => ({
        issue: { digest, number, revision },
        page: { after, through },
      }));
    },
  };
}

/** A consumer that died may have handed its mails over, so the row says so, whatever happens next. */
function freeExpired(db: D1Database, unknown: 'retry' | 'hold'): D1PreparedStatement {
  const again = `attempts - heldBack < ${MOST_TRIES} AND EXISTS (
    SELECT 1 FROM issue WHERE ${ISSUE} AND status IN ('planning', 'sending', 'paused'))`;
  return db.prepare(
    `UPDATE delivery SET leasedUntil = NULL, updatedAt = ?6,
       error = 'the sender stopped before it could record what became of the mail',
       status = CASE WHEN ${unknown === 'retry' ? again : 'false'} THEN 'queued' ELSE 'unknown' END
     WHERE ${PAGE} AND status = 'sending' AND leasedUntil <= ?6`,
  );
}
