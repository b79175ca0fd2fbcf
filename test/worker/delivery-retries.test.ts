import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { MOST_ATTEMPTS, MOST_TRIES } from '../../src/domain/delivery.ts';
import { shift } from '../../src/domain/time.ts';
import type { SendResult } from '../../src/domain/transport.ts';
import { answering, recordingTransport } from '../support/app.ts';
import { digestData, publicationData } from '../support/content.ts';
import {
  addReaders,
  balance,
  DUE,
  deliveries,
  leave,
  ledger,
  manyNames,
  namesOf,
  planned,
  sweep,
  workNext,
  workThrough,
} from '../support/newsroom.ts';

const ISSUE = { digest: 'weekly', number: 1, revision: 1 };
const LATER: SendResult = { status: 'deferred', error: '451 4.3.0 come back later' };
const LIMITED: SendResult = { status: 'limited', error: '421 4.7.0 too many messages' };

describe('a mail that is refused for now', () => {
  test('is put off until its time, with the reason in its row, and its page with it', async () => {
    const app = await planned(['ada', 'bea']);
    const { sent, transport } = recordingTransport(({ to }) => (to.startsWith('bea') ? LATER : { status: 'sent' }));
    app.deps.transport = transport;
    app.deps.random = () => 0.5;
    await app.work();
    expect(await ledger('attempts', 'heldBack', 'retryAt', 'error', 'leasedUntil')).toEqual({
      ada: { status: 'sent', attempts: 1, heldBack: 0, retryAt: null, error: null, leasedUntil: null },
      bea: {
        status: 'queued',
        attempts: 1,
        heldBack: 0,
        retryAt: shift(DUE, 45),
        error: '451 4.3.0 come back later',
        leasedUntil: null,
      },
    });
    expect(app.delayed).toEqual([{ kind: 'deliver', issue: ISSUE, page: { after: '', through: 'bea' } }]);
    expect(app.delays).toEqual([45]);
    expect(namesOf(sent)).toEqual(['ada', 'bea']);
    expect(app.buried).toEqual([]);
  });

  test('is sent then, as the same message, and keeps what was said before', async () => {
    const app = await planned(['ada']);
    const { sent, transport } = answering(LATER, { status: 'sent', providerId: 'p-1' });
    app.deps.transport = transport;
    await workThrough(app);
    expect(sent.map(({ messageId }) => messageId)).toEqual(Array(2).fill('<weekly.1.1.ada@news.example>'));
    expect(sent[1]).toEqual(sent[0]);
    expect(await ledger('attempts', 'retryAt', 'providerId', 'error')).toEqual({
      ada: { status: 'sent', attempts: 2, retryAt: null, providerId: 'p-1', error: '451 4.3.0 come back later' },
    });
    expect(await balance(app)).toMatchObject({ status: 'sent', audience: 1, deliveries: { sent: 1 } });
  });

  test.each([
    [0, [30, 60, 120, 240, 480, 960, 1920, 3600, 3600]],
    [1, [60, 120, 240, 480, 960, 1920, 3840, 7200, 7200]],
  ])(
    'again and again waits longer each time (dice at %d), and is given up after the last try',
    async (dice, pauses) => {
      const app = await planned(['ada']);
      const { sent, transport } = answering(LATER);
      app.deps.transport = transport;
      app.deps.random = () => dice;
      expect(await workThrough(app)).toEqual(pauses);
      expect(sent).toHaveLength(MOST_TRIES);
      const error = 'given up after 10 attempts: 451 4.3.0 come back later';
      expect(await ledger('attempts', 'retryAt', 'error')).toEqual({
        ada: { status: 'failed', attempts: 10, retryAt: null, error },
      });
      expect(app.buried).toEqual([{ kind: 'given up', issue: ISSUE, subscriberId: 'ada', status: 'failed', error }]);
      expect(await balance(app)).toMatchObject({ status: 'sent', deliveries: { failed: 1 } });
    },
  );

  test.each([
    [600, 0, 600],
    [600, 1, 660],
    [10, 0.5, 40],
    [1, 0, 1],
    [7_000_000, 0, 86_400],
  ])('with %d seconds asked for (dice at %d) waits %d', async (retryAfterSeconds, dice, seconds) => {
    const app = await planned(['ada']);
    app.deps.transport = answering({ ...LATER, retryAfterSeconds }, { status: 'sent' }).transport;
    app.deps.random = () => dice;
    expect(await workThrough(app)).toEqual([seconds]);
    expect(await deliveries()).toEqual({ ada: 'sent' });
  });

  test('does not come back together with the others', async () => {
    const names = manyNames(40);
    const app = await planned(names);
    app.deps.transport = answering(LATER).transport;
    let throws = 0;
    app.deps.random = () => {
      throws += 1;
      return throws / 40;
    };
    await app.work();
    const times = Object.values(await ledger('retryAt')).map(({ retryAt }) => String(retryAt));
    expect(new Set(times).size).toBeGreaterThan(25);
    expect(app.delays).toEqual([31]);
    expect(times.toSorted()[0]).toBe(shift(DUE, 31));
  });

  test('is left alone by a job that comes before its time, and found by the sweep when no other comes', async () => {
    const app = await planned(['ada']);
    const { sent, transport } = answering({ ...LATER, retryAfterSeconds: 3600 }, { status: 'sent' });
    app.deps.transport = transport;
    app.deps.random = () => 0;
    await app.work();
    const [job] = app.delayed.splice(0);
    app.clock.now = shift(DUE, 3599);
    await workNext(app, job);
    expect(sent).toHaveLength(1);
    await sweep(app);
    expect(sent).toHaveLength(2);
    expect(await balance(app)).toMatchObject({ status: 'sent', deliveries: { sent: 1 } });
  });

  test('is not sent to who left in the meantime', async () => {
    const app = await planned(['ada']);
    const { sent, transport } = answering(LATER);
    app.deps.transport = transport;
    await app.work();
    await leave(app, 'ada');
    await workThrough(app);
    expect(sent).toHaveLength(1);
    expect(await balance(app)).toMatchObject({ status: 'sent', audience: 1, deliveries: { unsubscribed: 1 } });
  });
});

