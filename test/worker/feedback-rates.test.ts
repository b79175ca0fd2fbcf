import { describe, expect, test } from 'vitest';
import { shift } from '../../src/domain/time.ts';
import type { OutgoingMail, SendResult } from '../../src/domain/transport.ts';
import type { TestApp } from '../support/app.ts';
import {
  addressOf,
  cloudflareEvent,
  EVENTS_QUEUE,
  type Kind,
  later,
  planned,
  providerIdOf,
  queued,
} from '../support/feedback.ts';
import { balance, DUE, manyNames, workNext } from '../support/newsroom.ts';

describe('rates', () => {
  const names = manyNames(150);

  /** A sending issue whose first page, of 100 readers, is out. */
  async function underWay(result?: (mail: OutgoingMail) => SendResult) {
    const room = await planned(names, result);
    await workNext(room.app);
    room.app.clock.now = shift(DUE, 60);
    return room;
  }

  async function tellOf(app: TestApp, kind: Kind, people: string[]): Promise<void> {
    await queued(
      app,
      EVENTS_QUEUE,
      people.map((to) => cloudflareEvent(app, { kind, to, id: `${kind} ${to}` })),
    );
  }

  test.each<[Kind, number, string]>([
    ['hard_bounce', 6, '6 of 100 mails bounced, over the limit of 5 percent'],
    ['complaint', 2, '2 of 100 mails were called spam, over the limit of 0.1 percent'],
  ])('%s: %i of 100 mails pause the issue, which says why', async (kind, count, pausedBecause) => {
    const { app, sent } = await underWay();
    await tellOf(app, kind, names.slice(0, count - 1));
    expect(await balance(app)).toMatchObject({ status: 'sending' });
    await tellOf(app, kind, names.slice(0, count));
    expect(await balance(app)).toMatchObject({ status: 'paused', audience: 150, pausedBecause });
    await later(app);
    expect(sent).toHaveLength(100);
    expect(await balance(app)).toMatchObject({ status: 'paused', audience: 150, deliveries: { queued: 50 } });
  });

  test.each<[Kind, number]>([
    ['hard_bounce', 5],
    ['complaint', 1],
    ['soft_bounce', 50],
    ['delivered', 100],
    ['delayed', 100],
  ])('%s: %i of 100 do not, and neither do repeats', async (kind, count) => {
    const { app, sent } = await underWay();
    for (let times = 0; times < 3; times += 1) await tellOf(app, kind, names.slice(0, count));
    const paused = await balance(app);
    expect(paused).toMatchObject({ status: 'sending' });
    expect(paused).not.toHaveProperty('pausedBecause');
    await app.work();
    expect(sent).toHaveLength(150);
  });

  test.each<[Kind, number]>([
    ['hard_bounce', 39],
    ['hard_bounce', 60],
    ['complaint', 60],
  ])('%s: %i of 60 mails say nothing yet', async (kind, count) => {
    const early = new Set(names.slice(0, 60).map(addressOf));
    const { app } = await underWay(({ to }) =>
      early.has(to) ? { status: 'sent', providerId: providerIdOf(to) } : { status: 'deferred', error: 'busy' },
    );
    await tellOf(app, kind, names.slice(0, count));
    expect(await balance(app)).toMatchObject({ status: 'sending', audience: 150 });
  });

  test('an issue that is out already is not paused', async () => {
    const { app } = await underWay();
    await app.work();
    await tellOf(app, 'hard_bounce', names);
    expect(await balance(app)).toMatchObject({ status: 'sent', deliveries: { bounced: 150 } });
  });
});
