import { createExecutionContext, createMessageBatch, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { tick } from '../../src/app/tick.ts';
import { buildDeps } from '../../src/deps.ts';
import type { Answer } from '../../src/domain/answer.ts';
import type { Job } from '../../src/domain/ports.ts';
import { milliseconds } from '../../src/domain/time.ts';
import type { MailSession, OutgoingMail, SendResult, Transport } from '../../src/domain/transport.ts';
import { parseConfig } from '../../src/env.ts';
import { httpApp } from '../../src/http/app.ts';
import { consume } from '../../src/jobs.ts';
import { signedHeaders } from './signing.ts';

/** A Friday in summer, four days before the weekly digest of the test publication is due. */
export const NOW = '2026-06-12T12:00:00Z';

const http = httpApp();

export type TestApp = ReturnType<typeof testApp>;

/**
 * The Worker on real D1, with a clock that stands still and a queue that a test empties itself, so that it can stop
 * anywhere. `deps` may be changed by a test to make a step fail; `db` stands in for the database binding, and `vars` are set
 * beside the bindings.
 */
export function testApp({
  baseUrl = 'http://localhost:8787/',
  now = NOW,
  db = env.DB,
  vars = {},
}: {
  baseUrl?: string;
  now?: string;
  db?: D1Database;
  vars?: Record<string, string>;
} = {}) {
  const clock = { now };
  const jobs: Job[] = [];
  const delayed: Job[] = [];
  const delays: number[] = [];
  const buried: unknown[] = [];
  const logged: { message: string; context: Record<string, unknown> }[] = [];
  const deps = {
    ...buildDeps({ ...env, DB: db }, parseConfig({ ...env, ...vars, BASE_URL: baseUrl }), () => clock.now),
    log: (message: string, context: Record<string, unknown>) => void logged.push({ message, context }),
    queue: {
      send: async (sent: Job[], delaySeconds = 0) => {
        for (const job of sent) (delaySeconds > 0 ? delayed : jobs).push(job);
        if (delaySeconds > 0) delays.push(...sent.map(() => delaySeconds));
      },
      bury: async (letters: unknown[]) => void buried.push(...letters),
    },
  };

  async function fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const context = createExecutionContext();
    const response = await http.fetch(
      new Request(new URL(path, baseUrl), { redirect: 'manual', ...init }),
      { deps },
      context,
    );
    await waitOnExecutionContext(context);
    return response;
  }

  /** Posts a signed call; `id` is its webhook-id. */
  async function call(
    type: string,
    data: unknown,
    { id = crypto.randomUUID(), timestamp = clock.now } = {},
  ): Promise<Response> {
    const body = JSON.stringify({ type, timestamp, data });
    return fetch('/webhooks', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(await signedHeaders(body, id, milliseconds(clock.now) / 1000)),
      },
      body,
    });
  }

  /** A call that must succeed, and its answer. */
  async function answer(type: string, data: unknown, options?: { id?: string; timestamp?: string }): Promise<Answer> {
    const response = await call(type, data, options);
    if (response.status !== 200) throw new Error(`${type} answered ${response.status}: ${await response.text()}`);
    return response.json();
  }

  /** Hands all waiting jobs to the consumer, and those they make, until none is left. */
  async function work(): Promise<void> {
    while (jobs.length > 0) {
      const messages = jobs
        .splice(0)
        .map((body, index) => ({ id: String(index), timestamp: new Date(clock.now), attempts: 1, body }));
      await consume(deps, createMessageBatch('broadside-jobs', messages));
    }
  }

  return {
    clock,
    jobs,
    delayed,
    delays,
    buried,
    logged,
    deps,
    fetch,
    call,
    answer,
    work,
    tick: (at: string) => tick(deps, at),
  };
}

/** A transport whose sessions do what a test says, in place of those of `transport` where there is one. */
export function withSession(change: (session: MailSession) => MailSession, transport = BARE_TRANSPORT): Transport {
  return { ...transport, open: () => change(transport.open()) };
}

const BARE_TRANSPORT: Transport = {
  name: 'outbox',
  batchSize: 50,
  form: 'raw',
  recognisesRepeats: true,
  open: () => ({ send: async (mails) => mails.map(() => ({ status: 'sent' })), close: async () => undefined }),
};

/** A transport that keeps what it is given and answers what the test says. */
export function recordingTransport(result: (mail: OutgoingMail) => SendResult = () => ({ status: 'sent' })) {
  const sent: OutgoingMail[] = [];
  const keys: string[] = [];
  const transport = withSession((session) => ({
    ...session,
    async send(mails, key) {
      sent.push(...mails);
      keys.push(key);
      return mails.map(result);
    },
  }));
  return { sent, keys, transport };
}

/** A transport that answers each send of a mail by the next result, and by the last one from then on. */
export function answering(...results: SendResult[]) {
  const times = new Map<string, number>();
  return recordingTransport(({ id }) => {
    const time = times.get(id) ?? 0;
    times.set(id, time + 1);
    return results[Math.min(time, results.length - 1)] ?? { status: 'sent' };
  });
}
