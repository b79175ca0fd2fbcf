import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { DELIVERY_STATES, type DeliveryStatus } from '../../src/domain/delivery.ts';
import { shift } from '../../src/domain/time.ts';
import { NOW, type TestApp } from '../support/app.ts';
import {
  balance,
  deliveries,
  issues,
  mailTo,
  manyNames,
  outbox,
  publish,
  suppress,
  workNext,
} from '../support/newsroom.ts';
import {
  contents,
  insert,
  issueOf,
  LATER,
  type OldDelivery,
  type OldIssue,
  oldDatabase,
  upgraded,
} from '../support/old-database.ts';

/** Counted by a query that both schemas know. */
async function balances(): Promise<unknown[]> {
  const { results } = await env.DB.prepare(
    'SELECT digest, number, revision, status, count(*) AS count FROM delivery GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4',
  ).all();
  return results;
}

/** Ticks and jobs until every lease has run out and the sweep found what was left. */
async function recover(app: TestApp): Promise<void> {
  for (let count = 0; count < 3; count += 1) {
    app.clock.now = shift(app.clock.now, 900);
    await app.tick(app.clock.now);
    await app.work();
  }
}

/** Of one issue, each state at once that its deliveries may be in. @param states names of the readers, too */
function inEachState(number: number, states: readonly DeliveryStatus[]): OldDelivery[] {
  return states.map((status) => ({
    number,
    name: status,
    status,
    attempts: status === 'queued' ? 0 : 2,
    ...(status === 'failed' ? { error: 'the mailbox is full' } : {}),
    ...(status === 'sending' ? { leasedUntil: shift(LATER, 300) } : {}),
  }));
}

const DONE = DELIVERY_STATES.filter((status) => status !== 'queued' && status !== 'sending');

/** An issue in each status; numbered in this order. */
const EACH: OldIssue[] = [
  { status: 'held' },
  { status: 'planning', plannedThrough: 'zzz' },
  { status: 'sending' },
  { status: 'sent' },
  { status: 'cancelled' },
];
const EACH_STATE = [
  ...inEachState(2, DELIVERY_STATES),
  ...inEachState(3, DELIVERY_STATES),
  ...inEachState(4, DONE),
  ...inEachState(5, DONE),
];

async function recipients(app: TestApp): Promise<string[]> {
  return (await outbox(app)).map(({ to }) => to.replace('@reader.example', '')).sort((a, b) => a.localeCompare(b));
}

