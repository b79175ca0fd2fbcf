import type { IssueReference } from '../domain/answer.ts';
import type { DeliveryOutcome } from '../domain/delivery.ts';
import type { DeliveryStore, RateLimits } from '../domain/delivery-ports.ts';
import { ISSUE, issueKey } from './issue-key.ts';

/** Fewer mails than this say nothing about a rate. */
const LEAST_MAILED = 100;
/** One bounce or complaint is bad luck. */
const LEAST_EVENTS = 2;

/** Writes down what became of leased deliveries, in one transaction with all that follows from it. */
export function recordOutcomes(db: D1Database, limits: RateLimits): DeliveryStore['record'] {
  return async (issue, outcomes, at) => {
    const sent = outcomes.filter(({ status }) => status === 'sent');
    const others = outcomes.filter(({ status }) => status !== 'sent');
    await db.batch([
      ...(sent.length > 0 ? recordSent(db, issue, sent, at) : []),
      ...(others.length > 0 ? recordOthers(db, issue, others, at) : []),
      ...(others.some(({ status }) => status === 'bounced') ? recordBounces(db, issue, others, at) : []),
      // Also when nothing bounced just now: so far, there may have been too few mails for a rate.
      pauseOverLimit(db, issue, limits, at),
    ]);
  };
}

/**
 * The outcomes, bound as the fifth value, and the row of each. SQLite walks a join's list outside and looks the rows up by their
 * key only where it cannot read all rows of the issue first: so the list is kept whole (LIMIT) and names a column of the key.
 */
const OUTCOMES = '(SELECT ?1 AS ofDigest, value FROM json_each(?5) LIMIT -1)';
const ROW_OF_OUTCOME = `digest = o.ofDigest AND number = ?2 AND revision = ?3 AND subscriberId = o.value ->> 'subscriberId'`;

/** An acceptance is the truth, also when the lease was lost meanwhile. */
function recordSent(db: D1Database, issue: IssueReference, sent: DeliveryOutcome[], at: string) {
  return [
    db
      .prepare(
        `UPDATE delivery SET status = 'sent', leasedUntil = NULL, retryAt = NULL, batch = NULL, sentAt = ?4, updatedAt = ?4,
           providerId = coalesce(o.value ->> 'providerId', providerId)
         FROM ${OUTCOMES} o WHERE ${ROW_OF_OUTCOME} AND status NOT IN ('sent', 'bounced')`,
      )
      .bind(...issueKey(issue), at, JSON.stringify(sent)),
    db
      .prepare(`UPDATE issue SET mailed = mailed + changes(), touchedAt = ?4 WHERE ${ISSUE}`)
      .bind(...issueKey(issue), at),
  ];
}

/** That a mail was not accepted can only be said of the latest attempt. What is not to be sent any more is not queued again. */
function recordOthers(db: D1Database, issue: IssueReference, others: DeliveryOutcome[], at: string) {
  return [
    db
      .prepare(
        `UPDATE delivery SET leasedUntil = NULL, updatedAt = ?4,
           status = CASE o.value ->> 'status' WHEN 'queued' THEN CASE i.status
             WHEN 'cancelled' THEN 'cancelled' WHEN 'superseded' THEN 'superseded' ELSE 'queued' END
             ELSE o.value ->> 'status' END,
           error = coalesce(o.value ->> 'error', error),
           retryAt = o.value ->> 'retryAt',
           heldBack = heldBack + coalesce(o.value ->> 'heldBack', 0),
           batch = CASE WHEN o.value ->> 'sameBatch' THEN batch END
         FROM ${OUTCOMES} o CROSS JOIN (SELECT status FROM issue WHERE ${ISSUE}) i
         WHERE ${ROW_OF_OUTCOME} AND delivery.status IN ('sending', 'unknown')
           AND attempts = o.value ->> 'attempts'`,
      )
      .bind(...issueKey(issue), at, JSON.stringify(others)),
  ];
}

function recordBounces(db: D1Database, issue: IssueReference, others: DeliveryOutcome[], at: string) {
  const ids = JSON.stringify(
    others.flatMap(({ status, subscriberId }) => (status === 'bounced' ? [subscriberId] : [])),
  );
  return [
    db
      .prepare(
        // Those of another attempt's lease were not written down just now, and are not counted.
        `UPDATE issue SET bounced = bounced + (
           SELECT count(*) FROM ${OUTCOMES} o CROSS JOIN delivery d WHERE d.digest = o.ofDigest AND d.number = ?2
             AND d.revision = ?3 AND d.subscriberId = o.value ->> 'subscriberId'
             AND d.attempts = o.value ->> 'attempts' AND d.status = 'bounced' AND o.value ->> 'status' = 'bounced')
         WHERE ${ISSUE} AND ?4 IS NOT NULL`,
      )
      .bind(...issueKey(issue), at, JSON.stringify(others)),
    db
      .prepare(
        `INSERT INTO suppression (addressHash, reason, createdAt)
         SELECT DISTINCT addressHash, 'hard_bounce', ?2 FROM subscriber WHERE id IN (SELECT value FROM json_each(?1))
         ON CONFLICT DO NOTHING`,
      )
      .bind(ids, at),
  ];
}

/** Pauses an issue of which too many mails bounced or were called spam, and says why. */
export function pauseOverLimit(
  db: D1Database,
  issue: IssueReference,
  { bouncePercent, complaintPercent }: RateLimits,
  at: string,
): D1PreparedStatement {
  const over = (count: string, limit: string) =>
    `${count} >= ${LEAST_EVENTS} AND ${count} * 100.0 > ${limit} * max(mailed + bounced, ${LEAST_MAILED})`;
  return db
    .prepare(
      `UPDATE issue SET status = 'paused', touchedAt = ?4, pausedBecause = CASE WHEN ${over('bounced', '?5')}
           THEN bounced || ' of ' || (mailed + bounced) || ' mails bounced, over the limit of ' || printf('%g', ?5) || ' percent'
           ELSE complained || ' of ' || mailed || ' mails were called spam, over the limit of ' || printf('%g', ?6) || ' percent' END
       WHERE ${ISSUE} AND status IN ('planning', 'sending') AND mailed + bounced >= ${LEAST_MAILED}
         AND ((${over('bounced', '?5')}) OR (${over('complained', '?6')}))`,
    )
    .bind(...issueKey(issue), at, bouncePercent, complaintPercent);
}
