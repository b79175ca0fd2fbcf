import type { Job } from '../../src/domain/ports.ts';
import type { Env } from '../../src/env.ts';
// Left out of this module's bundle: the deployed bundle stands in its place.
import broadside from '../../src/worker.ts';
import { batchOf, counted, instrumented, noUsage, type Usage } from './counting.ts';

/** What one digest takes, invocation by invocation: the tick, then each queue message. */
export type Stages = ({ stage: string } & Usage)[];

/**
 * The deployed Worker with its D1 statements counted: in the header `x-usage` of every answer, and for the handlers
 * that no request reaches in the answers of `/bench/tick?at=MS` (one tick) and `/bench/digest?at=MS` (the tick and
 * all queue messages that follow from it, each an invocation).
 */
export default {
  async fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url);
    const at = Number(searchParams.get('at'));
    if (pathname === '/bench/tick') return Response.json(await runTick(env, at));
    if (pathname === '/bench/digest') return Response.json(await runDigest(env, at));
    const usage = noUsage();
    const answer = await broadside.fetch(request, { ...env, DB: counted(env.DB, usage) }, context);
    const response = new Response(answer.body, answer);
    response.headers.set('x-usage', JSON.stringify(usage));
    return response;
  },
} satisfies ExportedHandler<Env>;

async function runTick(env: Env, at: number): Promise<Usage & { jobs: Job[] }> {
  const usage = noUsage();
  const jobs: Job[] = [];
  const controller = { scheduledTime: at, cron: '*/5 * * * *', noRetry: () => {} } as ScheduledController;
  await broadside.scheduled(controller, instrumented(env, usage, jobs));
  return { ...usage, jobs };
}

async function runDigest(env: Env, at: number): Promise<Stages> {
  const { jobs, ...usage } = await runTick(env, at);
  const stages: Stages = [{ stage: 'tick', ...usage }];
  for (let job = jobs.shift(); job; job = jobs.shift()) {
    const used = noUsage();
    await broadside.queue(batchOf(job), instrumented(env, used, jobs));
    stages.push({ stage: job.kind, ...used });
  }
  return stages;
}
