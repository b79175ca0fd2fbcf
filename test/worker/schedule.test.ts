import { describe, expect, test } from 'vitest';
import { shift } from '../../src/domain/time.ts';
import { NOW, type TestApp } from '../support/app.ts';
import { articleData, digestData, publicationData } from '../support/content.ts';
import {
  addReaders,
  DUE,
  interrupted,
  issues,
  newsroom,
  occurrences,
  outbox,
  stopAfter,
  stopBefore,
  TICK_LATER,
} from '../support/newsroom.ts';

const HOUR = 3600;

function daily(cron = '0 9 * * *', changes: Record<string, unknown> = {}) {
  return digestData({ id: 'daily', title: 'Every day', schedule: { cron, timezone: 'Europe/Berlin' }, ...changes });
}

describe('an occurrence is met once', () => {
  test.each([
    ['two ticks at once', (app: TestApp) => Promise.all([app.tick(DUE), app.tick(DUE)])],
    ['the same tick twice', async (app: TestApp) => [await app.tick(DUE), await app.tick(DUE)]],
    ['a tick and the next one at once', (app: TestApp) => Promise.all([app.tick(DUE), app.tick(TICK_LATER)])],
    ['ticks in the wrong order', async (app: TestApp) => [await app.tick(TICK_LATER), await app.tick(DUE)]],
  ])('%s', async (_name, ticks) => {
    const app = await newsroom({ articles: ['one'] });
    await addReaders(['ada']);
    await ticks(app);
    await app.work();
    expect(await occurrences(app)).toEqual([{ at: DUE, status: 'issued', issueNumber: 1 }]);
    expect(await issues()).toMatchObject([{ number: 1, titles: ['Letter one'] }]);
    expect(await outbox(app)).toHaveLength(1);
    expect(app.logged).toEqual([]);
  });

  test('nothing happens before it is due', async () => {
    const app = await newsroom({ articles: ['one'] });
    await app.tick(shift(DUE, -300));
    expect(await occurrences(app)).toEqual([]);
    expect(await issues()).toEqual([]);
  });

  test('with nothing new it is skipped, with a reason and without mail', async () => {
    const app = await newsroom();
    await addReaders(['ada']);
    await app.tick(DUE);
    await app.tick(TICK_LATER);
    await app.work();
    expect(await occurrences(app)).toEqual([{ at: DUE, status: 'skipped', reason: 'no article is new' }]);
    expect(await issues()).toEqual([]);
    expect(await outbox(app)).toEqual([]);
  });
});

describe('a late tick', () => {
  const MISSED = { status: 'missed', reason: 'was due more than six hours before the tick' };

  test.each([
    [0, { status: 'issued', issueNumber: 1 }],
    [5 * HOUR, { status: 'issued', issueNumber: 1 }],
    [6 * HOUR, { status: 'issued', issueNumber: 1 }],
    [6 * HOUR + 1, MISSED],
    [3 * 24 * HOUR, MISSED],
  ])('%i seconds after the occurrence', async (late, record) => {
    const app = await newsroom({ articles: ['one'] });
    await app.tick(shift(DUE, late));
    await app.tick(shift(DUE, late + 300));
    expect(await occurrences(app)).toEqual([{ at: DUE, ...record }]);
    expect(await issues()).toHaveLength(record.status === 'issued' ? 1 : 0);
  });

  test('of several occurrences meets the latest and records why it does not meet the others', async () => {
    const app = await newsroom({ settings: { digests: [daily('0 */4 * * *')] }, articles: ['one'] });
    await app.tick('2026-06-13T07:00:00Z');
    const later = 'a later occurrence was due at the same tick';
    expect(await occurrences(app, 'daily')).toEqual([
      { at: '2026-06-13T06:00:00Z', status: 'issued', issueNumber: 1 },
      { at: '2026-06-13T02:00:00Z', status: 'missed', reason: later },
      { at: '2026-06-12T22:00:00Z', ...MISSED },
      { at: '2026-06-12T18:00:00Z', ...MISSED },
      { at: '2026-06-12T14:00:00Z', ...MISSED },
    ]);
    expect(await issues()).toHaveLength(1);
  });

  test('after a long standstill records a week, in a few writes', async () => {
    const app = await newsroom({ settings: { digests: [daily('*/5 * * * *')] }, articles: ['one'] });
    const writes: string[][] = [];
    const { close } = app.deps.occurrences;
    app.deps.occurrences.close = (digest, instants, ...rest) => {
      writes.push(instants);
      return close(digest, instants, ...rest);
    };
    const at = shift(NOW, 30 * 24 * HOUR);
    await app.tick(at);
    const records = await occurrences(app, 'daily');
    expect(records[0]).toEqual({ at, status: 'issued', issueNumber: 1 });
    expect(records).toHaveLength((7 * 24 * HOUR) / 300 + 1);
    expect(writes).toHaveLength(2);
  });
});

