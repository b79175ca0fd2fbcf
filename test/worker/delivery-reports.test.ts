import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { shift } from '../../src/domain/time.ts';
import { consume } from '../../src/jobs.ts';
import { answering, recordingTransport, type TestApp } from '../support/app.ts';
import {
  addReaders,
  asAdmin,
  balance,
  DUE,
  issued,
  leave,
  newsroom,
  planned,
  publish,
  suppress,
  sweep,
  withDigest,
} from '../support/newsroom.ts';

const ISSUE = { digest: 'weekly', number: 1, revision: 1 };
const BEFORE = '2026-06-01T00:00:00Z';
const SENT_ISSUE = { ...ISSUE, issueStatus: 'sent', releasedAt: DUE };
const ACTIVE = { digest: 'weekly', status: 'active', since: BEFORE };

function history(app: TestApp, email: string): Promise<Response> {
  return asAdmin(app, `/api/v1/subscribers/deliveries?email=${encodeURIComponent(email)}`);
}

/** What operators are told of a reader. */
async function historyOf(app: TestApp, name: string): Promise<unknown> {
  await hashAddresses(app, [name]);
  const response = await history(app, `${name}@reader.example`);
  expect(response.status).toBe(200);
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  return response.json();
}

/** Readers added by a test have no true hash of their address, which is what the product looks suppressions up by. */
async function hashAddresses(app: TestApp, names: string[]): Promise<void> {
  for (const name of names) {
    const hash = await app.deps.hashes.address(`${name}@reader.example`);
    await env.DB.prepare('UPDATE subscriber SET addressHash = ? WHERE id = ?').bind(hash, name).run();
  }
}

