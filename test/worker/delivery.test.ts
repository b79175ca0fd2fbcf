import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { deliverPage } from '../../src/app/deliver.ts';
import { planDeliveries } from '../../src/app/plan.ts';
import { readPublication } from '../../src/app/settings.ts';
import { shift } from '../../src/domain/time.ts';
import { recordingTransport, type TestApp, testApp, withSession } from '../support/app.ts';
import { emptyDatabase, metered } from '../support/database.ts';
import {
  addReaders,
  balance,
  DUE,
  deliveries,
  issues,
  manyNames,
  newsroom,
  outbox,
  sharing,
  stopAfter,
  stopBefore,
  suppress,
  workBatch,
  workNext,
} from '../support/newsroom.ts';

const ISSUE = { digest: 'weekly', number: 1, revision: 1 };
const EVERYBODY = { after: '', through: 'zzz' };
const OPEN = { issue: ISSUE, page: EVERYBODY };

/** An issue that is frozen, with the given readers and its planning waiting in the queue. */
async function issued(names: string[]): Promise<TestApp> {
  const app = await newsroom({ articles: ['one'] });
  await addReaders(names);
  app.clock.now = DUE;
  await app.tick(DUE);
  return app;
}

/** The same with its delivery rows written, and the page's job waiting in the queue. */
async function planned(names: string[]): Promise<TestApp> {
  const app = await issued(names);
  await workNext(app);
  return app;
}

async function leave(app: TestApp, name: string): Promise<void> {
  await app.deps.subscriptions.unsubscribe(name, ['weekly'], { way: 'mail' }, app.clock.now);
}

async function deliver(app: TestApp): Promise<void> {
  const publication = await readPublication(app.deps.publications, app.deps.baseUrl);
  const through = await env.DB.prepare('SELECT max(through) AS id FROM deliveryPage').first<string>('id');
  const page = { ...EVERYBODY, ...(through ? { through } : {}) };
  if (publication) await deliverPage(app.deps, publication, { issue: ISSUE, page });
}

/** Lets the time of a lease and of the sweep pass, as ticks see it. */
async function sweep(app: TestApp): Promise<void> {
  app.clock.now = shift(app.clock.now, 1000);
  await app.tick(app.clock.now);
  await app.work();
}

function recipients(mails: { to: string }[]): string[] {
  return mails.map(({ to }) => to.replace('@reader.example', '')).sort((one, other) => one.localeCompare(other));
}

