import type { Job } from '../../src/domain/ports.ts';
import type { Env } from '../../src/env.ts';
// Left out of this module's bundle: the deployed bundle stands in its place.
import broadside from '../../src/worker.ts';

/** What an invocation asked of D1. A batch is one round trip with several statements. */
export interface Usage {
  statements: number;
  trips: number;
}

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
    const usage = { statements: 0, trips: 0 };
    const answer = await broadside.fetch(request, { ...env, DB: counted(env.DB, usage) }, context);
    const response = new Response(answer.body, answer);
    response.headers.set('x-usage', JSON.stringify(usage));
    return response;
  },
} satisfies ExportedHandler<Env>;

async function runTick(env: Env, at: number): Promise<Usage & { jobs: Job[] }> {
  const usage = { statements: 0, trips: 0 };
  const jobs: Job[] = [];
  const controller = { scheduledTime: at, cron: '*/5 * * * *', noRetry: () => {} } as ScheduledController;
  await broadside.scheduled(controller, instrumented(env, usage, jobs));
  return { ...usage, jobs };
}

async function runDigest(env: Env, at: number): Promise<Stages> {
  const { jobs, ...usage } = await runTick(env, at);
  const stages: Stages = [{ stage: 'tick', ...usage }];
  for (let job = jobs.shift(); job; job = jobs.shift()) {
    const used = { statements: 0, trips: 0 };
    await broadside.queue(batchOf(job), instrumented(env, used, jobs));
    stages.push({ stage: job.kind, ...used });
  }
  return stages;
}

function instrumented(env: Env, usage: Usage, jobs: Job[]): Env {
  const queue = {
    sendBatch: async (messages: Iterable<MessageSendRequest<Job>>) => {
      for (const { body } of messages) jobs.push(body);
    },
  };
  return { ...env, DB: counted(env.DB, usage), JOBS: queue as unknown as Queue<Job> };
}

function batchOf(body: Job): MessageBatch<unknown> {
  const retry = () => {
    throw new Error(`the job ${body.kind} failed`);
  };
  const message = { id: body.kind, timestamp: new Date(0), attempts: 1, body, ack: () => {}, retry };
  return { queue: 'bench', messages: [message], ackAll: () => {}, retryAll: retry } as unknown as MessageBatch<unknown>;
}

/** The same database, with what passes through it counted. */
function counted(db: D1Database, usage: Usage): D1Database {
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get(target, name: keyof D1PreparedStatement) {
        if (name === 'bind') return (...values: unknown[]) => wrap(target.bind(...values));
        return (...values: unknown[]) => {
          usage.statements += 1;
          usage.trips += 1;
          return Reflect.apply(target[name], target, values);
        };
      },
    });
    originals.set(wrapped, statement);
    return wrapped;
  };
  const batch = (statements: D1PreparedStatement[]) => {
    usage.statements += statements.length;
    usage.trips += 1;
    return db.batch(statements.map((statement) => originals.get(statement) ?? statement));
  };
  return { prepare: (sql: string) => wrap(db.prepare(sql)), batch } as unknown as D1Database;
}
