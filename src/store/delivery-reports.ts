import type { IssueReference } from '../domain/answer.ts';
import type { DeliveryBalance, DeliveryStatus } from '../domain/delivery.ts';
import type { AddressHistory, DeliveryReports, IssueOfAddress } from '../domain/delivery-ports.ts';
import { ISSUE, issueKey } from './issue-key.ts';

/** Issues shown of one person. */
const LISTED_ISSUES = 100;

/** The newest revision is still to be planned for this one of the digest's subscribers. */
const NOT_PLANNED_YET = `EXISTS (SELECT 1 FROM issue i WHERE i.digest = ?1 AND i.number = ?2
  AND i.revision = (SELECT max(revision) FROM issue WHERE digest = ?1 AND number = ?2)
  AND i.planFrom = 'digest' AND i.plannedAt IS NULL AND i.status <> 'cancelled'
  AND coalesce(s.confirmedAt, s.createdAt) <= coalesce((SELECT min(f.releasedAt) FROM issue f
    WHERE f.digest = ?1 AND f.number = ?2), '9999'))`;

/** What operators ask the ledger: how an issue went, and why somebody did not get one. */
export function deliveryReports(db: D1Database): DeliveryReports {
  const balanceOf = (issue: IssueReference) =>
    db
      .prepare(`SELECT status, count(*) AS count FROM delivery WHERE ${ISSUE} GROUP BY status`)
      .bind(...issueKey(issue));
  return {
    async balance(issue) {
      return toBalance(await balanceOf(issue).all());
    },

    async ofIssue(issue, limit) {
      const [balance, reasons] = await db.batch([
        balanceOf(issue),
        db
          .prepare(
            `SELECT status, error AS reason, count(*) AS count FROM delivery WHERE ${ISSUE} AND error IS NOT NULL
             GROUP BY status, error ORDER BY count DESC, status, error LIMIT ?4`,
          )
          .bind(...issueKey(issue), limit),
      ]);
      return { balance: toBalance(balance), reasons: rows(reasons) };
    },

    async reissueAudience({ digest, number }) {
      const held = `SELECT d.status FROM issue e CROSS JOIN delivery d
        ON d.digest = e.digest AND d.number = e.number AND d.revision = e.revision AND d.subscriberId = s.subscriberId
        WHERE e.digest = ?1 AND e.number = ?2`;
      const row = await db
        .prepare(
          `SELECT count(*) AS audience FROM subscription s JOIN subscriber p ON p.id = s.subscriberId
           WHERE s.digest = ?1 AND s.status = 'active'
             AND NOT EXISTS (SELECT 1 FROM suppression x WHERE x.addressHash = p.addressHash)
             AND (EXISTS (${held} AND d.status IN ('queued', 'sending', 'sent', 'unknown', 'superseded'))
               OR (NOT EXISTS (${held}) AND ${NOT_PLANNED_YET}))`,
        )
        .bind(digest, number)
        .first<{ audience: number }>();
      return row?.audience ?? 0;
    },

    async ofAddress(addressHash) {
      const [person, suppression, soft, subscriptions, issues] = await db.batch([
        db.prepare('SELECT id FROM subscriber WHERE addressHash = ?').bind(addressHash),
        db.prepare('SELECT reason, createdAt FROM suppression WHERE addressHash = ?').bind(addressHash),
        db.prepare('SELECT count(*) AS count FROM softBounce WHERE addressHash = ?').bind(addressHash),
        db
          .prepare(
            `SELECT s.digest, s.status, coalesce(s.confirmedAt, s.createdAt) AS since, s.unsubscribedAt
             FROM subscriber p JOIN subscription s ON s.subscriberId = p.id WHERE p.addressHash = ? ORDER BY s.digest`,
          )
          .bind(addressHash),
        // By the few issues there are, each looked up by its key: the ledger itself is not to be walked.
        db
          .prepare(
            `SELECT i.digest, i.number, i.revision, i.status AS issueStatus, i.releasedAt, d.status, d.attempts, d.retryAt,
               d.error, d.providerId, d.sentAt, d.complainedAt
             FROM subscriber p JOIN subscription s ON s.subscriberId = p.id JOIN issue i ON i.digest = s.digest
             LEFT JOIN delivery d ON d.digest = i.digest AND d.number = i.number AND d.revision = i.revision
               AND d.subscriberId = p.id
             WHERE p.addressHash = ? AND i.releasedAt IS NOT NULL
             ORDER BY i.releasedAt DESC, i.digest, i.number DESC, i.revision DESC LIMIT ${LISTED_ISSUES}`,
          )
          .bind(addressHash),
      ]);
      const [subscriber] = rows<{ id: string }>(person);
      const [suppressed] = rows<NonNullable<AddressHistory['suppression']>>(suppression);
      return {
        ...(subscriber ? { subscriberId: subscriber.id } : {}),
        ...(suppressed ? { suppression: suppressed } : {}),
        softBounces: rows<{ count: number }>(soft)[0]?.count ?? 0,
        subscriptions: rows<AddressHistory['subscriptions'][number]>(subscriptions).map(withoutNulls),
        issues: rows<IssueOfAddress>(issues).map(withoutNulls),
      };
    },
  };
}

function rows<Row>(result: D1Result | undefined): Row[] {
  return (result?.results ?? []) as Row[];
}

function toBalance(result: D1Result | undefined): DeliveryBalance {
  return Object.fromEntries(
    rows<{ status: DeliveryStatus; count: number }>(result).map(({ status, count }) => [status, count]),
  );
}

/** A row whose absent values are left out, as its type says. */
function withoutNulls<Row extends object>(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Row;
}