describe('why did this person not get it', () => {
  test('they did: when, and what the carrier calls it', async () => {
    const app = await planned(['ada']);
    app.deps.transport = recordingTransport(() => ({ status: 'sent', providerId: 'carrier-7' })).transport;
    await app.work();
    expect(await historyOf(app, 'ada')).toEqual({
      email: 'ada@reader.example',
      subscriberId: 'ada',
      softBounces: 0,
      subscriptions: [ACTIVE],
      issues: [{ ...SENT_ISSUE, status: 'sent', attempts: 1, sentAt: DUE, providerId: 'carrier-7' }],
    });
  });

  test('they left before it was planned', async () => {
    const app = await issued(['ada']);
    await leave(app, 'ada');
    await app.work();
    expect(await historyOf(app, 'ada')).toEqual({
      email: 'ada@reader.example',
      subscriberId: 'ada',
      softBounces: 0,
      subscriptions: [{ ...ACTIVE, status: 'unsubscribed', unsubscribedAt: DUE }],
      issues: [SENT_ISSUE],
    });
  });

  test('they left before their turn', async () => {
    const app = await planned(['ada']);
    await leave(app, 'ada');
    await app.work();
    expect(await historyOf(app, 'ada')).toMatchObject({
      subscriptions: [{ status: 'unsubscribed', unsubscribedAt: DUE }],
      issues: [{ ...ISSUE, status: 'unsubscribed', attempts: 0 }],
    });
  });

  test.each([
    ['before it was planned', issued, undefined],
    ['before their turn', planned, 'suppressed'],
  ])('the address was suppressed %s', async (_when, begin, status) => {
    const app = await begin(['ada']);
    await hashAddresses(app, ['ada']);
    const hash = await app.deps.hashes.address('ada@reader.example');
    await app.deps.suppressions.add(hash, 'complaint', DUE);
    await app.work();
    const seen = await historyOf(app, 'ada');
    expect(seen).toMatchObject({
      suppression: { reason: 'complaint', createdAt: DUE },
      subscriptions: [ACTIVE],
      issues: [{ ...SENT_ISSUE, ...(status ? { status, attempts: 0 } : {}) }],
    });
    if (!status) expect(seen).toHaveProperty('issues', [SENT_ISSUE]);
  });

  test('the carrier refused it, with its reason', async () => {
    const app = await planned(['ada']);
    const error = '552 5.2.2 mailbox full';
    app.deps.transport = recordingTransport(() => ({ status: 'failed', error })).transport;
    await app.work();
    expect(await historyOf(app, 'ada')).toMatchObject({
      issues: [{ ...SENT_ISSUE, status: 'failed', attempts: 1, error }],
    });
  });

  test('the address does not exist, so it is suppressed from then on', async () => {
    const app = await planned(['ada']);
    await hashAddresses(app, ['ada']);
    const error = '550 5.1.1 no such user';
    app.deps.transport = recordingTransport(() => ({ status: 'failed', error, bounce: true })).transport;
    await app.work();
    expect(await historyOf(app, 'ada')).toMatchObject({
      suppression: { reason: 'hard_bounce', createdAt: DUE },
      issues: [{ ...SENT_ISSUE, status: 'bounced', attempts: 1, error }],
    });
  });

  test('it is put off, until when and why', async () => {
    const app = await planned(['ada']);
    app.deps.random = () => 0;
    app.deps.transport = answering({ status: 'deferred', error: '451 later', retryAfterSeconds: 900 }).transport;
    await app.work();
    expect(await historyOf(app, 'ada')).toMatchObject({
      issues: [
        {
          ...ISSUE,
          issueStatus: 'sending',
          status: 'queued',
          attempts: 1,
          retryAt: shift(DUE, 900),
          error: '451 later',
        },
      ],
    });
  });

  test('they joined after it was released: no delivery', async () => {
    const app = await issued(['ada']);
    await addReaders(['bea']);
    await env.DB.prepare(`UPDATE subscription SET confirmedAt = ? WHERE subscriberId = 'bea'`)
      .bind(shift(DUE, 1))
      .run();
    await app.work();
    expect(await historyOf(app, 'bea')).toMatchObject({
      subscriptions: [{ ...ACTIVE, since: shift(DUE, 1) }],
      issues: [SENT_ISSUE],
    });
    expect(await balance(app)).toMatchObject({ audience: 1, deliveries: { sent: 1 } });
  });

  test('they never confirmed', async () => {
    const app = await issued(['ada']);
    await env.DB.prepare(`UPDATE subscription SET status = 'pending'`).run();
    await app.work();
    expect(await historyOf(app, 'ada')).toMatchObject({
      subscriptions: [{ ...ACTIVE, status: 'pending' }],
      issues: [SENT_ISSUE],
    });
  });

  test('the issue is held, or was dropped: it is not released', async () => {
    const app = await issued(['ada'], withDigest({ mode: 'approve' }));
    expect(await historyOf(app, 'ada')).toMatchObject({ subscriptions: [ACTIVE], issues: [] });
    await app.answer('issue.cancel', { digest: 'weekly', number: 1 });
    expect(await historyOf(app, 'ada')).toMatchObject({ subscriptions: [ACTIVE], issues: [] });
  });

  test('the issue is paused', async () => {
    const app = await planned(['ada']);
    await app.answer('issue.pause', { digest: 'weekly', number: 1 });
    expect(await historyOf(app, 'ada')).toMatchObject({ issues: [{ issueStatus: 'paused', status: 'queued' }] });
  });

  test('nobody has the address', async () => {
    const app = await planned(['ada']);
    await app.work();
    const nothing = { softBounces: 0, subscriptions: [], issues: [] };
    expect(await historyOf(app, 'nobody')).toEqual({ email: 'nobody@reader.example', ...nothing });
  });

  test('nobody has the address any more, but it must not be mailed', async () => {
    const app = await newsroom();
    await app.deps.suppressions.add(await app.deps.hashes.address('gone@reader.example'), 'manual', BEFORE);
    expect(await historyOf(app, 'gone')).toMatchObject({
      suppression: { reason: 'manual', createdAt: BEFORE },
      subscriptions: [],
    });
  });

  test('of several digests and issues the newest comes first', async () => {
    const app = await planned(['ada']);
    await app.work();
    await addReaders(['ada'], 'harbour');
    await publish(app, 'two');
    app.clock.now = shift(DUE, 3600);
    await app.answer('digest.run', { digest: 'weekly' });
    await app.work();
    expect(await historyOf(app, 'ada')).toMatchObject({
      subscriptions: [{ digest: 'harbour' }, { digest: 'weekly' }],
      issues: [
        { number: 2, status: 'sent', sentAt: shift(DUE, 3600) },
        { number: 1, status: 'sent', sentAt: DUE },
      ],
    });
  });

  test.each([['  ada@READER.example '], ['ada@reader.example'], ['Ada@reader.example']])(
    'the address may be written %j',
    async (email) => {
      const app = await planned(['ada']);
      await hashAddresses(app, ['ada']);
      const response = await history(app, email);
      expect(await response.json()).toMatchObject({ subscriberId: 'ada' });
    },
  );

  test.each([
    [''],
    ['ada'],
    ['ada@'],
    ['ada@reader'],
    ['Ada <ada@reader.example>'],
    ['ada@reader.example, bea@reader.example'],
  ])('%j is no address', async (email) => {
    const app = await newsroom();
    const response = await history(app, email);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      detail: 'Nothing was looked up.',
      errors: [{ pointer: '/email', message: 'must be an e-mail address: ?email=ada%40reader.example' }],
    });
  });

  test.each([
    '/api/v1/subscribers/deliveries?email=ada%40reader.example',
    '/api/v1/issues/weekly/1/deliveries',
    '/api/v1/dead-letters',
  ])('%s is for the admin token alone', async (path) => {
    const app = await planned(['ada']);
    for (const headers of [{}, { Authorization: 'Bearer wrong' }, { Authorization: 'Bearer ' }]) {
      const response = await app.fetch(path, { headers });
      expect([response.status, await response.text()]).toEqual([401, expect.not.stringContaining('ada@')]);
    }
    expect((await asAdmin(app, path)).status).toBe(200);
  });
});

