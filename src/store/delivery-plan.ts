import type { IssueReference } from '../domain/answer.ts';
import { type DeliveryPage, PAGE_SIZE, PLAN_SIZE } from '../domain/delivery.ts';
import type { DeliveryStore } from '../domain/delivery-ports.ts';
import { ISSUE, issueKey } from './issue-key.ts';

const EARLIER =
  'SELECT e.revision FROM issue e WHERE e.digest = i.digest AND e.number = i.number AND e.revision < i.revision';
const HAD = `SELECT 1 FROM delivery d WHERE d.digest = i.digest AND d.number = i.number AND d.revision IN (${EARLIER})
  AND d.subscriberId = s.subscriberId`;
/**
 * Who gets the revision, of subscriptions `s` of people `p`: who agreed before the issue was released, so that the audience does
 * not move while it is planned. A later revision goes to who was sent an earlier one, or would have been: `superseded`.
 */
const ELIGIBLE = `s.status = 'active' AND coalesce(s.confirmedAt, s.createdAt) <= i.firstAt
  AND NOT EXISTS (SELECT 1 FROM suppression x WHERE x.addressHash = p.addressHash)
  AND CASE WHEN i.revision = 1 THEN 1
    WHEN EXISTS (${HAD} AND d.status IN ('sent', 'sending', 'unknown', 'superseded')) THEN 1
    ELSE i.planFrom = 'digest' AND NOT EXISTS (${HAD}) END`;
const PLANNED = `(SELECT *, (SELECT min(f.releasedAt) FROM issue f WHERE f.digest = ?1 AND f.number = ?2) AS firstAt
  FROM issue WHERE ${ISSUE} AND status = 'planning')`;

/**
 * One step of planning: looks at the next subscriptions by key, whatever their state (a step whose people all left is a step,
 * not the end), and writes the rows of those who get the revision in one statement. The ids come as one value: a thousand
 * rows would cost more on their way here than all the rest.
 */
export function planStep(db: D1Database): DeliveryStore['plan'] {
  return async (issue, at) => {
    const step = await db
      .prepare(
        `SELECT after, max(id) AS through, json_group_array(id) FILTER (WHERE eligible) AS ids FROM (
           SELECT i.plannedThrough AS after, s.subscriberId AS id, ${ELIGIBLE} AS eligible
           FROM ${PLANNED} i CROSS JOIN subscription s JOIN subscriber p ON p.id = s.subscriberId
           WHERE s.digest = ?1 AND s.subscriberId > i.plannedThrough ORDER BY s.subscriberId LIMIT ?4)
         GROUP BY after`,
      )
      .bind(...issueKey(issue), PLAN_SIZE)
      .first<{ after: string; through: string; ids: string }>();
    if (!step) {
      await endPlanning(db, issue, at);
      return undefined;
    }
    const { after, through } = step;
    const ids = (JSON.parse(step.ids) as string[]).sort(byKey);
    const pages = pagesOf(ids, after);
    const [, , moved] = await db.batch(writes(db, issue, { ids, pages, after, through }, at));
    return moved?.meta.changes ? pages : [];
  };
}

/** As SQLite sorts ids, which are ASCII. */
function byKey(one: string, other: string): number {
  return one < other ? -1 : 1;
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
