import { join } from 'node:path';
import { readD1Migrations } from '@cloudflare/vitest-plugin';
import type { Miniflare, V4WorkerOptions } from 'miniflare';
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from 'wrangler';
import { ROOT } from './bundle.ts';
import { TEST_SECRETS } from './secrets.ts';

/**
 * A Worker with all that wrangler.toml binds to it, and the tests' secrets in place of this machine's.
 *
 * @param modules JavaScript by path; the first is the entry
 * @param baseUrl ends in a slash
 */
export function workerOptions(name: string, modules: Record<string, string>, baseUrl: string): V4WorkerOptions {
  const config = unstable_readConfig({ config: join(ROOT, 'wrangler.toml') });
  const { workerOptions: bound } = unstable_getMiniflareWorkerOptions(config);
  return {
    ...bound,
    name,
    modules: Object.entries(modules).map(([path, contents]) => ({ type: 'ESModule', path, contents })),
    // Not `bound.bindings`: those hold what this machine's .dev.vars says, too.
    bindings: { ...(config.vars as Record<string, string>), ...TEST_SECRETS, BASE_URL: baseUrl },
  };
}

/** The database of a Worker, migrated. */
export async function migratedDatabase(miniflare: Miniflare, worker: string) {
  const db = await miniflare.getD1Database('DB', worker);
  for (const { queries } of await readD1Migrations(join(ROOT, 'src/store/migrations'))) {
    for (const sql of queries) await db.prepare(sql).run();
  }
  return db;
}
