import type { IssueReference } from '../domain/answer.ts';
import { type DeliveryPage, PAGE_SIZE, PLAN_SIZE } from '../domain/delivery.ts';
import type { DeliveryStore } from '../domain/delivery-ports.ts';
import { ISSUE, issueKey } from './issue-key.ts';

/**
 * Who gets the revision, of subscriptions `s` of people `p`: who agreed before it was released, so that the audience does not
 * move while it is planned. A later revision goes to who was sent an earlier one, or would have been: `superseded`.
 */
const ELIGIBLE = `s.status = 'active' AND coalesce(s.confirmedAt, s.createdAt) <= i.releasedAt
  AND NOT EXISTS (SELECT 1 FROM suppression x WHERE x.addressHash = p.addressHash)
  AND CASE WHEN i.revision = 1 THEN 1
    WHEN EXISTS (SELECT 1 FROM delivery d WHERE d.digest = i.digest AND d.number = i.number AND d.revision IN (${'EARLIER'})
      AND d.subscriberId = s.subscriberId AND d.status IN ('sent', 'sending', 'unknown', 'superseded')) THEN 1
    ELSE i.planFrom = 'digest' AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.digest = i.digest AND d.number = i.number
      AND d.revision IN (${'EARLIER'}) AND d.subscriberId = s.subscriberId) END`.replaceAll(
  'EARLIER',
  'SELECT e.revision FROM issue e WHERE e.digest = i.digest AND e.number = i.number AND e.revision < i.revision',
);

/**
 * One step of planning: looks at the next subscriptions by key, whatever their state (a step whose people all left is a step,
 * not the end), and writes the rows of those who get the revision in one statement.
 */
export function planStep(db: D1Database): DeliveryStore['plan'] {
  return async (issue, at) => {
    const { results } = await db
      .prepare(
        `SELECT i.plannedThrough AS after, s.subscriberId AS id, ${ELIGIBLE} AS eligible
         FROM issue i CROSS JOIN subscription s JOIN subscriber p ON p.id = s.subscriberId
         WHERE i.digest = ?1 AND i.number = ?2 AND i.revision = ?3 AND i.status = 'planning'
           AND s.digest = ?1 AND s.subscriberId > i.plannedThrough ORDER BY s.subscriberId LIMIT ?4`,
      )
      .bind(...issueKey(issue), PLAN_SIZE)
      .all<{ after: string; id: string; eligible: number }>();
    const [first] = results;
    if (!first) {
      await endPlanning(db, issue, at);
      return undefined;
    }
    const ids = results.flatMap(({ id, eligible }) => (eligible ? [id] : []));
    const pages = pagesOf(ids, first.after);
    const through = results.at(-1)?.id ?? first.after;
    const [, , moved] = await db.batch(writes(db, issue, { ids, pages, after: first.after, through }, at));
    return moved?.meta.changes ? pages : [];
  };
}

function writes(
  db: D1Database,
  issue: IssueReference,
  { ids, pages, after, through }: { ids: string[]; pages: DeliveryPage[]; after: string; through: string },
  at: string,
): D1PreparedStatement[] {
  // Of two planners the later finds the place moved, and writes nothing.
  const stillThere = `EXISTS (SELECT 1 FROM issue WHERE ${ISSUE} AND status = 'planning' AND plannedThrough = ?6)`;
  return [
    db
      .prepare(
        `INSERT INTO delivery (digest, number, revision, subscriberId, status, updatedAt)
         SELECT ?1, ?2, ?3, value, 'queued', ?4 FROM json_each(?5) WHERE ${stillThere} ON CONFLICT DO NOTHING`,
      )
      .bind(...issueKey(issue), at, JSON.stringify(ids), after),
    db
      .prepare(
        `INSERT INTO deliveryPage (digest, number, revision, after, through, dueAt)
         SELECT ?1, ?2, ?3, value ->> 'after', value ->> 'through', ?4 FROM json_each(?5) WHERE ${stillThere}
         ON CONFLICT DO NOTHING`,
      )
      .bind(...issueKey(issue), at, JSON.stringify(pages), after),
    db
      .prepare(
        `UPDATE issue SET plannedThrough = ?5, touchedAt = ?4
         WHERE ${ISSUE} AND status = 'planning' AND plannedThrough = ?6`,
      )
      .bind(...issueKey(issue), at, through, after),
  ];
}

/** All deliveries are written. How far planning came, which is a subscriber's id, is not kept. */
async function endPlanning(db: D1Database, issue: IssueReference, at: string): Promise<void> {
  await db
    .prepare(
      `UPDATE issue SET plannedThrough = '', plannedAt = ?4, touchedAt = ?4,
         status = CASE WHEN EXISTS (SELECT 1 FROM deliveryPage WHERE ${ISSUE}) THEN 'sending' ELSE 'sent' END
       WHERE ${ISSUE} AND status = 'planning'`,
    )
    .bind(...issueKey(issue), at)
    .run();
}

function pagesOf(ids: string[], after: string): DeliveryPage[] {
  const pages: DeliveryPage[] = [];
  for (let start = 0; start < ids.length; start += PAGE_SIZE) {
    const through = ids[Math.min(start + PAGE_SIZE, ids.length) - 1] ?? after;
    pages.push({ after: pages.at(-1)?.through ?? after, through });
  }
  return pages;
}
