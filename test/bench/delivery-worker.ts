import type { Job } from '../../src/domain/ports.ts';
import type { Env } from '../../src/env.ts';
// Left out of this module's bundle: the deployed bundle stands in its place.
import broadside from '../../src/worker.ts';
import { batchOf, instrumented, noUsage, type Usage } from './counting.ts';

const BATCH_STATEMENTS = 100;

const usage = noUsage();
const jobs: Job[] = [];
/** The same object for all invocations, as the platform's own is: ports are built once for it. */
let same: Env | undefined;

/**
 * The deployed Worker as its queue's consumer: `POST /bench/job` does a job in an invocation of its own and answers with
 * those that follow; `/bench/usage` says what D1 was asked for since the last time. `/bench/rows?n=N` is what planning is
 * compared with: so many delivery rows, by `batch()` with an insert for each.
 */
export default {
  async fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/bench/job') return Response.json(await runJob(env, await request.json()));
    if (pathname === '/bench/usage') return Response.json(takeUsage());
    if (pathname === '/bench/rows') return new Response(await insertRows(env.DB, Number(searchParams.get('n'))));
    return broadside.fetch(request, env, context);
  },
} satisfies ExportedHandler<Env>;

async function runJob(env: Env, job: Job): Promise<Job[]> {
  same ??= instrumented(env, usage, jobs);
  await broadside.queue(batchOf(job), same);
  return jobs.splice(0);
}

function takeUsage(): Usage {
  const used = { ...usage };
  Object.assign(usage, noUsage());
  return used;
}

async function insertRows(db: D1Database, count: number): Promise<string> {
  const at = new Date().toISOString();
  const insert = db.prepare(
    `INSERT INTO delivery (digest, number, revision, subscriberId, status, updatedAt) VALUES (?1, 1, 1, ?2, 'queued', ?3)`,
  );
  const ids = Array.from({ length: count }, (_, n) => `single-${String(n).padStart(12, '0')}-00000000-0000`);
  for (let start = 0; start < count; start += BATCH_STATEMENTS) {
    await db.batch(ids.slice(start, start + BATCH_STATEMENTS).map((id) => insert.bind('single', id, at)));
  }
  return 'done';
}
