import type { IssueDraft } from '../domain/content-ports.ts';
import { touchFeeds } from './batch.ts';
import { issueKey } from './issue-key.ts';

/** The rows of a revision that is frozen: its progress, and what it says. */
export function insertIssue(db: D1Database, draft: IssueDraft): D1PreparedStatement[] {
  const { status, cause, subject, intro, reason, at } = draft;
  return [
    db
      .prepare(
        `INSERT INTO issue (digest, number, revision, status, cause, subject, intro, reason, planFrom, createdAt, releasedAt, touchedAt)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ${PLAN_FROM}, ?9, ?10, ?9)`,
      )
      .bind(
        ...issueKey(draft),
        status,
        cause,
        subject,
        intro ?? null,
        reason ?? null,
        at,
        status === 'held' ? null : at,
      ),
    db
      .prepare(
        `INSERT INTO issueContent (digest, number, revision, entry, articles, html, mail) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      )
      .bind(...issueKey(draft), JSON.stringify(draft.entry), JSON.stringify(draft.articles), draft.html, draft.mail),
  ];
}

/** A revision goes to all subscribers only while the one before it had not been planned for all of them. */
const PLAN_FROM = `CASE WHEN ?3 = 1 OR EXISTS (SELECT 1 FROM issue b WHERE b.digest = ?1 AND b.number = ?2
  AND b.revision = ?3 - 1 AND b.planFrom = 'digest' AND b.plannedAt IS NULL AND b.status <> 'cancelled')
  THEN 'digest' ELSE 'earlier' END`;

/**
 * Freezes a later revision of an issue and stops the earlier ones: who waits for one gets this one in its place. What is in
 * the hands of a consumer is left to it, and the new revision waits for its report. Of two writers the second breaks the
 * key of the revision.
 */
export function reissueStatements(db: D1Database, draft: IssueDraft): D1PreparedStatement[] {
  const key = issueKey(draft) satisfies readonly unknown[];
  return [
    ...insertIssue(db, draft),
    db
      .prepare(
        `UPDATE issue SET status = 'superseded', touchedAt = ?4
         WHERE ${EARLIER} AND status IN ('held', 'planning', 'sending', 'paused')`,
      )
      .bind(...key, draft.at),
    db
      .prepare(`UPDATE delivery SET status = 'superseded', updatedAt = ?4 WHERE ${EARLIER} AND status = 'queued'`)
      .bind(...key, draft.at),
    ...(draft.status === 'planning' ? [touchFeeds(db, ['issues'], draft.at)] : []),
  ];
}

const EARLIER = 'digest = ?1 AND number = ?2 AND revision < ?3';
