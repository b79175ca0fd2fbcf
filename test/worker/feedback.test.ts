import { describe, expect, test } from 'vitest';
import type { DeliveryStatus } from '../../src/domain/delivery.ts';
import { shift } from '../../src/domain/time.ts';
import type { SendResult } from '../../src/domain/transport.ts';
import { type TestApp, withSession } from '../support/app.ts';
import { snapshot } from '../support/database.ts';
import {
  CARRIERS,
  cloudflare,
  cloudflareEvent,
  counts,
  EVENTS_QUEUE,
  history,
  type Kind,
  later,
  mailed,
  planned,
  providerIdOf,
  queued,
  resend,
  ses,
} from '../support/feedback.ts';
import { balance, DUE, deliveries, issues, publish, stopBefore, WEEK_LATER, workNext } from '../support/newsroom.ts';

const EVERY = Object.entries(CARRIERS);
const DAY = 86_400;

describe.each(EVERY)('told by %s', (_, tell) => {
  test.each<[Kind, DeliveryStatus, string | undefined, number]>([
    ['delivered', 'sent', undefined, 0],
    ['delayed', 'sent', undefined, 0],
    ['hard_bounce', 'bounced', 'hard_bounce', 0],
    ['soft_bounce', 'bounced', undefined, 1],
    ['complaint', 'sent', 'complaint', 0],
  ])('%s: the row, the address, and nothing more at a repeat', async (kind, status, reason, softBounces) => {
    const app = await mailed(['ada', 'bea']);
    const others = await history(app, 'bea');
    await tell(app, { kind, to: 'ada', id: 'event-1' });
    const told = await history(app, 'ada');
    expect(told.suppression).toEqual(reason && { reason, createdAt: app.clock.now });
    expect(told.softBounces).toBe(softBounces);
    expect(told.issues).toMatchObject([{ status, providerId: providerIdOf('ada'), sentAt: DUE, attempts: 1 }]);
    expect(told.issues[0]?.complainedAt).toBe(kind === 'complaint' ? app.clock.now : undefined);
    expect(told.issues[0]?.error !== undefined).toBe(['delayed', 'hard_bounce', 'soft_bounce'].includes(kind));
    expect(await history(app, 'bea')).toEqual(others);

    const before = await snapshot();
    app.clock.now = shift(app.clock.now, 120);
    await tell(app, { kind, to: 'ada', id: 'event-1' });
    expect(await snapshot()).toEqual(before);
  });

  test.each<Kind>(['hard_bounce', 'complaint'])('%s: the next issue goes to the others', async (kind) => {
    const app = await mailed(['ada', 'bea']);
    await tell(app, { kind, to: 'ada' });
    await publish(app, 'two');
    app.clock.now = WEEK_LATER;
    await app.tick(WEEK_LATER);
    await app.work();
    expect(await balance(app, 'weekly/2')).toMatchObject({ audience: 1, deliveries: { sent: 1 } });
    expect((await history(app, 'bea')).issues).toMatchObject([{ number: 2, status: 'sent' }, { number: 1 }]);
  });

  test.each<Kind>(['hard_bounce', 'complaint'])('%s of a mail that is not known stops what waits', async (kind) => {
    const { app, recipients } = await planned(['ada', 'bea']);
    await tell(app, { kind, to: 'Ada@READER.example', providerId: 'of-another-system' });
    await tell(app, { kind, to: 'zoe@elsewhere.example', providerId: 'of-another-system' });
    await app.work();
    expect(await deliveries()).toEqual({ ada: 'suppressed', bea: 'sent' });
    expect(recipients()).toEqual(['bea']);
    expect(await history(app, 'zoe@elsewhere.example')).toMatchObject({ suppression: { reason: kind }, issues: [] });
  });
});

