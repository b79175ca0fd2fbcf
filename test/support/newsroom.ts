import { createExecutionContext, createMessageBatch, getQueueResult, type QueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import PostalMime, { type Email } from 'postal-mime';
import type { DeliveryStatus } from '../../src/domain/delivery.ts';
import { shift } from '../../src/domain/time.ts';
import type { MailSession, Transport } from '../../src/domain/transport.ts';
import { consume } from '../../src/jobs.ts';
import { type TestApp, testApp } from './app.ts';
import { articleData, digestData, publicationData } from './content.ts';
import { TEST_SECRETS } from './secrets.ts';

/** When the weekly digest of the test publication is due first. */
export const DUE = '2026-06-16T06:00:00Z';
export const TICK_LATER = shift(DUE, 300);
export const WEEK_LATER = shift(DUE, 7 * 86_400);

/** The test app with its publication; `articles` are published by their keys. */
export async function newsroom({
  settings = {},
  articles = [],
  ...options
}: {
  settings?: Record<string, unknown>;
  articles?: string[];
  baseUrl?: string;
  now?: string;
  vars?: Record<string, string>;
} = {}): Promise<TestApp> {
  const app = testApp(options);
  await app.answer('publication.updated', publicationData(settings));
  for (const key of articles) await app.answer('article.published', articleData(key));
  return app;
}

/** A weekly issue that is frozen and due, with the given readers and its planning waiting in the queue. */
export async function issued(names: string[], options: Parameters<typeof newsroom>[0] = {}): Promise<TestApp> {
  const app = await newsroom({ articles: ['one'], ...options });
  await addReaders(names);
  app.clock.now = DUE;
  await app.tick(DUE);
  return app;
}

/** The same with its delivery rows written, and the jobs of its pages waiting in the queue. */
export async function planned(names: string[], options: Parameters<typeof newsroom>[0] = {}): Promise<TestApp> {
  const app = await issued(names, options);
  await workNext(app);
  return app;
}

/** Hands the job that waits longest to the consumer when its time has come. @returns the seconds it waited */
export async function waitForNext(app: TestApp): Promise<number> {
  const [job] = app.delayed.splice(0, 1);
  const [seconds] = app.delays.splice(0, 1);
  if (!job || seconds === undefined) throw new Error('no job was delayed');
  app.clock.now = shift(app.clock.now, seconds);
  await workNext(app, job);
  return seconds;
}

/** Does all jobs, waiting as long as they are put off. @returns the seconds waited before each */
export async function workThrough(app: TestApp): Promise<number[]> {
  const waited: number[] = [];
  await app.work();
  while (app.delayed.length > 0) {
    waited.push(await waitForNext(app));
    await app.work();
  }
  return waited;
}

/** Lets the time of a lease and of the sweep pass, as ticks see it. */
export async function sweep(app: TestApp): Promise<void> {
  app.clock.now = shift(app.clock.now, 1000);
  await app.tick(app.clock.now);
  await app.work();
}

/** Whom mails are for, by the readers' names, in order. */
export function namesOf(mails: { to: string }[]): string[] {
  return mails.map(({ to }) => to.replace('@reader.example', '')).sort((one, other) => one.localeCompare(other));
}

export async function leave(app: TestApp, name: string, digest = 'weekly'): Promise<void> {
  await app.deps.subscriptions.unsubscribe(name, [digest], { way: 'mail' }, app.clock.now);
}

/** Settings whose one digest is the weekly one with `changes`. */
export function withDigest(changes: Record<string, unknown>) {
  return { settings: { editor: 'editor@news.example', digests: [digestData(changes)] } };
}

export async function publish(app: TestApp, key: string, changes: Record<string, unknown> = {}) {
  return app.answer('article.published', articleData(key, changes));
}

/** A refused call: its status, and what it says of each field. */
export async function refusal(call: Promise<Response>): Promise<{ status: number; text: string }> {
  const response = await call;
  const { detail, errors = [] } = await response.json<{
    detail: string;
    errors?: { pointer: string; message: string }[];
  }>();
  const fields = errors.map(({ pointer, message }) => `${pointer} ${message}`);
  return { status: response.status, text: [detail, ...fields].join(' ') };
}

/** Active subscriptions: `ada` becomes the subscriber `ada` with ada@reader.example. */
export async function addReaders(names: string[], digest = 'weekly'): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO subscriber (id, email, addressHash, createdAt)
       SELECT value, value || '@reader.example', 'hash of ' || value, '2026-06-01T00:00:00Z' FROM json_each(?) WHERE true
       ON CONFLICT DO NOTHING`,
    ).bind(JSON.stringify(names)),
    env.DB.prepare(
      `INSERT INTO subscription (digest, subscriberId, status, createdAt)
       SELECT ?2, value, 'active', '2026-06-01T00:00:00Z' FROM json_each(?1)`,
    ).bind(JSON.stringify(names), digest),
  ]);
}

/** Names that sort as they are counted. */
export function manyNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `reader${String(index).padStart(4, '0')}`);
}

export async function suppress(name: string): Promise<void> {
  await env.DB.prepare(`INSERT INTO suppression VALUES (?, 'hard_bounce', '2026-06-01T00:00:00Z')`)
    .bind(`hash of ${name}`)
    .run();
}

/** Hands the first waiting job to the consumer, or the given one. */
export async function workNext(app: TestApp, job: unknown = app.jobs.shift()): Promise<QueueResult> {
  return workBatch(app, [job]);
}

/** Hands jobs to the consumer as one batch, whose messages are called m0, m1 and so on. */
export async function workBatch(app: TestApp, jobs: unknown[]): Promise<QueueResult> {
  const messages = jobs.map((body, index) => ({ id: `m${index}`, timestamp: new Date(0), attempts: 1, body }));
  const batch = createMessageBatch('broadside-jobs', messages);
  await consume(app.deps, batch);
  return getQueueResult(batch, createExecutionContext());
}

export function occurrences(app: TestApp, digest = 'weekly') {
  return app.deps.occurrences.list(digest, 5000);
}

export interface IssueRow {
  digest: string;
  number: number;
  status: string;
  subject: string;
  titles: string[];
}

/** Every issue there is, oldest first. */
export async function issues(): Promise<IssueRow[]> {
  const { results } = await env.DB.prepare(
    'SELECT digest, number, status, subject, articles FROM issue JOIN issueContent USING (digest, number, revision) ORDER BY digest, number',
  ).all<Omit<IssueRow, 'titles'> & { articles: string }>();
  return results.map(({ articles, ...row }) => ({
    ...row,
    titles: (JSON.parse(articles) as { title: string }[]).map(({ title }) => title),
  }));
}

/** The state of each delivery, by the reader's name. */
export async function deliveries(): Promise<Record<string, DeliveryStatus>> {
  const { results } = await env.DB.prepare('SELECT subscriberId, status FROM delivery ORDER BY subscriberId').all<{
    subscriberId: string;
    status: DeliveryStatus;
  }>();
  return Object.fromEntries(results.map((row) => [row.subscriberId, row.status]));
}

/** The row of each delivery, by the reader's name, with `columns` beside its status. */
export async function ledger<Column extends string>(...columns: Column[]) {
  const { results } = await env.DB.prepare(
    `SELECT ${['subscriberId', 'status', ...columns].join(', ')} FROM delivery ORDER BY subscriberId`,
  ).all<{ subscriberId: string; status: DeliveryStatus } & Record<Column, unknown>>();
  return Object.fromEntries(results.map(({ subscriberId, ...row }) => [subscriberId, row]));
}

/** What operators are told. */
export function asAdmin(app: TestApp, path: string): Promise<Response> {
  return app.fetch(path, { headers: { Authorization: `Bearer ${TEST_SECRETS.ADMIN_TOKEN}` } });
}

/** The operator's view of an issue's deliveries. */
export async function balance(app: TestApp, path = 'weekly/1') {
  const response = await asAdmin(app, `/api/v1/issues/${path}/deliveries`);
  return response.json<{ status: string; audience: number; deliveries: Record<string, number> }>();
}

/** What is in the outbox, oldest first, with the bytes of each. */
export async function outbox(app: TestApp) {
  const listed = await app.deps.outbox.list(5000);
  const read = await Promise.all(listed.reverse().map(({ id }) => app.deps.outbox.read(id)));
  return read.filter((mail) => mail !== undefined);
}

/** The latest mail to a reader, parsed, with its bytes. @param to name or whole address */
export async function mailTo(app: TestApp, to: string): Promise<Email & { raw: string }> {
  const address = to.includes('@') ? to : `${to}@reader.example`;
  const mail = (await outbox(app)).findLast((each) => each.to === address);
  if (!mail) throw new Error(`nothing was mailed to ${address}`);
  return { ...(await PostalMime.parse(mail.raw)), raw: mail.raw };
}

/** All values of a header, by any spelling of its name. */
export function headerValues(mail: Email, name: string): string[] {
  return mail.headers.filter(({ key }) => key === name.toLowerCase()).map(({ value }) => value);
}

/** The path behind a mail's List-Unsubscribe. */
export function unsubscribePath(mail: Email): string {
  const [value = ''] = headerValues(mail, 'List-Unsubscribe');
  return new URL(value.slice(1, -1)).pathname;
}

/** Every address in both parts of a mail that leads here. */
export function ownLinks(mail: Email): string[] {
  const found = `${mail.text ?? ''} ${mail.html ?? ''}`.match(/http:\/\/localhost:8787\/[^\s"<>)]*/g) ?? [];
  return [...new Set(found.map((link) => link.replaceAll('&amp;', '&')))];
}

/** The port with one method that throws before it does anything, the first `times` times. */
export function stopBefore<T extends object>(port: T, method: keyof T & string, times = 1): T {
  let left = times;
  return replaced(port, method, async (original) => {
    if (left > 0) {
      left -= 1;
      throw new Error(`stopped before ${method}`);
    }
    return original();
  });
}

/** The port with one method that throws once after it has done its work. */
export function stopAfter<T extends object>(port: T, method: keyof T & string): T {
  let stopped = false;
  return replaced(port, method, async (original) => {
    const result = await original();
    if (stopped) return result;
    stopped = true;
    throw new Error(`stopped after ${method}`);
  });
}

/** The port with one method that first lets something else happen, once. */
export function interrupted<T extends object>(port: T, method: keyof T & string, meanwhile: () => Promise<unknown>): T {
  let done = false;
  return replaced(port, method, async (original) => {
    if (!done) {
      done = true;
      await meanwhile();
    }
    return original();
  });
}

/** The transport with one session for all jobs, which `change` made. */
export function sharing(transport: Transport, change: (session: MailSession) => MailSession): Transport {
  const session = change(transport.open());
  return { ...transport, open: () => session };
}

function replaced<T extends object>(
  port: T,
  method: keyof T & string,
  around: (original: () => unknown) => unknown,
): T {
  const original = port[method] as (...input: unknown[]) => unknown;
  return { ...port, [method]: (...input: unknown[]) => around(() => original(...input)) };
}
