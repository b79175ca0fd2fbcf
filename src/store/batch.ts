import type { KeptAnswer } from '../domain/content-ports.ts';
import { Raced } from '../domain/content-ports.ts';

/** Runs statements as one transaction. A broken uniqueness means that somebody else was first: Raced. */
export async function commit(db: D1Database, statements: D1PreparedStatement[]): Promise<D1Result[]> {
  try {
    return await db.batch(statements);
  } catch (error) {
    if (String(error).includes('UNIQUE constraint failed')) throw new Raced(String(error));
    throw error;
  }
}

/**
 * Keeps an answer with the work it tells of. Of two equal calls the second breaks the key, so that its whole
 * transaction is undone and it finds the first one's answer. With `when` (SQL, its values after the first four), the
 * answer is kept only if that holds.
 */
export function keepAnswer(
  db: D1Database,
  { receipt, answer }: KeptAnswer,
  when = 'true',
  ...values: unknown[]
): D1PreparedStatement {
  return db
    .prepare(`INSERT INTO receipt (id, bodyHash, receivedAt, answer) SELECT ?1, ?2, ?3, ?4 WHERE ${when}`)
    .bind(receipt.id, receipt.bodyHash, receipt.receivedAt, JSON.stringify(answer), ...values);
}

/** Marks feeds as changed; their documents are out of date from now on. A feed that is new begins at `at`. */
export function touchFeeds(db: D1Database, scopes: string[], at: string): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO feed (scope, version, changedAt)
       SELECT value, 1, ?2 FROM json_each(?1) WHERE true
       ON CONFLICT (scope) DO UPDATE SET version = version + 1`,
    )
    .bind(JSON.stringify(scopes), at);
}
