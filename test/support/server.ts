import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import PostalMime, { type Email } from 'postal-mime';
import type { Answer } from '../../src/domain/answer.ts';
import { bundleWorker } from './bundle.ts';
import { callWorker, checked } from './calls.ts';
import { TEST_SECRETS } from './secrets.ts';
import { migratedDatabase, workerOptions } from './workerd.ts';

/** A line of `/outbox.json`. */
export interface KeptMail {
  id: string;
  to: string;
  subject: string;
  kind: string;
}

/** The deployed bundle in workerd, with all its bindings, its queue's consumer and the trigger of its cron. */
export interface Server {
  /** Ends in a slash; it is the Worker's own base URL. */
  base: string;
  /** Posts a signed call that must succeed. @throws Error with the refusal */
  call(type: string, data: unknown): Promise<Answer>;
  /** Asks as an operator. @param path without a slash at its start */
  operator<T>(path: string): Promise<T>;
  /** Fires the cron trigger. @param at ISO 8601 */
  fireCron(at: string): Promise<void>;
  /** What the outbox keeps, newest first. */
  outbox(): Promise<KeptMail[]>;
  /** A kept mail, read from its raw bytes. */
  mail(id: string): Promise<Email>;
  stop(): Promise<void>;
}

/** Bundles the Worker as a deployment does and serves it on a free port of this machine, with an empty database. */
export async function startServer(): Promise<Server> {
  const port = await freePort();
  const base = `http://localhost:${port}/`;
  const worker = workerOptions('broadside', { 'broadside.js': bundled() }, base);
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({ port, cf: false, unsafeTriggerHandlers: true, workers: [worker] }),
  );
  await miniflare.ready;
  await migratedDatabase(miniflare, 'broadside');
  return { ...clientOf(base), stop: () => miniflare.dispose() };
}

function clientOf(base: string): Omit<Server, 'stop'> {
  const request = async (path: string, init?: RequestInit) => checked(await fetch(new URL(path, base), init));
  return {
    base,
    call: async (type, data) => (await callWorker(base, type, data)).json(),
    operator: async (path) => {
      const response = await request(path, { headers: { Authorization: `Bearer ${TEST_SECRETS.ADMIN_TOKEN}` } });
      return response.json();
    },
    fireCron: async (at) => {
      await request(`cdn-cgi/local/scheduled?time=${Date.parse(at)}`);
    },
    outbox: async () => ((await (await request('outbox.json')).json()) as { messages: KeptMail[] }).messages,
    mail: async (id) => PostalMime.parse(await (await request(`outbox/${id}.eml`)).text()),
  };
}

function bundled(): string {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-'));
  try {
    return bundleWorker(folder).code;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A port that nothing listens on: the Worker's base URL has to name it before the server starts. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === 'object' && address ? address.port : 0;
}
