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

/** Changes what is stored, past all checks. */
export async function corrupt(sql: string, ...values: unknown[]): Promise<void> {
  await env.DB.prepare(sql)
    .bind(...values)
    .run();
}