describe('planning', () => {
  test('twice writes each delivery once', async () => {
    const app = await issued(['ada', 'bea']);
    await planDeliveries(app.deps, ISSUE);
    await planDeliveries(app.deps, ISSUE);
    await app.work();
    expect(await deliveries()).toEqual({ ada: 'sent', bea: 'sent' });
    expect(await outbox(app)).toHaveLength(2);
  });

  test('by two at once writes each delivery once', async () => {
    const app = await issued(manyNames(250));
    await Promise.all([planDeliveries(app.deps, ISSUE), planDeliveries(app.deps, ISSUE)]);
    expect(await balance(app)).toMatchObject({ audience: 250, deliveries: { queued: 250 } });
    await app.work();
    expect(await outbox(app)).toHaveLength(250);
  });

  test('does not end at a page whose people all left', async () => {
    const names = manyNames(250);
    const app = await issued(names);
    for (const name of names.slice(100, 200)) await leave(app, name);
    await app.work();
    const rest = [...names.slice(0, 100), ...names.slice(200)];
    expect(recipients(await outbox(app))).toEqual(rest);
    expect(await balance(app)).toMatchObject({ status: 'sent', audience: 150, deliveries: { sent: 150 } });
  });

  test('of more than ten thousand goes on in a further job', async () => {
    const app = await issued(manyNames(10_050));
    await workNext(app);
    expect(app.jobs.map(({ kind }) => kind)).toEqual([...Array(100).fill('deliver'), 'plan']);
    await workNext(app, app.jobs.pop());
    expect(app.jobs.map(({ kind }) => kind)).toEqual(Array(101).fill('deliver'));
    expect(await balance(app)).toMatchObject({ status: 'sending', audience: 10_050, deliveries: { queued: 10_050 } });
  });

  test('that stops between two pages is taken up again, and nobody gets two mails or none', async () => {
    const names = manyNames(1100);
    const app = await issued(names);
    const { send } = app.deps.queue;
    let calls = 0;
    app.deps.queue.send = async (jobs) => {
      calls += 1;
      if (calls === 2) throw new Error('the queue is away');
      await send(jobs);
    };
    const result = await workNext(app, { kind: 'plan', issue: ISSUE });
    expect(result.retryMessages.map(({ msgId }) => msgId)).toEqual(['m0']);
    expect(await balance(app)).toMatchObject({ status: 'planning', audience: 1100 });
    await app.work();
    await sweep(app);
    await sweep(app);
    expect(recipients(await outbox(app))).toEqual(names);
    expect(await balance(app)).toMatchObject({ status: 'sent', audience: 1100, deliveries: { sent: 1100 } });
  });

  test('whose jobs are all lost is found by the sweep', async () => {
    const app = await planned(['ada', 'bea']);
    app.jobs.splice(0);
    await app.tick(shift(DUE, 300));
    expect(app.jobs).toEqual([]);
    await sweep(app);
    expect(recipients(await outbox(app))).toEqual(['ada', 'bea']);
    expect(await issues()).toMatchObject([{ status: 'sent' }]);
  });

  test('leaves out who is not active or is suppressed', async () => {
    const app = await issued(['ada', 'bea', 'cid', 'dee']);
    await leave(app, 'bea');
    await suppress('cid');
    await env.DB.prepare(`UPDATE subscription SET status = 'pending' WHERE subscriberId = 'dee'`).run();
    await app.work();
    expect(await deliveries()).toEqual({ ada: 'sent' });
  });

  test('for nobody at all ends as sent', async () => {
    const app = await issued([]);
    await app.work();
    expect(await balance(app)).toEqual({ ...ISSUE, status: 'sent', audience: 0, deliveries: {}, reasons: [] });
  });

  test('is of one digest alone', async () => {
    const app = await issued(['ada']);
    await addReaders(['ada', 'bea'], 'other');
    await app.work();
    expect(await deliveries()).toEqual({ ada: 'sent' });
  });
});

test('the audience is the sum of all states at every moment, and does not move', async () => {
  const names = manyNames(120);
  const app = await planned(names);
  const seen: number[] = [];
  const look = async () => {
    const { audience, deliveries: states } = await balance(app);
    expect(Object.values(states).reduce((sum, count) => sum + count, 0)).toBe(audience);
    seen.push(audience);
  };
  await look();
  await leave(app, 'reader0003');
  await suppress('reader0004');
  await addReaders(['newcomer']);
  const recording = recordingTransport(({ to }) =>
    to.startsWith('reader0005') ? { status: 'failed', error: '550 5.1.1 no such user' } : { status: 'sent' },
  );
  app.deps.transport = withSession(
    (session) => ({
      ...session,
      async send(mails, key) {
        await look();
        return session.send(mails, key);
      },
    }),
    recording.transport,
  );
  while (app.jobs.length > 0) {
    await workNext(app);
    await look();
  }
  expect(new Set(seen)).toEqual(new Set([120]));
  expect(await balance(app)).toMatchObject({
    status: 'sent',
    deliveries: { sent: 117, unsubscribed: 1, suppressed: 1, failed: 1 },
  });
});