describe('an issue in each status, with deliveries in each state', () => {
  test('keeps its status, and every delivery its state', async () => {
    await oldDatabase([...DELIVERY_STATES], EACH, EACH_STATE);
    const before = await balances();
    expect(before).toHaveLength(EACH_STATE.length);
    const app = await upgraded();
    expect(await balances()).toEqual(before);
    for (const [index, { status }] of EACH.entries()) {
      const rows = EACH_STATE.filter(({ number }) => number === index + 1);
      expect(await balance(app, `weekly/${index + 1}`)).toMatchObject({
        status,
        audience: rows.length,
        deliveries: Object.fromEntries(rows.map((row) => [row.status, 1])),
      });
    }
  });

  test('keeps what is known of each delivery', async () => {
    await oldDatabase([...DELIVERY_STATES], EACH, EACH_STATE);
    await upgraded();
    const { results } = await env.DB.prepare(
      `SELECT status, attempts, heldBack, leasedUntil, retryAt, batch, providerId, error, sentAt, complainedAt, updatedAt
       FROM delivery WHERE number = 3`,
    ).all<{ status: string }>();
    const none = { heldBack: 0, retryAt: null, batch: null, providerId: null, complainedAt: null, updatedAt: LATER };
    expect(Object.fromEntries(results.map(({ status, ...row }) => [status, row]))).toEqual(
      Object.fromEntries(
        inEachState(3, DELIVERY_STATES).map(({ status, attempts, error = null, leasedUntil = null }) => [
          status,
          { ...none, attempts, error, leasedUntil, sentAt: status === 'sent' ? LATER : null },
        ]),
      ),
    );
  });

  test('keeps its content, on pages, in feeds and in mails', async () => {
    const { composed } = await oldDatabase([...DELIVERY_STATES], EACH, EACH_STATE);
    const app = await upgraded();
    expect(await contents(app, EACH.length)).toEqual(composed);
    expect(composed.map(({ articles }) => articles?.map(({ title }) => title))).toEqual(
      EACH.map((_, index) => [`Letter letter-${index + 1}`]),
    );
    expect((await app.deps.issues.list(10)).map(({ number }) => number)).toEqual([5, 4, 3, 2]);
    for (const number of [2, 3, 4, 5]) {
      const page = await app.fetch(`/issues/weekly/${number}`);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(`Letter letter-${number}`)]);
    }
    expect((await app.fetch('/issues/weekly/1')).status).toBe(404);
    expect((await app.deps.issues.entries(10)).map(({ html }) => html)).toEqual(
      [5, 4, 3, 2].map((number) => expect.stringContaining(`Letter letter-${number}`)),
    );
  });

  test('has what was under way finished by the sweep, and nothing else', async () => {
    await oldDatabase([...DELIVERY_STATES], EACH, EACH_STATE);
    const app = await upgraded();
    await recover(app);
    expect(await issues()).toMatchObject(
      ['held', 'sent', 'sent', 'sent', 'cancelled'].map((status, index) => ({ number: index + 1, status })),
    );
    const mails = (await outbox(app)).map(({ issue, to }) => `${issue} ${to}`).sort((a, b) => a.localeCompare(b));
    expect(mails).toEqual(
      [2, 3].flatMap((number) => [`${number} queued@reader.example`, `${number} sending@reader.example`]),
    );
    expect(await balance(app, 'weekly/3')).toMatchObject({
      audience: 10,
      deliveries: { sent: 3, failed: 1, unknown: 1 },
    });
  });

  test('lets the one that is held be approved and go out', async () => {
    await oldDatabase(['ada', 'bea'], [{ status: 'held' }], []);
    const app = await upgraded();
    await app.answer('issue.approve', { digest: 'weekly', number: 1 });
    await recover(app);
    expect(await recipients(app)).toEqual(['ada', 'bea']);
    expect(await balance(app)).toMatchObject({ status: 'sent', audience: 2, deliveries: { sent: 2 } });
  });
});

