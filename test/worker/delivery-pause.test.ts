import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { planDeliveries } from '../../src/app/plan.ts';
import { shift } from '../../src/domain/time.ts';
import { deliveryStore } from '../../src/store/deliveries.ts';
import { recordingTransport, type TestApp, withSession } from '../support/app.ts';
import { digestData } from '../support/content.ts';
import {
  addReaders,
  asAdmin,
  balance,
  DUE,
  deliveries,
  interrupted,
  issued,
  issues,
  leave,
  ledger,
  manyNames,
  namesOf,
  newsroom,
  planned,
  refusal,
  sharing,
  stopAfter,
  stopBefore,
  sweep,
  waitForNext,
  workNext,
  workThrough,
} from '../support/newsroom.ts';

const ISSUE = { digest: 'weekly', number: 1, revision: 1 };
const REFERENCE = { digest: 'weekly', number: 1 };

const pause = (app: TestApp, data: Record<string, unknown> = {}) =>
  app.answer('issue.pause', { ...REFERENCE, ...data });
const resume = (app: TestApp) => app.answer('issue.resume', REFERENCE);

/** Keeps all that is sent, in batches of so many. */
function recordBatches(app: TestApp, batchSize: number) {
  const { sent, transport } = recordingTransport();
  app.deps.transport = { ...transport, batchSize };
  return sent;
}

async function pausedBecause(app: TestApp): Promise<unknown> {
  const response = await asAdmin(app, '/api/v1/issues/weekly/1/deliveries');
  return (await response.json<{ pausedBecause?: string }>()).pausedBecause;
}