describe('a page', () => {
  test.each([
    ['delivered twice', async (app: TestApp) => [await deliver(app), await deliver(app)]],
    ['in the hands of two consumers', (app: TestApp) => Promise.all([deliver(app), deliver(app)])],
  ])('%s is sent once', async (_name, consumers) => {
    const app = await planned(['ada', 'bea', 'cid']);
    const { sent, transport } = recordingTransport();
    app.deps.transport = transport;
    await consumers(app);
    expect(recipients(sent)).toEqual(['ada', 'bea', 'cid']);
    expect(await issues()).toMatchObject([{ status: 'sent' }]);
  });

  test.each([
    [
      'before it sends',
      (app: TestApp) => {
        app.deps.transport = sharing(app.deps.transport, (session) => stopBefore(session, 'send'));
      },
    ],
    [
      'after it sent, before it records',
      (app: TestApp) => {
        app.deps.transport = sharing(app.deps.transport, (session) => stopAfter(session, 'send'));
      },
    ],
    [
      'while it records',
      (app: TestApp) => {
        app.deps.deliveries = stopBefore(app.deps.deliveries, 'record');
      },
    ],
    [
      'after it recorded',
      (app: TestApp) => {
        app.deps.deliveries = stopAfter(app.deps.deliveries, 'record');
      },
    ],
  ])('whose consumer dies %s is sent when its lease has run out, as the same message', async (_name, die) => {
    const app = await planned(['ada', 'bea']);
    const messageIds: string[] = [];
    app.deps.transport = withSession(
      (session) => ({
        ...session,
        async send(mails, key) {
          messageIds.push(...mails.map(({ messageId }) => messageId));
          return session.send(mails, key);
        },
      }),
      app.deps.transport,
    );
    die(app);
    const [job] = app.jobs.splice(0);
    expect((await workNext(app, job)).retryMessages).toHaveLength(1);
    // The platform's own retry comes within the lease: nothing is sent twice.
    await workNext(app, job);
    await sweep(app);
    expect(await deliveries()).toEqual({ ada: 'sent', bea: 'sent' });
    expect(await issues()).toMatchObject([{ status: 'sent' }]);
    expect(recipients(await outbox(app))).toEqual(['ada', 'bea']);
    expect(new Set(messageIds)).toEqual(new Set(['<weekly.1.1.ada@news.example>', '<weekly.1.1.bea@news.example>']));
  });

  test.each([
    [299, 0],
    [300, 1],
  ])('that was leased %i seconds ago is leased again by %i consumer', async (seconds, consumers) => {
    const app = await planned(['ada']);
    await app.deps.deliveries.lease(OPEN, { at: DUE, until: shift(DUE, 300), limit: 50, batch: 'b' });
    const { sent, transport } = recordingTransport();
    app.deps.transport = transport;
    app.clock.now = shift(DUE, seconds);
    await deliver(app);
    expect(sent).toHaveLength(consumers);
  });

  test('gives nothing to who left or was suppressed after planning, and says so', async () => {
    const app = await planned(['ada', 'bea', 'cid']);
    await leave(app, 'ada');
    await suppress('bea');
    await app.work();
    expect(await deliveries()).toEqual({ ada: 'unsubscribed', bea: 'suppressed', cid: 'sent' });
    expect(recipients(await outbox(app))).toEqual(['cid']);
  });

  test('goes to the address that somebody has at the time of sending', async () => {
    const app = await planned(['ada']);
    await env.DB.prepare(`UPDATE subscriber SET email = 'new@reader.example' WHERE id = 'ada'`).run();
    await app.work();
    expect(recipients(await outbox(app))).toEqual(['new']);
  });

  test('records what the transport refused and why, and does not try again', async () => {
    const app = await planned(['ada', 'bea']);
    const { sent, transport } = recordingTransport(({ to }) =>
      to.startsWith('bea') ? { status: 'failed', error: '552 mailbox full' } : { status: 'sent' },
    );
    app.deps.transport = transport;
    await app.work();
    await sweep(app);
    expect(sent).toHaveLength(2);
    const { results } = await env.DB.prepare('SELECT status, error FROM delivery ORDER BY subscriberId').all();
    expect(results).toEqual([
      { status: 'sent', error: null },
      { status: 'failed', error: '552 mailbox full' },
    ]);
  });

  test('with one address that no mail can be made for reaches the others', async () => {
    const app = await planned(['ada', 'bea', 'cid']);
    await env.DB.prepare(
      `UPDATE subscriber SET email = 'bea@reader.example' || char(10) || 'Bcc: x' WHERE id = 'bea'`,
    ).run();
    await app.work();
    expect(await deliveries()).toEqual({ ada: 'sent', bea: 'failed', cid: 'sent' });
    const row = await env.DB.prepare(`SELECT error FROM delivery WHERE subscriberId = 'bea'`).first<{
      error: string;
    }>();
    expect(row?.error).toMatch(/slot "to"/);
    expect(app.logged).toEqual([]);
  });

  test('for which the transport gives too few results is in doubt where none was given', async () => {
    const app = await planned(['ada', 'bea']);
    app.deps.transport = withSession((session) => ({ ...session, send: async () => [{ status: 'sent' }] }));
    await app.work();
    expect(await deliveries()).toEqual({ ada: 'sent', bea: 'queued' });
    expect(await balance(app)).toMatchObject({
      reasons: [{ status: 'queued', reason: 'the transport gave no result', count: 1 }],
    });
  });

  test('of a revision that is no longer the newest is left alone', async () => {
    const app = await planned(['ada']);
    await workBatch(app, [{ kind: 'deliver', issue: { ...ISSUE, revision: 2 }, page: EVERYBODY }]);
    expect(await deliveries()).toEqual({ ada: 'queued' });
  });
});