describe('an issue that was half sent', () => {
  const HALF: OldDelivery[] = [
    { number: 1, name: 'ada', status: 'sent', attempts: 1 },
    { number: 1, name: 'bea', status: 'queued' },
    { number: 1, name: 'cid', status: 'sending', attempts: 1, leasedUntil: shift(LATER, 300) },
    { number: 1, name: 'dee', status: 'sending', attempts: 1, leasedUntil: shift(NOW, 200) },
    { number: 1, name: 'eve', status: 'queued' },
  ];
  const READERS = HALF.map(({ name }) => name);
  const ALL_SENT = Object.fromEntries(READERS.map((name) => [name, 'sent']));

  test('goes to the others once, with the mail that was composed', async () => {
    await oldDatabase(READERS, [{ status: 'sending' }], HALF);
    const app = await upgraded();
    await recover(app);
    expect(await recipients(app)).toEqual(['bea', 'cid', 'dee', 'eve']);
    expect(await deliveries()).toEqual(ALL_SENT);
    const mail = await mailTo(app, 'bea');
    expect(mail.messageId).toBe('<weekly.1.1.bea@news.example>');
    expect(mail.text).toContain('Number 1.');
    expect(mail.text).toContain('Letter letter-1');
  });

  test('does not go to who left or was suppressed meanwhile', async () => {
    await oldDatabase(READERS, [{ status: 'sending' }], HALF);
    const app = await upgraded();
    await app.deps.subscriptions.unsubscribe('bea', ['weekly'], { way: 'mail' }, NOW);
    await suppress('eve');
    await recover(app);
    expect(await recipients(app)).toEqual(['cid', 'dee']);
    expect(await deliveries()).toEqual({ ...ALL_SENT, bea: 'unsubscribed', eve: 'suppressed' });
    expect(await issues()).toMatchObject([{ status: 'sent' }]);
  });

  test('is finished by jobs that the release before had queued, each of its own page', async () => {
    await oldDatabase(READERS, [{ status: 'sending' }], HALF);
    const app = await upgraded();
    const issue = issueOf(1);
    await workNext(app, { kind: 'deliver', issue, page: { after: '', through: 'bea' } });
    expect(await recipients(app)).toEqual(['bea']);
    await workNext(app, { kind: 'deliver', issue, page: { after: 'bea', through: 'eve' } });
    expect(await recipients(app)).toEqual(['bea', 'cid', 'eve']);
    await recover(app);
    expect(await recipients(app)).toEqual(['bea', 'cid', 'dee', 'eve']);
    expect(await deliveries()).toEqual(ALL_SENT);
  });

  test('has no second mail in the outbox for what the release before had put there', async () => {
    await oldDatabase(READERS, [{ status: 'sending' }], HALF);
    const stored = { kind: 'digest', recipient: 'cid@reader.example', sender: 'letters@news.example', subject: 'News' };
    const key = {
      id: 'old-1-cid',
      messageId: '<weekly.1.1.cid@news.example>',
      digest: 'weekly',
      issue: 1,
      revision: 1,
    };
    await insert('outbox', [{ ...key, ...stored, raw: 'Subject: News\r\n\r\n', createdAt: LATER }]);
    const app = await upgraded();
    await recover(app);
    expect(await recipients(app)).toEqual(['bea', 'cid', 'dee', 'eve']);
    expect(await deliveries()).toEqual(ALL_SENT);
  });

  test('of more than a job’s page is finished too', async () => {
    const names = manyNames(250);
    const rows = names.map(
      (name, index): OldDelivery => ({
        number: 1,
        name,
        ...(index < 100 ? { status: 'sent', attempts: 1 } : { status: 'queued' }),
      }),
    );
    await oldDatabase(names, [{ status: 'sending' }], rows);
    const app = await upgraded();
    await recover(app);
    expect(await recipients(app)).toEqual(names.slice(100));
    expect(await balance(app)).toMatchObject({ status: 'sent', audience: 250, deliveries: { sent: 250 } });
  });

  test('and all of it recorded, but not closed, is closed', async () => {
    await oldDatabase(
      READERS,
      [{ status: 'sending' }],
      READERS.map((name) => ({ number: 1, name, status: 'sent', attempts: 1 })),
    );
    const app = await upgraded();
    await recover(app);
    expect(await recipients(app)).toEqual([]);
    expect(await issues()).toMatchObject([{ status: 'sent' }]);
  });

  test.each([
    ['', []],
    ['bea', ['ada', 'bea']],
    ['eve', READERS],
  ])('whose planning had come to “%s” is planned to its end', async (plannedThrough, names) => {
    const rows = HALF.filter(({ name }) => names.includes(name));
    await oldDatabase(READERS, [{ status: 'planning', plannedThrough }], rows);
    const app = await upgraded();
    await recover(app);
    expect(await recipients(app)).toEqual(READERS.filter((name) => !(names.includes('ada') && name === 'ada')));
    expect(await balance(app)).toMatchObject({ status: 'sent', audience: 5, deliveries: { sent: 5 } });
  });
});

test('a cancelled issue stays so, whatever it left open', async () => {
  const rows: OldDelivery[] = [
    { number: 1, name: 'ada', status: 'queued' },
    { number: 1, name: 'bea', status: 'sent', attempts: 1 },
  ];
  await oldDatabase(['ada', 'bea'], [{ status: 'cancelled' }], rows);
  const app = await upgraded();
  await recover(app);
  expect(await recipients(app)).toEqual([]);
  expect(await deliveries()).toEqual({ ada: 'queued', bea: 'sent' });
});

test('numbers go on, and no article is mailed twice', async () => {
  await oldDatabase(['ada'], [{ status: 'sent' }], [{ number: 1, name: 'ada', status: 'sent', attempts: 1 }]);
  const app = await upgraded();
  await publish(app, 'new');
  expect(await app.answer('digest.run', { digest: 'weekly' })).toMatchObject({ outcome: 'held', issue: { number: 2 } });
  expect(await issues()).toMatchObject([{ titles: ['Letter letter-1'] }, { titles: ['Letter new'] }]);
});