describe('a claimant that stops half way', () => {
  test.each([
    [
      'while it reads the articles',
      (app: TestApp) => {
        app.deps.articles = stopBefore(app.deps.articles, 'unissued');
      },
    ],
    [
      'before it freezes the issue',
      (app: TestApp) => {
        app.deps.issues = stopBefore(app.deps.issues, 'freeze');
      },
    ],
    [
      'after it froze the issue',
      (app: TestApp) => {
        app.deps.issues = stopAfter(app.deps.issues, 'freeze');
      },
    ],
    [
      'before it queued the planning',
      (app: TestApp) => {
        app.deps.queue = stopBefore(app.deps.queue, 'send');
      },
    ],
  ])('%s: a later tick finishes, and there is one issue', async (_name, breakStep) => {
    const app = await newsroom({ articles: ['one'] });
    await addReaders(['ada']);
    breakStep(app);
    await app.tick(DUE);
    expect(app.logged).toMatchObject([{ context: { step: 'digest weekly' } }]);
    for (const minutes of [5, 10, 15]) await app.tick(shift(DUE, minutes * 60));
    await app.work();
    expect(await occurrences(app)).toEqual([{ at: DUE, status: 'issued', issueNumber: 1 }]);
    expect(await issues()).toMatchObject([{ number: 1, status: 'sent' }]);
    expect(await outbox(app)).toHaveLength(1);
  });

  test('is not taken over by the same tick delivered again', async () => {
    const app = await newsroom({ articles: ['one'] });
    app.deps.issues = stopBefore(app.deps.issues, 'freeze');
    await app.tick(DUE);
    await app.tick(DUE);
    expect(await occurrences(app)).toEqual([{ at: DUE, status: 'claimed' }]);
  });

  test('and comes back when another one has finished makes no second issue', async () => {
    const app = await newsroom({ articles: ['one'] });
    app.deps.issues = interrupted(app.deps.issues, 'freeze', () => app.tick(TICK_LATER));
    await app.tick(DUE);
    expect(await issues()).toHaveLength(1);
    expect(await occurrences(app)).toEqual([{ at: DUE, status: 'issued', issueNumber: 1 }]);
  });

  test('for six hours is given up', async () => {
    const app = await newsroom({ articles: ['one'] });
    app.deps.issues = stopBefore(app.deps.issues, 'freeze', Number.POSITIVE_INFINITY);
    for (const hours of [0, 3, 6, 7]) await app.tick(shift(DUE, hours * HOUR));
    expect(await occurrences(app)).toMatchObject([{ at: DUE, status: 'missed' }]);
  });
});