describe('an issue that is paused', () => {
  test('says so, and why', async () => {
    const app = await planned(['ada', 'bea']);
    expect(await pause(app, { reason: 'a wrong date in the second letter' })).toEqual({
      id: 'weekly',
      outcome: 'paused',
      issue: { ...ISSUE, audience: 2 },
    });
    expect(await balance(app)).toMatchObject({ status: 'paused', audience: 2, deliveries: { queued: 2 } });
    expect(await pausedBecause(app)).toBe('a wrong date in the second letter');
    expect(await resume(app)).toEqual({ id: 'weekly', outcome: 'resumed', issue: { ...ISSUE, audience: 2 } });
    expect(await balance(app)).toMatchObject({ status: 'sending' });
    expect(await pausedBecause(app)).toBeUndefined();
    await pause(app);
    expect(await pausedBecause(app)).toBe('by issue.pause');
  });

  test('before anything was planned is planned when it goes on', async () => {
    const app = await issued(['ada', 'bea']);
    const sent = recordBatches(app, 50);
    await pause(app);
    await app.work();
    await sweep(app);
    expect([await deliveries(), sent, app.jobs]).toEqual([{}, [], []]);
    await resume(app);
    await app.work();
    expect(namesOf(sent)).toEqual(['ada', 'bea']);
    expect(await balance(app)).toMatchObject({ status: 'sent', audience: 2, deliveries: { sent: 2 } });
  });

  test('between two steps of planning goes on where planning stopped', async () => {
    const names = manyNames(1150);
    const app = await issued(names);
    const sent = recordBatches(app, 50);
    const { plan } = app.deps.deliveries;
    let steps = 0;
    app.deps.deliveries = {
      ...app.deps.deliveries,
      async plan(issue, at) {
        steps += 1;
        if (steps === 2) await pause(app);
        return plan(issue, at);
      },
    };
    await app.work();
    await sweep(app);
    expect(await balance(app)).toMatchObject({ status: 'paused', audience: 1000, deliveries: { queued: 1000 } });
    expect(sent).toEqual([]);
    await resume(app);
    expect(await balance(app)).toMatchObject({ status: 'planning' });
    await app.work();
    expect(namesOf(sent)).toEqual(names);
    expect(await balance(app)).toMatchObject({ status: 'sent', audience: 1150, deliveries: { sent: 1150 } });
  });

  test('in the middle of a step of planning has nothing written by it', async () => {
    const app = await issued(['ada', 'bea']);
    const sent = recordBatches(app, 50);
    let paused = false;
    const db = {
      prepare: (sql: string) => env.DB.prepare(sql),
      async batch(statements: D1PreparedStatement[]) {
        if (!paused) await pause(app);
        paused = true;
        return env.DB.batch(statements);
      },
    } as D1Database;
    const limits = { bouncePercent: 5, complaintPercent: 0.1 };
    await planDeliveries({ ...app.deps, deliveries: deliveryStore(db, { unknown: 'retry', limits }) }, ISSUE);
    expect([paused, await deliveries()]).toEqual([true, {}]);
    expect(await balance(app)).toMatchObject({ status: 'paused' });
    await resume(app);
    await app.work();
    expect(namesOf(sent)).toEqual(['ada', 'bea']);
  });

  test('between two pages sends no further page until it goes on', async () => {
    const names = manyNames(250);
    const app = await planned(names);
    const sent = recordBatches(app, 50);
    await workNext(app);
    await pause(app);
    await app.work();
    await sweep(app);
    expect(sent).toHaveLength(100);
    expect(await balance(app)).toMatchObject({
      status: 'paused',
      audience: 250,
      deliveries: { sent: 100, queued: 150 },
    });
    await resume(app);
    await app.work();
    expect(namesOf(sent)).toEqual(names);
    expect(await balance(app)).toMatchObject({ status: 'sent', deliveries: { sent: 250 } });
  });

  test('during a send lets go what the carrier has in its hands, and nothing after it', async () => {
    const names = manyNames(7);
    const app = await planned(names);
    const sent = recordBatches(app, 3);
    app.deps.transport = sharing(app.deps.transport, (session) => interrupted(session, 'send', () => pause(app)));
    await app.work();
    expect(namesOf(sent)).toEqual(names.slice(0, 3));
    await sweep(app);
    expect(await balance(app)).toMatchObject({ status: 'paused', audience: 7, deliveries: { sent: 3, queued: 4 } });
    expect([sent.length, app.jobs, app.delayed]).toEqual([3, [], []]);
    await resume(app);
    await app.work();
    expect(namesOf(sent)).toEqual(names);
    expect(await balance(app)).toMatchObject({ status: 'sent', deliveries: { sent: 7 } });
  });

  test('during the last send ends as sent when it goes on', async () => {
    const app = await planned(['ada']);
    const sent = recordBatches(app, 3);
    app.deps.transport = sharing(app.deps.transport, (session) => interrupted(session, 'send', () => pause(app)));
    await app.work();
    expect(await balance(app)).toMatchObject({ status: 'paused', deliveries: { sent: 1 } });
    await resume(app);
    await app.work();
    await sweep(app);
    expect(sent).toHaveLength(1);
    expect(await balance(app)).toMatchObject({ status: 'sent', deliveries: { sent: 1 } });
  });

  test('while a consumer died is taken up again when the lease has run out', async () => {
    const app = await planned(['ada', 'bea']);
    const { sent, transport } = recordingTransport();
    app.deps.transport = sharing(transport, (session) => stopAfter(session, 'send'));
    await app.work();
    await pause(app);
    await sweep(app);
    expect(await deliveries()).toEqual({ ada: 'sending', bea: 'sending' });
    expect(sent).toHaveLength(2);
    await resume(app);
    await workThrough(app);
    expect(await balance(app)).toMatchObject({ status: 'sent', audience: 2, deliveries: { sent: 2 } });
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(2);
  });

  test('with mails that were put off sends them at their time, not before', async () => {
    const app = await planned(['ada', 'bea']);
    const times: string[] = [];
    app.deps.random = () => 0;
    app.deps.transport = withSession((session) => ({
      ...session,
      async send(mails) {
        times.push(app.clock.now);
        return mails.map(({ to }) =>
          to.startsWith('bea') && times.length === 1
            ? { status: 'deferred', error: '451 later', retryAfterSeconds: 900 }
            : { status: 'sent' },
        );
      },
    }));
    await app.work();
    await pause(app);
    app.clock.now = shift(DUE, 300);
    await resume(app);
    await app.work();
    // The job of before the pause and that of the resumption.
    while (app.delayed.length > 0) await waitForNext(app);
    await sweep(app);
    expect(times).toHaveLength(2);
    expect((times[1] ?? '') >= shift(DUE, 900)).toBe(true);
    expect(await deliveries()).toEqual({ ada: 'sent', bea: 'sent' });
  });

  test('has who left or was suppressed meanwhile left out', async () => {
    const app = await planned(['ada', 'bea', 'cid']);
    const sent = recordBatches(app, 50);
    await pause(app);
    await leave(app, 'ada');
    await env.DB.prepare(`INSERT INTO suppression VALUES ('hash of bea', 'complaint', ?)`).bind(DUE).run();
    await addReaders(['newcomer']);
    await resume(app);
    await app.work();
    expect(namesOf(sent)).toEqual(['cid']);
    expect(await deliveries()).toEqual({ ada: 'unsubscribed', bea: 'suppressed', cid: 'sent' });
  });

  test('and cancelled goes to nobody else, and its jobs find nothing to do', async () => {
    const names = manyNames(5);
    const app = await planned(names);
    const sent = recordBatches(app, 2);
    app.deps.transport = sharing(app.deps.transport, (session) => interrupted(session, 'send', () => pause(app)));
    const [job] = app.jobs;
    await app.work();
    expect(await app.answer('issue.cancel', REFERENCE)).toMatchObject({ outcome: 'cancelled', issue: { audience: 5 } });
    await workNext(app, job);
    await sweep(app);
    expect(namesOf(sent)).toEqual(names.slice(0, 2));
    expect(await balance(app)).toMatchObject({
      status: 'cancelled',
      audience: 5,
      deliveries: { sent: 2, cancelled: 3 },
    });
    expect(await refusal(app.call('issue.resume', REFERENCE))).toEqual({
      status: 422,
      text: 'Nothing was done. /data/number is cancelled; only a paused issue can be resumed',
    });
  });

  test('while mails are refused for now and cancelled then is tried no more', async () => {
    const app = await planned(['ada']);
    const { sent, transport } = recordingTransport(() => ({ status: 'deferred', error: '451 later' }));
    app.deps.transport = sharing(transport, (session) =>
      interrupted(session, 'send', async () => {
        await pause(app);
        await app.answer('issue.cancel', REFERENCE);
      }),
    );
    await workThrough(app);
    await sweep(app);
    expect(sent).toHaveLength(1);
    expect(await ledger('error')).toEqual({ ada: { status: 'cancelled', error: '451 later' } });
  });
});