describe('the deliveries of an issue', () => {
  test('add up, and say what was said of them, the most frequent first', async () => {
    const app = await planned(['ada', 'bea', 'cid', 'dee', 'eva', 'fay', 'gus']);
    await leave(app, 'eva');
    await suppress('fay');
    const FULL = '552 5.2.2 mailbox full';
    const LATER = '451 4.3.0 come back later';
    app.deps.transport = recordingTransport(({ to }) => {
      if (/^(?:ada|bea)@/.test(to)) return { status: 'failed', error: FULL };
      if (to.startsWith('cid')) return { status: 'deferred', error: LATER };
      return to.startsWith('dee') ? { status: 'failed', error: '550 no such user', bounce: true } : { status: 'sent' };
    }).transport;
    await app.work();
    expect(await balance(app)).toEqual({
      ...ISSUE,
      status: 'sending',
      audience: 7,
      deliveries: { failed: 2, queued: 1, bounced: 1, sent: 1, suppressed: 1, unsubscribed: 1 },
      reasons: [
        { status: 'failed', reason: FULL, count: 2 },
        { status: 'bounced', reason: '550 no such user', count: 1 },
        { status: 'queued', reason: LATER, count: 1 },
      ],
    });
  });

  test.each([
    ['weekly/2', 404],
    ['monthly/1', 404],
    ['weekly/0', 404],
    ['weekly/x', 404],
    ['weekly/1', 200],
  ])('of %s are answered with %d', async (path, status) => {
    const app = await planned(['ada']);
    expect((await asAdmin(app, `/api/v1/issues/${path}/deliveries`)).status).toBe(status);
  });
});

test('what is given up is listed without an address, newest first', async () => {
  const app = await planned(['ada']);
  app.deps.transport = recordingTransport(() => ({ status: 'failed', error: '554 no' })).transport;
  await app.work();
  await sweep(app);
  await keepBuried(app);
  const response = await asAdmin(app, '/api/v1/dead-letters');
  const { deadLetters } = await response.json<{ deadLetters: { job: unknown; at: string }[] }>();
  expect(deadLetters.map(({ job, at }) => [job, at])).toEqual([
    [{ kind: 'given up', issue: ISSUE, subscriberId: 'ada', status: 'failed', error: '554 no' }, app.clock.now],
  ]);
  expect(app.logged).toMatchObject([{ message: 'a job was given up', context: { job: { subscriberId: 'ada' } } }]);
  expect(JSON.stringify([deadLetters, app.logged])).not.toContain('@');
});

/** Hands what was buried to the consumer of the dead letter queue, as the platform does. */
async function keepBuried(app: TestApp): Promise<void> {
  const messages = app.buried.map((body, index) => ({ id: `d${index}`, timestamp: new Date(0), attempts: 1, body }));
  const batch = createMessageBatch('broadside-jobs-dead', messages);
  await consume(app.deps, batch);
  expect((await getQueueResult(batch, createExecutionContext())).ackAll).toBe(true);
}
