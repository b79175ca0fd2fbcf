import type { IssueReference } from '../domain/answer.ts';
import type { IssueDraft, IssueEntry, IssueStore, IssueSummary, KeptAnswer } from '../domain/content-ports.ts';
import { Raced } from '../domain/content-ports.ts';
import type { Issue } from '../domain/issue.ts';
import { commit, keepAnswer, touchFeeds } from './batch.ts';
import { insertIssue, reissueStatements } from './issue-drafts.ts';
import { ISSUE, issueKey } from './issue-key.ts';

interface Row {
  digest: string;
  number: number;
  revision: number;
  status: Issue['status'];
  cause: string;
  subject: string;
  intro: string | null;
  reason: string | null;
  pausedBecause: string | null;
  createdAt: string;
  releasedAt: string | null;
}

const COLUMNS = 'digest, number, revision, status, cause, subject, intro, reason, pausedBecause, createdAt, releasedAt';
const CONTENT = 'JOIN issueContent c USING (digest, number, revision)';
/** Issues that can still be stopped. */
const UNDER_WAY = `status IN ('held', 'planning', 'sending', 'paused')`;
/** No mail of the issue, of any revision or of this one, has left or may have. */
const GONE_TO_NOBODY = `NOT EXISTS (SELECT 1 FROM delivery d WHERE d.digest = ?1 AND d.number = ?2
  AND d.status IN ('sending', 'sent', 'bounced', 'unknown'))`;
const REVISION_GONE_TO_NOBODY = GONE_TO_NOBODY.replace('?2', '?2 AND d.revision = issue.revision');
/** A revision that was dropped before anybody had it counts only when there is no other. */
const STANDING_FIRST = `status = 'cancelled' AND releasedAt IS NULL, revision DESC`;

/** Newest released revisions; held and cancelled ones are nobody's to read. An issue keeps the place of its first revision. */
const RELEASED = `JOIN (SELECT digest, number, max(revision) AS revision, min(releasedAt) AS firstAt FROM issue
    WHERE releasedAt IS NOT NULL GROUP BY digest, number) n USING (digest, number, revision)
  ORDER BY firstAt DESC, digest, number DESC`;
const SUMMARY = 'digest, number, revision, firstAt AS releasedAt, releasedAt AS updatedAt';

/** Of two calls that would change the same issue at once, only the one that did keeps its answer. */
const PREVIOUS_CHANGED = 'changes() > 0';

function toIssue({ articles, cause, ...row }: Row & { articles: string }): Issue {
  const given = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
  return { ...(given as unknown as Omit<Issue, 'articles'>), articles: JSON.parse(articles) };
}

