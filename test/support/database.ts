import { applyD1Migrations, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';

export type Snapshot = Record<string, unknown[]>;

/** Every row of every table of ours but those left out, to compare what a call changed. */
export async function snapshot(without: string[] = []): Promise<Snapshot> {
  const { results } = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%\\_%' ESCAPE '\\' ORDER BY name`,
  ).all<{ name: string }>();
  const names = results.map(({ name }) => name).filter((name) => !without.includes(name));
  const tables = await env.DB.batch(names.map((name) => env.DB.prepare(`SELECT * FROM ${name} ORDER BY 1, 2`)));
  return Object.fromEntries(names.map((name, index) => [name, tables[index]?.results ?? []]));
}

/** An empty, migrated database in the middle of a test. */
export async function emptyDatabase(): Promise<void> {
  await reset();
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
}

/** The database binding, and how many statements went through it. */
export function countingDatabase() {
  const counted = { statements: 0 };
  const db = {
    prepare(sql: string) {
      counted.statements += 1;
      return env.DB.prepare(sql);
    },
    batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
  } as unknown as D1Database;
  return { counted, db };
}

/** The database binding, and how many rows its statements looked at. */
export function metered(): { db: D1Database; rows: { read: number } } {
  const rows = { read: 0 };
  const noted = <T extends { meta: D1Meta }>(result: T): T => {
    rows.read += result.meta.rows_read;
    return result;
  };
  const inner = new WeakMap<object, D1PreparedStatement>();
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      first: async () => noted(await statement.all()).results[0] ?? null,
      all: async () => noted(await statement.all()),
      run: async () => noted(await statement.run()),
    } as unknown as D1PreparedStatement;
    inner.set(wrapped, statement);
    return wrapped;
  };
  const db = {
    prepare: (sql: string) => wrap(env.DB.prepare(sql)),
    batch: async (statements: D1PreparedStatement[]) =>
      (await env.DB.batch(statements.map((each) => inner.get(each) ?? each))).map(noted),
  } as unknown as D1Database;
  return { db, rows };
}

/** Changes what is stored, past all checks. */
export async function corrupt(sql: string, ...values: unknown[]): Promise<void> {
  await env.DB.prepare(sql)
    .bind(...values)
    .run();
}