describe('pause and resume', () => {
  test.each([
    ['issue.pause', 'held', 'is held; only what is under way can be paused'],
    ['issue.pause', 'paused', 'is paused; only what is under way can be paused'],
    ['issue.pause', 'sent', 'is sent; only what is under way can be paused'],
    ['issue.pause', 'cancelled', 'is cancelled; only what is under way can be paused'],
    ['issue.pause', 'superseded', 'is superseded; only what is under way can be paused'],
    ['issue.resume', 'held', 'is held; only a paused issue can be resumed'],
    ['issue.resume', 'planning', 'is planning; only a paused issue can be resumed'],
    ['issue.resume', 'sending', 'is sending; only a paused issue can be resumed'],
    ['issue.resume', 'sent', 'is sent; only a paused issue can be resumed'],
    ['issue.resume', 'cancelled', 'is cancelled; only a paused issue can be resumed'],
    ['issue.cancel', 'superseded', 'is superseded; there is nothing left to stop'],
    ['issue.approve', 'paused', 'is paused; only a held issue can be approved'],
  ])('%s of an issue that is %s is refused and changes nothing', async (type, status, message) => {
    const app = await planned(['ada']);
    await env.DB.prepare('UPDATE issue SET status = ?').bind(status).run();
    app.jobs.splice(0);
    const text = `Nothing was done. /data/number ${message}`;
    expect(await refusal(app.call(type, REFERENCE))).toEqual({ status: 422, text });
    expect(await issues()).toMatchObject([{ status }]);
    expect([await deliveries(), app.jobs]).toEqual([{ ada: 'queued' }, []]);
  });

  test.each(['issue.pause', 'issue.resume'])('%s of an unknown issue names it', async (type) => {
    const app = await newsroom();
    const text = 'Nothing was done. /data/number digest "weekly" has no issue 7';
    expect(await refusal(app.call(type, { digest: 'weekly', number: 7 }))).toEqual({ status: 422, text });
  });

  test('the reason is one line', async () => {
    const app = await planned(['ada']);
    const { status, text } = await refusal(app.call('issue.pause', { ...REFERENCE, reason: 'one\ntwo' }));
    expect([status, text]).toEqual([422, expect.stringContaining('/data/reason must be one line')]);
    expect(await issues()).toMatchObject([{ status: 'sending' }]);
  });

  test('a repeat of either call gets the first answer, and does nothing again', async () => {
    const app = await planned(['ada', 'bea']);
    const sent = recordBatches(app, 1);
    const first = await app.answer('issue.pause', REFERENCE, { id: 'pause-1' });
    expect(await app.answer('issue.pause', REFERENCE, { id: 'pause-1' })).toEqual(first);
    const second = await app.answer('issue.resume', REFERENCE, { id: 'resume-1' });
    expect(await app.answer('issue.pause', REFERENCE, { id: 'pause-1' })).toEqual(first);
    expect(await issues()).toMatchObject([{ status: 'sending' }]);
    expect(await app.answer('issue.resume', REFERENCE, { id: 'resume-1' })).toEqual(second);
    await pause(app);
    expect(await app.answer('issue.resume', REFERENCE, { id: 'resume-1' })).toEqual(second);
    expect(await issues()).toMatchObject([{ status: 'paused' }]);
    await app.work();
    expect(sent).toEqual([]);
    await resume(app);
    await app.work();
    expect(await app.answer('issue.resume', REFERENCE, { id: 'resume-1' })).toEqual(second);
    await app.work();
    expect(namesOf(sent)).toEqual(['ada', 'bea']);
    expect(await issues()).toMatchObject([{ status: 'sent' }]);
  });

  test('of two different calls at once one is refused', async () => {
    const app = await planned(['ada']);
    for (const type of ['issue.pause', 'issue.resume']) {
      const statuses = await Promise.all([1, 2].map(async () => (await app.call(type, REFERENCE)).status));
      expect(statuses.toSorted()).toEqual([200, 422]);
    }
  });

  test.each([
    ['the call is repeated', (app: TestApp) => app.answer('issue.resume', REFERENCE, { id: 'resume-1' })],
    ['a tick comes', (app: TestApp) => app.tick(shift(DUE, 300))],
  ])('what a lost queue should have got after a resumption is queued when %s', async (_name, next) => {
    const app = await planned(['ada', 'bea']);
    const sent = recordBatches(app, 50);
    app.jobs.splice(0);
    await pause(app);
    const { queue } = app.deps;
    app.deps.queue = stopBefore(queue, 'send', 9);
    expect((await app.call('issue.resume', REFERENCE, { id: 'resume-1' })).status).toBe(500);
    app.deps.queue = queue;
    await next(app);
    await app.work();
    expect(namesOf(sent)).toEqual(['ada', 'bea']);
    expect(await issues()).toMatchObject([{ status: 'sent' }]);
  });
});