/** Issues: frozen sets of article revisions and their mail. */
export function issueStore(db: D1Database): IssueStore {
  return {
    async nextNumber(digest) {
      const row = await db
        .prepare('SELECT coalesce(max(number), 0) + 1 AS next FROM issue WHERE digest = ?')
        .bind(digest)
        .first<{ next: number }>();
      return row?.next ?? 1;
    },

    async read(digest, number, revision) {
      const row = await db
        .prepare(
          `SELECT ${COLUMNS}, articles, html,
             (SELECT max(n.revision) FROM issue n WHERE n.digest = ?1 AND n.number = ?2) AS newestRevision
           FROM issue ${CONTENT} WHERE digest = ?1 AND number = ?2 AND revision = coalesce(?3, revision) ORDER BY ${STANDING_FIRST} LIMIT 1`,
        )
        .bind(digest, number, revision ?? null)
        .first<Row & { articles: string; html: string; newestRevision: number }>();
      if (!row) return undefined;
      const { html, newestRevision, ...issue } = row;
      return { ...toIssue(issue), html, newestRevision };
    },

    async revisions(digest, number) {
      const { results } = await db
        .prepare(
          `SELECT revision, releasedAt, reason FROM issue WHERE digest = ? AND number = ? AND releasedAt IS NOT NULL
           ORDER BY revision DESC`,
        )
        .bind(digest, number)
        .all<{ revision: number; releasedAt: string; reason: string | null }>();
      return results.map(({ reason, ...row }) => (reason === null ? row : { ...row, reason }));
    },

    async latest(digest) {
      const row = await db
        .prepare('SELECT digest, max(number) AS number FROM issue WHERE digest = ? AND releasedAt IS NOT NULL')
        .bind(digest)
        .first<{ digest: string | null; number: number | null }>();
      return row?.number == null ? undefined : { digest, number: row.number };
    },

    async holding(articleId) {
      const { results } = await db
        .prepare(
          `SELECT a.digest, a.number FROM issueArticle a WHERE a.articleId = ? AND EXISTS (
             SELECT 1 FROM issue i WHERE i.digest = a.digest AND i.number = a.number
               AND (i.releasedAt IS NOT NULL OR i.status = 'held'))
           ORDER BY a.digest, a.number`,
        )
        .bind(articleId)
        .all<Pick<IssueReference, 'digest' | 'number'>>();
      return results;
    },

    async mail(issue) {
      const row = await db
        .prepare(
          `SELECT subject, coalesce(releasedAt, createdAt) AS releasedAt, mail FROM issue ${CONTENT} WHERE ${ISSUE}`,
        )
        .bind(...issueKey(issue))
        .first<{ subject: string; releasedAt: string; mail: string }>();
      return row ? { subject: row.subject, releasedAt: row.releasedAt, template: JSON.parse(row.mail) } : undefined;
    },

    async list(limit) {
      const { results } = await db
        .prepare(`SELECT ${SUMMARY}, subject FROM issue i ${RELEASED} LIMIT ?`)
        .bind(limit)
        .all<IssueSummary>();
      return results;
    },

    async neighbours(digest, number) {
      const row = await db
        .prepare(
          `SELECT max(CASE WHEN number < ?2 THEN number END) AS previous, min(CASE WHEN number > ?2 THEN number END) AS next
           FROM issue WHERE digest = ?1 AND releasedAt IS NOT NULL`,
        )
        .bind(digest, number)
        .first<{ previous: number | null; next: number | null }>();
      return {
        ...(row?.previous == null ? {} : { previous: row.previous }),
        ...(row?.next == null ? {} : { next: row.next }),
      };
    },

    async entries(limit) {
      const { results } = await db
        .prepare(`SELECT ${SUMMARY}, entry FROM issue i ${CONTENT} ${RELEASED} LIMIT ?`)
        .bind(limit)
        .all<Omit<IssueSummary, 'subject'> & { entry: string }>();
      return results.map(({ entry, ...row }) => ({ ...(JSON.parse(entry) as IssueEntry), ...row }));
    },

    async freeze(draft, done) {
      await commit(db, [
        ...insertIssue(db, draft),
        db
          .prepare('INSERT INTO issueArticle (digest, articleId, number) SELECT ?2, value, ?3 FROM json_each(?1)')
          .bind(JSON.stringify(draft.articles.map((article) => article.id)), draft.digest, draft.number),
        ...(draft.status === 'planning' ? [touchFeeds(db, ['issues'], draft.at)] : []),
        closing(db, draft, done),
      ]);
    },

    async reissue(drafts, answer) {
      await commit(db, [...drafts.flatMap((draft) => reissueStatements(db, draft)), keepAnswer(db, answer)]);
    },

    async approve(issue, at, answer) {
      const [approved] = await commit(db, [
        db
          .prepare(
            `UPDATE issue SET status = 'planning', releasedAt = ?1, touchedAt = ?1
             WHERE digest = ?2 AND number = ?3 AND revision = ?4 AND status = 'held'`,
          )
          .bind(at, issue.digest, issue.number, issue.revision),
        keepAnswer(db, answer, PREVIOUS_CHANGED),
        touchFeeds(db, ['issues'], at),
      ]);
      if (approved?.meta.changes === 0) throw new Raced('the issue is no longer held');
    },

    async cancel(issue, at, answer) {
      const key = [issue.digest, issue.number, issue.revision] as const;
      const [, cancelled] = await commit(db, [
        // An issue that nobody got is nobody's to read, and its articles go back: the next issue takes them.
        db
          .prepare(
            `DELETE FROM issueArticle WHERE digest = ?1 AND number = ?2 AND ${GONE_TO_NOBODY} AND EXISTS (
               SELECT 1 FROM issue WHERE digest = ?1 AND number = ?2 AND revision = ?3
                 AND ${UNDER_WAY})`,
          )
          .bind(...key),
        db
          .prepare(
            `UPDATE issue SET status = 'cancelled', touchedAt = ?4,
               releasedAt = CASE WHEN ${REVISION_GONE_TO_NOBODY} THEN NULL ELSE releasedAt END
             WHERE digest = ?1 AND number = ?2 AND revision = ?3 AND ${UNDER_WAY}`,
          )
          .bind(...key, at),
        keepAnswer(db, answer, PREVIOUS_CHANGED),
        // Of a correction that came before anybody had the issue, the earlier text is nobody's to read either.
        db
          .prepare(
            `UPDATE issue SET releasedAt = NULL WHERE digest = ?1 AND number = ?2 AND ${GONE_TO_NOBODY} AND EXISTS (
               SELECT 1 FROM issue WHERE digest = ?1 AND number = ?2 AND revision = ?3 AND status = 'cancelled')`,
          )
          .bind(...key),
        // What a consumer has in its hands may go out: unknown, until it says.
        db
          .prepare(
            `UPDATE delivery SET status = CASE status WHEN 'queued' THEN 'cancelled' ELSE 'unknown' END,
               leasedUntil = NULL, updatedAt = ?4
             WHERE digest = ?1 AND number = ?2 AND revision = ?3 AND status IN ('queued', 'sending')`,
          )
          .bind(...key, at),
        db.prepare(`DELETE FROM deliveryPage WHERE ${ISSUE}`).bind(...key),
        touchFeeds(db, ['issues'], at),
      ]);
      if (cancelled?.meta.changes === 0) throw new Raced('the issue is no longer to be stopped');
    },

    async pause(issue, because, at, answer) {
      const [paused] = await commit(db, [
        db
          .prepare(
            `UPDATE issue SET status = 'paused', pausedBecause = ?5, touchedAt = ?4
             WHERE ${ISSUE} AND status IN ('planning', 'sending')`,
          )
          .bind(...issueKey(issue), at, because),
        keepAnswer(db, answer, PREVIOUS_CHANGED),
      ]);
      if (paused?.meta.changes === 0) throw new Raced('the issue is no longer under way');
    },

    async resume(issue, at, answer) {
      const [resumed] = await commit(db, [
        db
          .prepare(
            `UPDATE issue SET status = CASE WHEN plannedAt IS NULL THEN 'planning' ELSE 'sending' END,
               pausedBecause = NULL, mailed = 0, bounced = 0, complained = 0, touchedAt = ?4
             WHERE ${ISSUE} AND status = 'paused'`,
          )
          .bind(...issueKey(issue), at),
        keepAnswer(db, answer, PREVIOUS_CHANGED),
        // Earlier than any time, so that the sweep finds what the caller does not queue.
        db.prepare(`UPDATE deliveryPage SET dueAt = '' WHERE ${ISSUE}`).bind(...issueKey(issue)),
      ]);
      if (resumed?.meta.changes === 0) throw new Raced('the issue is no longer paused');
    },

    async closeDone(at) {
      await db
        .prepare(
          `UPDATE issue SET status = 'sent', touchedAt = ?1 WHERE status = 'sending' AND NOT EXISTS (
             SELECT 1 FROM deliveryPage p WHERE p.digest = issue.digest AND p.number = issue.number
               AND p.revision = issue.revision)`,
        )
        .bind(at)
        .run();
    },

    async unfinished(before) {
      const { results } = await db
        .prepare(
          `SELECT digest, number, revision FROM issue WHERE status = 'planning' AND touchedAt < ?
           ORDER BY touchedAt LIMIT 20`,
        )
        .bind(before)
        .all<IssueReference>();
      return results;
    },

    async untold() {
      const { results } = await db
        .prepare(`SELECT digest, number, revision FROM issue WHERE status = 'held' AND editorToldAt IS NULL LIMIT 20`)
        .all<IssueReference>();
      return results;
    },

    async markTold(issue, at) {
      await db
        .prepare('UPDATE issue SET editorToldAt = ? WHERE digest = ? AND number = ? AND revision = ?')
        .bind(at, issue.digest, issue.number, issue.revision)
        .run();
    },
  };
}

function closing(db: D1Database, draft: IssueDraft, done: { occurrence: string } | KeptAnswer): D1PreparedStatement {
  if ('receipt' in done) return keepAnswer(db, done);
  return db
    .prepare(`UPDATE occurrence SET status = 'issued', issueNumber = ? WHERE digest = ? AND at = ?`)
    .bind(draft.number, draft.digest, done.occurrence);
}