describe('a schedule', () => {
  test('that was set later misses nothing from before', async () => {
    const app = await newsroom({ articles: ['one'] });
    await app.tick(shift(NOW, 60));
    expect(await occurrences(app)).toEqual([]);
  });

  test('that was changed misses nothing from before the change', async () => {
    const app = await newsroom({ settings: { digests: [daily('0 9 * * *')] }, articles: ['one'] });
    app.clock.now = shift(NOW, 3 * 24 * HOUR);
    await app.answer('publication.updated', publicationData({ digests: [daily('0 10 * * *')] }));
    await app.tick(shift(app.clock.now, 60));
    expect(await occurrences(app, 'daily')).toEqual([]);
  });

  test('that stayed the same through a change of title keeps its records', async () => {
    const app = await newsroom({ settings: { digests: [daily('0 9 * * *')] } });
    app.clock.now = shift(NOW, 24 * HOUR);
    await app.answer('publication.updated', publicationData({ digests: [daily('0 9 * * *', { title: 'Each day' })] }));
    await app.tick('2026-06-14T07:00:00Z');
    expect(await occurrences(app, 'daily')).toMatchObject([
      { at: '2026-06-14T07:00:00Z', status: 'skipped' },
      { at: '2026-06-13T07:00:00Z', status: 'missed' },
    ]);
  });

  test.each([
    {
      change: 'back in autumn',
      cron: '0 9 * * *',
      now: '2026-10-23T12:00:00Z',
      ticks: ['24T07:00', '25T07:00', '25T08:00', '26T07:00', '26T08:00'],
      met: ['2026-10-24T07:00:00Z', '2026-10-25T08:00:00Z', '2026-10-26T08:00:00Z'],
    },
    {
      change: 'back, through the hour that comes twice',
      cron: '30 2 * * *',
      now: '2026-10-24T12:00:00Z',
      ticks: ['25T00:30', '25T01:30', '25T02:30', '26T01:30'],
      met: ['2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
    },
    {
      change: 'forward in spring',
      cron: '0 9 * * *',
      now: '2026-03-27T12:00:00Z',
      ticks: ['28T08:00', '29T07:00', '29T08:00', '30T07:00'],
      met: ['2026-03-28T08:00:00Z', '2026-03-29T07:00:00Z', '2026-03-30T07:00:00Z'],
    },
    {
      change: 'forward, through the hour that is left out',
      cron: '30 2 * * *',
      now: '2026-03-28T12:00:00Z',
      ticks: ['29T00:30', '29T01:00', '29T01:30', '30T00:30'],
      met: ['2026-03-29T01:00:00Z', '2026-03-30T00:30:00Z'],
    },
  ])('keeps its local time when the clocks go $change', async ({ cron, now, ticks, met }) => {
    const app = await newsroom({ settings: { digests: [daily(cron)] }, now });
    for (const [index, tick] of ticks.entries()) {
      await app.answer('article.published', articleData(`a${index}`, { publishedAt: '2026-03-01T00:00:00Z' }));
      await app.tick(`${now.slice(0, 8)}${tick}:00Z`);
    }
    const records = await occurrences(app, 'daily');
    expect(records.map(({ at, status }) => [at, status])).toEqual(met.map((at) => [at, 'issued']).reverse());
    expect(await issues()).toHaveLength(met.length);
  });
});

test.each(['2001-01-01T00:00:00Z', '2049-01-01T00:00:00Z'])('a tick does not look at the clock (%s)', async (clock) => {
  const app = await newsroom({ articles: ['one'] });
  await app.answer('article.published', articleData('later', { publishedAt: TICK_LATER }));
  app.clock.now = clock;
  await app.tick(DUE);
  expect(await occurrences(app)).toEqual([{ at: DUE, status: 'issued', issueNumber: 1 }]);
  const issue = await app.deps.issues.read('weekly', 1);
  expect(issue).toMatchObject({ createdAt: DUE, releasedAt: DUE, articles: [{ title: 'Letter one' }] });
  expect(issue?.html).toMatch(/No\. 1 · June\s16,\s2026/);
});

test('a digest that fails keeps neither the other digests nor the feeds from their work', async () => {
  const other = digestData({ id: 'other', title: 'Another' });
  const app = await newsroom({ settings: { digests: [digestData(), other] }, articles: ['one'] });
  await app.answer('article.published', articleData('soon', { publishedAt: DUE }));
  const { freeze } = app.deps.issues;
  app.deps.issues.freeze = async (draft, done) => {
    if (draft.digest === 'weekly') throw new Error('no room on the disk');
    await freeze(draft, done);
  };
  await app.tick(DUE);
  expect(await issues()).toMatchObject([{ digest: 'other', number: 1, titles: ['Letter soon', 'Letter one'] }]);
  expect(await (await app.fetch('/rss.xml')).text()).toContain('Letter soon');
  expect(await (await app.fetch('/issues/rss.xml')).text()).toContain('/issues/other/1');
  expect(app.logged).toMatchObject([{ context: { step: 'digest weekly', error: { message: 'no room on the disk' } } }]);
});

describe('the outbox transport with a base URL that others can reach', () => {
  const reason = expect.stringMatching(/MAIL_TRANSPORT.*outbox.*BASE_URL/);

  test('refuses to send what is due, and the record says why', async () => {
    const app = await newsroom({ baseUrl: 'https://letters.example/', articles: ['one'] });
    await addReaders(['ada']);
    await app.tick(DUE);
    await app.work();
    expect(await occurrences(app)).toEqual([{ at: DUE, status: 'missed', reason }]);
    expect(await issues()).toEqual([]);
    expect(await outbox(app)).toEqual([]);
  });

  test.each([
    ['digest.run', { digest: 'weekly' }],
    ['digest.run', { digest: 'weekly', testTo: 'desk@news.example' }],
    ['issue.approve', { digest: 'weekly', number: 1 }],
  ])('refuses %s %o', async (type, data) => {
    const app = await newsroom({ baseUrl: 'https://letters.example/', articles: ['one'] });
    const response = await app.call(type, data);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ detail: reason });
    expect(await issues()).toEqual([]);
    expect(await outbox(app)).toEqual([]);
  });
});