test.each([
  ['taken', () => ({ status: 'sent' as const })],
  ['refused for now', () => ({ status: 'deferred' as const, error: '451 later' })],
])(
  'a page of mails that are %s looks at as many rows, however many people the issue goes to',
  async (_name, result) => {
    const read: number[] = [];
    for (const people of [200, 3000]) {
      await emptyDatabase();
      const app = await issued(manyNames(people));
      await planDeliveries(app.deps, ISSUE);
      const { db, rows } = metered();
      const { deps } = testApp({ db, now: DUE });
      const publication = await readPublication(deps.publications, deps.baseUrl);
      const [job] = app.jobs.filter(({ kind }) => kind === 'deliver');
      rows.read = 0;
      if (publication && job?.kind === 'deliver') {
        await deliverPage({ ...deps, transport: recordingTransport(result).transport }, publication, job);
      }
      read.push(rows.read);
    }
    const [few = 0, many = 0] = read;
    expect(few).toBeGreaterThan(100);
    expect(many).toBe(few);
  },
);

describe('a batch of jobs', () => {
  test('acknowledges each message by itself; what it cannot read is logged and retried', async () => {
    const app = await planned(['ada']);
    const [job] = app.jobs.splice(0);
    const unknown = [null, 'plan', { kind: 'reissue' }, { kind: 'plan' }, { kind: 'deliver', issue: ISSUE }, [], 7];
    const result = await workBatch(app, [unknown[0], job, ...unknown.slice(1), { kind: 'notice' }]);
    expect(result.explicitAcks).toEqual(['m1', 'm8']);
    expect(result.retryMessages.map(({ msgId }) => msgId)).toEqual(['m0', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7']);
    expect(app.logged).toHaveLength(unknown.length);
    expect(await deliveries()).toEqual({ ada: 'sent' });
  });

  test('for an issue that nobody knows does nothing', async () => {
    const app = await newsroom();
    const issue = { digest: 'weekly', number: 9, revision: 1 };
    const result = await workBatch(app, [
      { kind: 'plan', issue },
      { kind: 'deliver', issue, page: EVERYBODY },
    ]);
    expect(result.explicitAcks).toEqual(['m0', 'm1']);
    expect(await outbox(app)).toEqual([]);
  });
});
