import type { Job } from '../../src/domain/ports.ts';
import type { Env } from '../../src/env.ts';

/** What an invocation asked of D1. A batch is one round trip with several statements. */
export interface Usage {
  statements: number;
  trips: number;
  /** What D1 is paid by. */
  rowsRead: number;
  rowsWritten: number;
}

export function noUsage(): Usage {
  return { statements: 0, trips: 0, rowsRead: 0, rowsWritten: 0 };
}

/** The same bindings, with what passes through the database counted and jobs kept instead of queued. */
export function instrumented(env: Env, usage: Usage, jobs: Job[]): Env {
  const queue = {
    sendBatch: async (messages: Iterable<MessageSendRequest<Job>>, options?: QueueSendBatchOptions) => {
      if (options?.delaySeconds) throw new Error('a job was put off, which nothing here is a reason for');
      for (const { body } of messages) jobs.push(body);
    },
  };
  return { ...env, DB: counted(env.DB, usage), JOBS: queue as unknown as Queue<Job> };
}

/** One job as the platform hands it over. */
export function batchOf(body: Job): MessageBatch<unknown> {
  const retry = () => {
    throw new Error(`the job ${body.kind} failed`);
  };
  const message = { id: body.kind, timestamp: new Date(0), attempts: 1, body, ack: () => {}, retry };
  return { queue: 'bench', messages: [message], ackAll: () => {}, retryAll: retry } as unknown as MessageBatch<unknown>;
}

/** The same database, with what passes through it counted. */
export function counted(db: D1Database, usage: Usage): D1Database {
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const note = (results: D1Result[]) => {
    usage.trips += 1;
    usage.statements += results.length;
    for (const { meta } of results) {
      usage.rowsRead += meta.rows_read;
      usage.rowsWritten += meta.rows_written;
    }
  };
  const all = async (statement: D1PreparedStatement) => {
    const result = await statement.all();
    note([result]);
    return result;
  };
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      all: () => all(statement),
      run: () => all(statement),
      // Only the others say how many rows they read.
      first: async () => (await all(statement)).results[0] ?? null,
    } as unknown as D1PreparedStatement;
    originals.set(wrapped, statement);
    return wrapped;
  };
  const batch = async (statements: D1PreparedStatement[]) => {
    const results = await db.batch(statements.map((statement) => originals.get(statement) ?? statement));
    note(results);
    return results;
  };
  return { prepare: (sql: string) => wrap(db.prepare(sql)), batch } as unknown as D1Database;
}