describe('too many bounces', () => {
  /** Of all readers, those of these numbers have no mailbox. */
  function bouncing(app: TestApp, numbers: number[]) {
    const gone = new Set(numbers.map((number) => `reader${String(number).padStart(4, '0')}@reader.example`));
    const { sent, transport } = recordingTransport(({ to }) =>
      gone.has(to) ? { status: 'failed', error: '550 5.1.1 no such user', bounce: true } : { status: 'sent' },
    );
    app.deps.transport = transport;
    return sent;
  }

  test('pause the issue, which says why; resumed, it counts anew', async () => {
    const names = manyNames(300);
    const app = await planned(names);
    const sent = bouncing(app, [1, 2, 3, 4, 5, 60, 61, 101, 102, 103, 104, 105]);
    await app.work();
    await sweep(app);
    expect(sent).toHaveLength(100);
    expect(await balance(app)).toMatchObject({
      status: 'paused',
      pausedBecause: '7 of 100 mails bounced, over the limit of 5 percent',
      audience: 300,
      deliveries: { sent: 93, bounced: 7, queued: 200 },
    });
    await resume(app);
    await app.work();
    // 5 of the next 100 are no more than the limit, though 12 of 200 would be.
    expect(namesOf(sent)).toEqual(names);
    expect(await balance(app)).toMatchObject({ status: 'sent', deliveries: { sent: 288, bounced: 12 } });
  });

  test('after a resumption pause it again', async () => {
    const app = await planned(manyNames(300));
    const sent = bouncing(app, [1, 2, 3, 4, 5, 6, 101, 102, 103, 104, 105, 106, 107, 108]);
    await app.work();
    await resume(app);
    await app.work();
    expect(sent).toHaveLength(200);
    expect(await pausedBecause(app)).toBe('8 of 100 mails bounced, over the limit of 5 percent');
  });

  test.each([
    [5, undefined, 'sent'],
    [6, undefined, 'paused'],
    [2, '2', 'sent'],
    [3, '2', 'paused'],
    // One is bad luck.
    [1, '0.5', 'sent'],
    [2, '0.5', 'paused'],
  ])('are more than the limit: %d of 100 with a limit of %s', async (count, limit, status) => {
    const vars = limit === undefined ? {} : { BOUNCE_LIMIT_PERCENT: limit };
    const app = await planned(manyNames(100), { vars });
    bouncing(
      app,
      Array.from({ length: count }, (_, index) => index),
    );
    await app.work();
    expect(await balance(app)).toMatchObject({ status, deliveries: { bounced: count } });
  });

  test('of few mails say nothing', async () => {
    const app = await planned(manyNames(99));
    bouncing(
      app,
      Array.from({ length: 30 }, (_, index) => index),
    );
    await app.work();
    expect(await balance(app)).toMatchObject({ status: 'sent', deliveries: { sent: 69, bounced: 30 } });
  });
});

test('a subscriber of two digests that share an article gets each digest once', async () => {
  const digests = [digestData(), digestData({ id: 'harbour', title: 'Harbour news' })];
  const app = await newsroom({ settings: { digests }, articles: ['one'] });
  await addReaders(['ada', 'bea']);
  await addReaders(['ada'], 'harbour');
  const sent = recordBatches(app, 50);
  for (const at of [DUE, DUE, shift(DUE, 300)]) {
    app.clock.now = at;
    await app.tick(at);
    await app.work();
  }
  await sweep(app);
  expect(sent.map(({ messageId }) => messageId).toSorted((one, other) => one.localeCompare(other))).toEqual([
    '<harbour.1.1.ada@news.example>',
    '<weekly.1.1.ada@news.example>',
    '<weekly.1.1.bea@news.example>',
  ]);
  expect(await issues()).toMatchObject([
    { digest: 'harbour', status: 'sent', titles: ['Letter one'] },
    { digest: 'weekly', status: 'sent', titles: ['Letter one'] },
  ]);
});
