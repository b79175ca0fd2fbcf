import { createExecutionContext, createScheduledController, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { nextOccurrence } from '../../src/domain/schedule.ts';
import worker from '../../src/worker.ts';
import { articleData, digestData, publicationData } from '../support/content.ts';
import { TEST_SECRETS } from '../support/secrets.ts';
import { signedHeaders } from '../support/signing.ts';

const READERS = ['ada@reader.example', 'bea@reader.example', 'cid@reader.example'];

interface Listed {
  to: string;
  subject: string;
  kind: string;
  digest: string;
  issue: number;
}

async function fetchWorker(path: string, init: RequestInit<IncomingRequestCfProperties> = {}): Promise<Response> {
  const context = createExecutionContext();
  const request = new Request(`http://localhost:8787${path}`, init);
  const response = await worker.fetch(request, env, context);
  await waitOnExecutionContext(context);
  return response;
}

async function call(type: string, data: unknown): Promise<unknown> {
  const now = Date.now();
  const body = JSON.stringify({ type, timestamp: new Date(now).toISOString(), data });
  const signed = await signedHeaders(body, crypto.randomUUID(), Math.floor(now / 1000));
  const headers = { 'Content-Type': 'application/json', ...signed };
  return (await fetchWorker('/webhooks', { method: 'POST', headers, body })).json();
}

async function subscribe(email: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${TEST_SECRETS.ADMIN_TOKEN}` };
  const rows = [{ line: 1, email, status: 'active' }];
  const body = JSON.stringify({ digest: 'weekly', dryRun: false, consent: 'told us so', rows });
  expect((await fetchWorker('/api/v1/subscribers/import', { method: 'POST', headers, body })).status).toBe(200);
}

async function outbox(): Promise<Listed[]> {
  return (await (await fetchWorker('/outbox.json')).json<{ messages: Listed[] }>()).messages;
}

test('a call publishes, the cron trigger composes, the queue mails', { timeout: 40_000 }, async () => {
  const { schedule } = digestData();
  expect(await call('publication.updated', publicationData())).toMatchObject({ outcome: 'created' });
  expect(await call('article.published', articleData('one'))).toMatchObject({ outcome: 'created' });
  for (const format of ['rss.xml', 'atom.xml', 'feed.json'])
    expect(await (await fetchWorker(`/${format}`)).text()).toContain('Letter one');
  for (const email of READERS) await subscribe(email);

  const due = nextOccurrence(schedule, new Date().toISOString()) ?? '';
  const tick = () => worker.scheduled(createScheduledController({ scheduledTime: new Date(due) }), env);
  await Promise.all([tick(), tick()]);
  // The consumer is the runtime's own: it takes the planning first, then the page of readers.
  const mails = await vi.waitFor(
    async () => {
      const found = await outbox();
      expect(found).toHaveLength(READERS.length);
      return found;
    },
    { timeout: 30_000, interval: 200 },
  );
  expect(new Set(mails.map(({ to }) => to))).toEqual(new Set(READERS));
  expect(mails[0]).toMatchObject({ kind: 'digest', digest: 'weekly', issue: 1, subject: 'The week: Letter one' });

  await tick();
  expect(await call('digest.run', { digest: 'weekly' })).toEqual({ id: 'weekly', outcome: 'skipped' });
  expect(await outbox()).toHaveLength(READERS.length);
  expect((await fetchWorker('/issues/weekly/1')).status).toBe(200);
});