describe('a mail that is refused for good', () => {
  const refused: SendResult = { status: 'failed', error: '552 5.2.2 mailbox full' };
  const noSuchAddress: SendResult = { status: 'failed', error: '550 5.1.1 no such user', bounce: true };

  test('fails at once, is never tried again, and lies in the dead letter queue without an address', async () => {
    const app = await planned(['ada']);
    const { sent, transport } = answering(refused);
    app.deps.transport = transport;
    expect(await workThrough(app)).toEqual([]);
    await sweep(app);
    expect(sent).toHaveLength(1);
    expect(await ledger('attempts', 'error')).toEqual({
      ada: { status: 'failed', attempts: 1, error: '552 5.2.2 mailbox full' },
    });
    expect(app.buried).toEqual([
      { kind: 'given up', issue: ISSUE, subscriberId: 'ada', status: 'failed', error: '552 5.2.2 mailbox full' },
    ]);
    expect(JSON.stringify(app.buried)).not.toContain('@');
    const suppressions = await env.DB.prepare('SELECT * FROM suppression').all();
    expect(suppressions.results).toEqual([]);
  });

  test('because of its address has bounced, and the address gets no other digest either', async () => {
    const app = await planned(['ada', 'bea']);
    app.deps.transport = recordingTransport(({ to }) =>
      to.startsWith('ada') ? noSuchAddress : { status: 'sent' },
    ).transport;
    await app.work();
    expect(await ledger('error')).toEqual({
      ada: { status: 'bounced', error: '550 5.1.1 no such user' },
      bea: { status: 'sent', error: null },
    });
    const { results } = await env.DB.prepare('SELECT * FROM suppression').all();
    expect(results).toEqual([{ addressHash: 'hash of ada', reason: 'hard_bounce', createdAt: DUE }]);
    expect(app.buried).toEqual([]);

    const digests = [digestData(), digestData({ id: 'daily', since: '2026-06-01T00:00:00Z' })];
    await app.answer('publication.updated', publicationData({ digests }));
    await addReaders(['ada', 'bea'], 'daily');
    await app.answer('digest.run', { digest: 'daily' });
    const { sent, transport } = recordingTransport();
    app.deps.transport = transport;
    await app.work();
    expect(namesOf(sent)).toEqual(['bea']);
  });
});

describe('a carrier that takes no mail for now', () => {
  /** Takes so many mails, and none after that until it is told to. */
  function limitedAfter(count: number) {
    const state = { left: count };
    const { transport, ...rest } = recordingTransport(() => {
      state.left -= 1;
      return state.left >= 0 ? { status: 'sent' } : { ...LIMITED, retryAfterSeconds: 300 };
    });
    return { state, transport: { ...transport, batchSize: 2 }, ...rest };
  }

  test('is asked for nothing more, and nothing is lost', async () => {
    const app = await planned(manyNames(10));
    app.deps.random = () => 0;
    const { state, sent, transport } = limitedAfter(3);
    app.deps.transport = transport;
    await app.work();
    // The second batch of two was cut in the middle; the three others were not begun.
    expect(sent).toHaveLength(4);
    expect(app.delays).toEqual([300]);
    expect((await balance(app)).deliveries).toEqual({ sent: 3, queued: 7 });
    expect((await ledger('attempts', 'heldBack', 'retryAt', 'error')).reader0003).toEqual({
      status: 'queued',
      attempts: 1,
      heldBack: 1,
      retryAt: shift(DUE, 300),
      error: LIMITED.error,
    });
    expect((await ledger('attempts', 'retryAt')).reader0004).toEqual({ status: 'queued', attempts: 0, retryAt: null });

    state.left = 100;
    await workThrough(app);
    expect(await balance(app)).toMatchObject({ status: 'sent', audience: 10, deliveries: { sent: 10 } });
    expect(new Set(namesOf(sent))).toEqual(new Set(manyNames(10)));
  });

  test('uses up no tries', async () => {
    const app = await planned(['ada']);
    const refusals = Array<SendResult>(MOST_TRIES + 5).fill(LIMITED);
    app.deps.transport = answering(...refusals, LATER, { status: 'sent' }).transport;
    const waited = await workThrough(app);
    expect(waited).toHaveLength(MOST_TRIES + 6);
    // The first refusal of the mail itself waits like a first one.
    expect(waited.at(-1)).toBeLessThanOrEqual(60);
    expect(await ledger('attempts', 'heldBack')).toEqual({
      ada: { status: 'sent', attempts: MOST_TRIES + 7, heldBack: MOST_TRIES + 5 },
    });
  });

  test('for good is given up in the end, and says so', async () => {
    const app = await planned(['ada']);
    app.deps.transport = answering(LIMITED).transport;
    const waited = await workThrough(app);
    expect(waited).toHaveLength(MOST_ATTEMPTS - 1);
    expect(waited.reduce((sum, seconds) => sum + seconds, 0)).toBeGreaterThan(5 * 86_400);
    expect(await ledger('error')).toEqual({
      ada: { status: 'failed', error: `given up after ${MOST_ATTEMPTS} attempts: ${LIMITED.error}` },
    });
    expect(app.buried).toHaveLength(1);
  });
});