describe('one after the other', () => {
  test.each<[Kind[], DeliveryStatus, string | undefined, boolean]>([
    [['hard_bounce', 'delivered'], 'bounced', 'hard_bounce', false],
    [['delivered', 'hard_bounce'], 'bounced', 'hard_bounce', false],
    [['delayed', 'delivered'], 'sent', undefined, false],
    [['delivered', 'delayed'], 'sent', undefined, false],
    [['delayed', 'soft_bounce'], 'bounced', undefined, false],
    [['soft_bounce', 'hard_bounce'], 'bounced', 'hard_bounce', false],
    [['complaint', 'hard_bounce'], 'bounced', 'complaint', true],
    [['hard_bounce', 'complaint'], 'bounced', 'hard_bounce', true],
    [['complaint', 'delivered'], 'sent', 'complaint', true],
  ])('%j', async (kinds, status, reason, complained) => {
    const app = await mailed(['ada']);
    for (const kind of kinds) await resend(app, { kind, to: 'ada', id: kind });
    const { suppression, issues } = await history(app, 'ada');
    expect(suppression?.reason).toBe(reason);
    expect(issues).toMatchObject([{ status }]);
    expect(issues[0]?.complainedAt !== undefined).toBe(complained);

    const before = await snapshot();
    for (const kind of [...kinds, ...kinds]) await resend(app, { kind, to: 'ada', id: kind });
    expect(await snapshot()).toEqual(before);
  });
});

describe('soft bounces', () => {
  async function bounced(app: TestApp, times: number): Promise<void> {
    for (let count = 0; count < times; count += 1) {
      app.clock.now = shift(app.clock.now, 600);
      await resend(app, { kind: 'soft_bounce', to: 'ada' });
    }
  }

  test('the fifth suppresses, whichever carrier tells of it', async () => {
    const app = await mailed(['ada']);
    await bounced(app, 2);
    await ses(app, { kind: 'soft_bounce', to: 'ada' });
    await cloudflare(app, { kind: 'soft_bounce', to: 'ada' });
    expect(await history(app, 'ada')).toMatchObject({ softBounces: 4 });
    expect((await history(app, 'ada')).suppression).toBeUndefined();
    await ses(app, { kind: 'soft_bounce', to: 'ada', providerId: 'of-another-system' });
    expect(await history(app, 'ada')).toMatchObject({ softBounces: 5, suppression: { reason: 'hard_bounce' } });
  });

  test('one event told five times counts once', async () => {
    const app = await mailed(['ada']);
    for (let count = 0; count < 5; count += 1) await resend(app, { kind: 'soft_bounce', to: 'ada', id: 'event-1' });
    expect(await history(app, 'ada')).toMatchObject({ softBounces: 1 });
    expect((await history(app, 'ada')).suppression).toBeUndefined();
  });

  test.each([
    [59, 'hard_bounce'],
    [60, undefined],
  ])('a fifth %i days after the other four', async (days, reason) => {
    const app = await mailed(['ada']);
    for (let count = 0; count < 4; count += 1) await resend(app, { kind: 'soft_bounce', to: 'ada' });
    app.clock.now = shift(app.clock.now, days * DAY);
    await resend(app, { kind: 'soft_bounce', to: 'ada' });
    expect((await history(app, 'ada')).suppression?.reason).toBe(reason);
  });

  test('are forgotten after that time', async () => {
    const app = await mailed(['ada']);
    await bounced(app, 4);
    app.clock.now = shift(app.clock.now, 59 * DAY);
    await app.tick(app.clock.now);
    expect(await history(app, 'ada')).toMatchObject({ softBounces: 4 });
    app.clock.now = shift(app.clock.now, 2 * DAY);
    await app.tick(app.clock.now);
    expect(await history(app, 'ada')).toMatchObject({ softBounces: 0 });
  });
});

