import { env } from 'cloudflare:workers';
import { preferencesUrl } from '../../src/app/preferences.ts';
import { shift } from '../../src/domain/time.ts';
import type { TestApp } from './app.ts';
import { digestData } from './content.ts';
import { mailTo, newsroom } from './newsroom.ts';
import { TEST_SECRETS } from './secrets.ts';

/** Settings with two digests, `weekly` and `other`; the second is due once a year. */
export const TWO_DIGESTS = {
  digests: [
    digestData(),
    digestData({ id: 'other', title: 'The other one', schedule: { cron: '0 0 1 1 *', timezone: 'UTC' } }),
  ],
};

/** The test app with two digests, where no client asks too often. */
export async function readingRoom(articles: string[] = []): Promise<TestApp> {
  const app = await newsroom({ settings: TWO_DIGESTS, articles });
  app.deps.allowsClient = async () => true;
  return app;
}

/** A form as a browser sends it. */
export function post(app: TestApp, path: string, fields: [string, string][] = []): Promise<Response> {
  return app.fetch(path, {
    method: 'POST',
    headers: { 'cf-connecting-ip': '203.0.113.9' },
    body: new URLSearchParams(fields),
  });
}

/** What a form that was shown `seconds` ago carries. */
export function shownAgo(app: TestApp, seconds: number): Promise<string> {
  return app.deps.tokens.sign({ purpose: 'form', subject: shift(app.clock.now, -seconds), scope: '' });
}

/** Sends the form for an address. @param changes fields that replace the usual ones */
export async function subscribe(
  app: TestApp,
  email: string,
  digests = ['weekly'],
  changes: Record<string, string> = {},
): Promise<Response> {
  const fields = { email, consent: '1', website: '', form: await shownAgo(app, 10), ...changes };
  return post(app, '/subscribe', [...Object.entries(fields), ...digests.map((id): [string, string] => ['digest', id])]);
}

/** Sends the form and does the work behind it. */
export async function ask(app: TestApp, email: string, digests?: string[]): Promise<void> {
  await subscribe(app, email, digests);
  await app.work();
}

/** The path behind the latest mail's link to confirm. */
export async function confirmPath(app: TestApp, email: string): Promise<string> {
  const { text = '' } = await mailTo(app, email);
  return /\/confirm\/[\w.-]+/.exec(text)?.[0] ?? '';
}

/** Somebody who asked and confirmed; their id. */
export async function join(app: TestApp, email: string, digests?: string[]): Promise<string> {
  await ask(app, email, digests);
  await post(app, await confirmPath(app, email));
  return personOf(email);
}

/** The id that an address belongs to; empty when there is none. */
export async function personOf(email: string): Promise<string> {
  const row = await env.DB.prepare('SELECT id FROM subscriber WHERE email = ?').bind(email).first<{ id: string }>();
  return row?.id ?? '';
}

/** The states of an address, by digest. */
export async function statusesOf(app: TestApp, email: string): Promise<Record<string, string>> {
  return Object.fromEntries(await app.deps.subscriptions.statuses(await personOf(email)));
}

/** The consent record of a person, each line as `event digest way`. */
export async function consentOf(id: string): Promise<string[]> {
  const { results } = await env.DB.prepare('SELECT event, digest, way FROM consent WHERE subscriberId = ? ORDER BY id')
    .bind(id)
    .all<{ event: string; digest: string | null; way: string }>();
  return results.map(({ event, digest, way }) => [event, digest ?? '-', way].join(' '));
}

export async function preferencesPath(app: TestApp, email: string): Promise<string> {
  return new URL(await preferencesUrl(app.deps, await personOf(email))).pathname;
}

/** Who was mailed what kind of thing, oldest first; digests are left to other tests. */
export async function noticesTo(app: TestApp, email: string): Promise<string[]> {
  const listed = await app.deps.outbox.list(1000);
  return listed.filter(({ to, kind }) => to === email && kind === 'notice').map(({ subject }) => subject);
}

/** A call of the operators' API. */
export function operator(app: TestApp, path: string, body?: unknown): Promise<Response> {
  const headers = { Authorization: `Bearer ${TEST_SECRETS.ADMIN_TOKEN}`, 'Content-Type': 'application/json' };
  return app.fetch(`/api/v1/${path}`, {
    headers,
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
}

/** All that was logged, with the messages and traces of errors. */
export function loggedText({ logged }: TestApp): string {
  return JSON.stringify(logged, (_key, value) => (value instanceof Error ? `${value.message} ${value.stack}` : value));
}

/** What every page behind a personal link says to browsers, caches and search engines. */
export const PRIVATE_HEADERS = {
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