describe('events that overtake their row', () => {
  const BY_OUR_ID: [string, typeof resend][] = [
    ['resend', resend],
    ['ses', ses],
  ];
  const ENDS: [Kind, DeliveryStatus, object][] = [
    ['delivered', 'sent', { mailed: 2, bounced: 0, complained: 0 }],
    ['delayed', 'sent', { mailed: 2, bounced: 0, complained: 0 }],
    ['hard_bounce', 'bounced', { mailed: 1, bounced: 1, complained: 0 }],
    ['soft_bounce', 'bounced', { mailed: 1, bounced: 0, complained: 0 }],
    ['complaint', 'sent', { mailed: 2, bounced: 0, complained: 1 }],
  ];
  const CASES = BY_OUR_ID.flatMap(([name, tell]) => ENDS.map((end) => [name, ...end, tell] as const));

  test.each(CASES)('%s: %s before the outcome is recorded ends as %s', async (_, kind, status, numbers, tell) => {
    const { app, recipients } = await planned(['ada', 'bea']);
    app.deps.transport = withSession(
      (session) => ({
        ...session,
        async send(mails, key) {
          const results = await session.send(mails, key);
          await tell(app, { kind, to: 'ada', ours: true });
          return results;
        },
      }),
      app.deps.transport,
    );
    await app.work();
    expect(await deliveries()).toEqual({ ada: status, bea: 'sent' });
    expect(await counts()).toEqual(numbers);
    expect((await history(app, 'ada')).issues[0]?.complainedAt !== undefined).toBe(kind === 'complaint');
    await later(app);
    expect(recipients()).toEqual(['ada', 'bea']);
    expect(await issues()).toMatchObject([{ status: 'sent' }]);
  });

  test('by the carrier’s id alone: the address is suppressed all the same, and nobody gets two mails', async () => {
    const { app, recipients } = await planned(['ada', 'bea']);
    const event = cloudflareEvent(app, { kind: 'hard_bounce', to: 'ada' });
    app.deps.deliveries = stopBefore(app.deps.deliveries, 'record');
    await workNext(app);
    await queued(app, EVENTS_QUEUE, [event]);
    expect(await history(app, 'ada')).toMatchObject({ suppression: { reason: 'hard_bounce' } });
    await later(app);
    expect(await deliveries()).toEqual({ ada: 'suppressed', bea: 'sent' });
    expect(recipients()).toEqual(['ada', 'bea', 'bea']);
  });

  const LATE: [Kind, DeliveryStatus][] = [
    ['delivered', 'sent'],
    ['hard_bounce', 'bounced'],
    ['soft_bounce', 'bounced'],
  ];
  test.each(LATE)('%s of what was never recorded ends as %s and is not sent again', async (kind, status) => {
    const { app, recipients } = await planned(['ada', 'bea']);
    app.deps.deliveries = stopBefore(app.deps.deliveries, 'record');
    const job = app.jobs[0];
    expect((await workNext(app)).retryMessages).toHaveLength(1);
    expect(await deliveries()).toEqual({ ada: 'sending', bea: 'sending' });
    await ses(app, { kind, to: 'ada', ours: true });
    expect(await deliveries()).toEqual({ ada: status, bea: 'sending' });
    await workNext(app, job);
    await later(app);
    expect(await deliveries()).toEqual({ ada: status, bea: 'sent' });
    expect(recipients()).toEqual(['ada', 'bea', 'bea']);
  });

  test.each(LATE)('%s turns what is tried again later into %s', async (kind, status) => {
    let answer: SendResult = { status: 'unknown', error: 'the answer was lost' };
    const { app, recipients } = await planned(['ada', 'bea'], () => answer);
    await app.work();
    expect(await deliveries()).toEqual({ ada: 'queued', bea: 'queued' });
    await resend(app, { kind, to: 'ada', ours: true, providerId: 'carrier-7' });
    expect((await history(app, 'ada')).issues).toMatchObject([{ status, providerId: 'carrier-7', attempts: 1 }]);
    answer = { status: 'sent' };
    await later(app);
    expect(await deliveries()).toEqual({ ada: status, bea: 'sent' });
    expect(recipients()).toEqual(['ada', 'bea', 'bea']);
    expect(await issues()).toMatchObject([{ status: 'sent' }]);
  });

  test.each(LATE)('%s turns what is held as unknown into %s', async (kind, status) => {
    const { app, recipients } = await planned(['ada', 'bea'], () => ({
      status: 'unknown',
      error: 'the answer was lost',
    }));
    app.deps.policy = { ...app.deps.policy, unknown: 'hold' };
    app.deps.transport = { ...app.deps.transport, recognisesRepeats: false };
    await app.work();
    expect(await deliveries()).toEqual({ ada: 'unknown', bea: 'unknown' });
    await resend(app, { kind, to: 'ada', ours: true });
    await later(app);
    expect(await deliveries()).toEqual({ ada: status, bea: 'unknown' });
    expect(await balance(app)).toMatchObject({ audience: 2, deliveries: { [status]: 1, unknown: 1 } });
    expect(recipients()).toEqual(['ada', 'bea']);
  });

  test('delivered of what nobody has tried yet is not believed', async () => {
    const { app, recipients } = await planned(['ada']);
    await resend(app, { kind: 'delivered', to: 'ada', ours: true });
    expect(await deliveries()).toEqual({ ada: 'queued' });
    await app.work();
    expect(recipients()).toEqual(['ada']);
    expect(await counts()).toEqual({ mailed: 1, bounced: 0, complained: 0 });
  });
});
