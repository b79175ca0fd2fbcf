import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { shift } from '../../src/domain/time.ts';
import { recordingTransport, type TestApp } from '../support/app.ts';
import { articleData, digestData } from '../support/content.ts';
import { snapshot } from '../support/database.ts';
import {
  addReaders,
  balance,
  DUE,
  headerValues,
  interrupted,
  issues,
  mailTo,
  manyNames,
  newsroom,
  outbox,
  publish,
  refusal,
  sharing,
  suppress,
  unsubscribePath,
  withDigest,
  workNext,
} from '../support/newsroom.ts';

const LATER = shift(DUE, 7200);
const NOTE = 'The harbour is at Quay 2, not Quay 1.';
const CORRECTION = { bodyMarkdown: 'The harbour is at **Quay 2**.', summary: 'At Quay 2', correction: { note: NOTE } };
const REISSUE = { digest: 'weekly', number: 1, reason: NOTE };

/** An issue that was mailed to the given readers; two hours later. */
async function mailed(names: string[], options: Parameters<typeof newsroom>[0] = {}): Promise<TestApp> {
  const app = await newsroom({ articles: ['one', 'two'], ...options });
  await addReaders(names);
  app.clock.now = DUE;
  await app.tick(DUE);
  await app.work();
  app.clock.now = LATER;
  return app;
}

function correct(app: TestApp, changes: Record<string, unknown> = {}, call: { id?: string } = {}) {
  return app.answer('article.updated', articleData('one', { ...CORRECTION, reissue: true, ...changes }), call);
}

async function states(revision: number): Promise<Record<string, string>> {
  const { results } = await env.DB.prepare(
    'SELECT subscriberId AS name, status FROM delivery WHERE revision = ? ORDER BY subscriberId',
  )
    .bind(revision)
    .all<{ name: string; status: string }>();
  return Object.fromEntries(results.map(({ name, status }) => [name, status]));
}

async function digestMails(app: TestApp) {
  return (await outbox(app)).filter(({ kind }) => kind === 'digest').map(({ to, revision }) => [to, revision] as const);
}

test('the whole story: mailed to three, one leaves, a correction reaches two and all pages and feeds', async () => {
  const app = await mailed(['ada', 'bea', 'cid']);
  await app.fetch(unsubscribePath(await mailTo(app, 'cid')), { method: 'POST' });
  const feeds = ['/rss.xml', '/atom.xml', '/feed.json', '/issues/rss.xml', '/issues/feed.json'];
  const tags = async () => Promise.all(feeds.map(async (path) => (await app.fetch(path)).headers.get('etag')));
  const before = await tags();
  const first = await mailTo(app, 'ada');

  expect(await correct(app, {}, { id: 'correction-1' })).toMatchObject({
    outcome: 'reissued',
    revision: 2,
    issue: { digest: 'weekly', number: 1, revision: 2, audience: 2 },
  });
  await app.work();

  expect(await digestMails(app)).toEqual([
    ...['ada', 'bea', 'cid'].map((name) => [`${name}@reader.example`, 1]),
    ...['ada', 'bea'].map((name) => [`${name}@reader.example`, 2]),
  ]);
  const second = await mailTo(app, 'ada');
  expect(second.subject).toBe(`Corrected: ${first.subject}`);
  expect(second.messageId).toBe('<weekly.1.2.ada@news.example>');
  expect([second.inReplyTo, second.references]).toEqual([first.messageId, first.messageId]);
  for (const part of [second.text, second.html]) {
    expect(part).toContain(NOTE);
    expect(part).toContain('At Quay 2');
    expect(part).toContain('What letter two says');
  }
  expect(headerValues(second, 'List-Unsubscribe')).toEqual(headerValues(first, 'List-Unsubscribe'));

  for (const [index, tag] of (await tags()).entries()) expect(tag).not.toBe(before[index]);
  expect(await (await app.fetch('/rss.xml')).text()).toContain('Quay 2');
  const page = await (await app.fetch('/articles/letter-one')).text();
  for (const shown of ['Quay 2', NOTE, 'Corrected on', 'Revision']) expect(page).toContain(shown);
  const issue = await (await app.fetch('/issues/weekly/1')).text();
  for (const shown of ['At Quay 2', NOTE, '/issues/weekly/1/revisions/1']) expect(issue).toContain(shown);
  const earlier = await (await app.fetch('/issues/weekly/1/revisions/1')).text();
  expect(earlier).toContain('This is an earlier version.');
  expect(earlier).toContain('What letter one says');
  expect(earlier).not.toContain('At Quay 2');
  const feed = await (await app.fetch('/issues/feed.json')).json<{ items: Record<string, string>[] }>();
  expect(feed.items).toHaveLength(1);
  expect(feed.items[0]).toMatchObject({
    title: `Corrected: ${first.subject}`,
    date_published: DUE.replace('Z', '.000Z'),
    date_modified: LATER.replace('Z', '.000Z'),
    content_html: expect.stringMatching(/Quay 2, not Quay 1.*\/issues\/weekly\/1\/revisions\/1/),
  });

  const stored = await snapshot();
  expect(await correct(app, {}, { id: 'correction-1' })).toMatchObject({ outcome: 'reissued' });
  await app.work();
  expect(await snapshot()).toEqual(stored);
  // Also as another call.
  expect(await correct(app)).toMatchObject({ outcome: 'unchanged', revision: 2 });
  await app.work();
  expect(await snapshot(['receipt'])).toEqual(
    Object.fromEntries(Object.entries(stored).filter(([t]) => t !== 'receipt')),
  );
});

test('a silent correction changes feeds and pages, and mails nobody; a reissue can follow', async () => {
  const app = await mailed(['ada']);
  expect(await publish(app, 'one', CORRECTION)).toMatchObject({ outcome: 'updated' });
  await app.work();
  expect(await digestMails(app)).toHaveLength(1);
  expect(await app.answer('issue.reissue', REISSUE)).toMatchObject({
    outcome: 'reissued',
    issue: { revision: 2, audience: 1 },
  });
  await app.work();
  expect((await mailTo(app, 'ada')).text).toContain('At Quay 2');
});

test.each([
  ['number 1', { number: 1 }],
  ['the latest', {}],
])('issue.reissue of %s', async (_name, which) => {
  const app = await mailed(['ada']);
  const order = { digest: 'weekly', reason: 'The links were broken.', ...which };
  expect(await app.answer('issue.reissue', order)).toMatchObject({
    outcome: 'reissued',
    issue: { number: 1, revision: 2 },
  });
  expect(await app.answer('issue.reissue', order)).toMatchObject({ outcome: 'unchanged', issue: { revision: 2 } });
  await app.work();
  expect(await digestMails(app)).toHaveLength(2);
});

test('a third revision answers to the first mail, and is not marked twice', async () => {
  const app = await mailed(['ada']);
  await correct(app);
  await app.work();
  await correct(app, { summary: 'At Quay 3' });
  await app.work();
  const mail = await mailTo(app, 'ada');
  expect(mail).toMatchObject({
    messageId: '<weekly.1.3.ada@news.example>',
    inReplyTo: '<weekly.1.1.ada@news.example>',
  });
  expect(mail.subject).toMatch(/^Corrected: The week/);
});

test('a title that is corrected is corrected in the subject too; the editor’s own subject stays', async () => {
  const app = await mailed(['ada']);
  const [first] = await issues();
  expect(first?.subject).toContain('Letter ');
  const wrong = first?.titles[0] === 'Letter one' ? 'one' : 'two';
  await app.answer(
    'article.updated',
    articleData(wrong, { title: 'Right title', correction: { note: NOTE }, reissue: true }),
  );
  await app.work();
  expect((await mailTo(app, 'ada')).subject).toBe('Corrected: The week: Right title');

  await publish(app, 'three', { publishedAt: LATER });
  await app.answer('digest.run', { digest: 'weekly', subject: 'News from the quay' });
  await app.work();
  await app.answer(
    'article.updated',
    articleData('three', { publishedAt: LATER, title: 'Other', correction: { note: NOTE }, reissue: true }),
  );
  await app.work();
  expect((await mailTo(app, 'ada')).subject).toBe('Corrected: News from the quay');
});

test('an article in two digests has both reissued, each to its own readers', async () => {
  const other = digestData({ id: 'other', title: 'Another' });
  const app = await newsroom({ settings: { digests: [digestData(), other] }, articles: ['one'] });
  await addReaders(['ada', 'bea']);
  await addReaders(['bea', 'cid'], 'other');
  app.clock.now = DUE;
  await app.tick(DUE);
  await app.work();
  app.clock.now = LATER;
  const answer = await correct(app);
  expect(answer.issues).toEqual([
    { digest: 'other', number: 1, revision: 2, audience: 2 },
    { digest: 'weekly', number: 1, revision: 2, audience: 2 },
  ]);
  await app.work();
  expect((await digestMails(app)).filter(([, revision]) => revision === 2)).toHaveLength(4);
});

test('what was withdrawn is not in the reissue', async () => {
  const app = await mailed(['ada']);
  const { articles } = (await app.deps.issues.read('weekly', 1)) ?? { articles: [] };
  expect(articles).toHaveLength(2);
  await app.answer('article.withdrawn', { id: articleData('two').id, note: 'It was wrong.' });
  await app.answer('issue.reissue', REISSUE);
  await app.work();
  expect((await mailTo(app, 'ada')).text).not.toContain('letter two');
});

describe('to more than a hundred', () => {
  test('issue.reissue needs the number of people, and sends nothing without', async () => {
    const app = await mailed(manyNames(101));
    const stored = await snapshot();
    for (const confirm of [undefined, 100, 102]) {
      const order = { ...REISSUE, ...(confirm === undefined ? {} : { confirm }) };
      expect(await refusal(app.call('issue.reissue', order))).toEqual({
        status: 422,
        text: 'Nothing was sent. /data/confirm must be 101, the number of people that it goes to',
      });
    }
    expect(await snapshot()).toEqual(stored);
    expect(await app.answer('issue.reissue', { ...REISSUE, confirm: 101 })).toMatchObject({ outcome: 'reissued' });
  });

  test('a correction is published, and mailed only when the number is confirmed', async () => {
    const app = await mailed(manyNames(101));
    expect(await correct(app)).toMatchObject({
      outcome: 'updated',
      warnings: ['/data/confirm: nothing was sent; to reissue, confirm must be 101, the number of mails'],
    });
    await app.work();
    expect(await digestMails(app)).toHaveLength(101);
    expect(await (await app.fetch('/rss.xml')).text()).toContain('Quay 2');
    expect(await correct(app, { confirm: 101 })).toMatchObject({ outcome: 'reissued', issue: { audience: 101 } });
    await app.work();
    expect(await digestMails(app)).toHaveLength(202);
  });

  test('a hundred need no confirmation', async () => {
    const app = await mailed(manyNames(100));
    expect(await correct(app)).toMatchObject({ outcome: 'reissued', issue: { audience: 100 } });
  });
});

describe('while the first sending still runs', () => {
  /** Two readers have it, two are in a carrier's hands, two wait. */
  async function underWay(meanwhile: (app: TestApp) => Promise<unknown>) {
    const names = ['ada', 'bea', 'cid', 'dee', 'eve', 'fay'];
    const app = await newsroom({ articles: ['one', 'two'] });
    await addReaders(names);
    app.clock.now = DUE;
    await app.tick(DUE);
    await workNext(app);
    const { sent, transport } = recordingTransport();
    let batches = 0;
    app.deps.transport = {
      ...sharing(transport, ({ send, ...session }) => ({
        ...session,
        async send(mails, key) {
          batches += 1;
          if (batches === 2) await meanwhile(app);
          return send(mails, key);
        },
      })),
      batchSize: 2,
    };
    await app.work();
    for (let tick = 1; tick <= 6; tick += 1) {
      app.clock.now = shift(DUE, tick * 400);
      app.jobs.push(...app.delayed.splice(0));
      await app.tick(app.clock.now);
      await app.work();
    }
    return { app, sent: sent.map(({ to, messageId }) => [to.split('@')[0], Number(messageId.split('.')[2])]) };
  }

  test('nobody gets the old text after the correction, and nobody the same twice', async () => {
    const { app, sent } = await underWay((running) => correct(running));
    expect(sent).toEqual([
      ['ada', 1],
      ['bea', 1],
      ['cid', 1],
      ['dee', 1],
      ...['ada', 'bea', 'cid', 'dee', 'eve', 'fay'].map((name) => [name, 2]),
    ]);
    expect(await states(1)).toEqual({
      ...{ ada: 'sent', bea: 'sent', cid: 'sent', dee: 'sent' },
      ...{ eve: 'superseded', fay: 'superseded' },
    });
    expect(await issues()).toMatchObject([{ status: 'superseded' }, { status: 'sent' }]);
    expect(await balance(app)).toMatchObject({ revision: 2, audience: 6, deliveries: { sent: 6 } });
  });

  test('paused first, then corrected: everybody gets the corrected text alone', async () => {
    const { sent } = await underWay(async (running) => {
      await running.answer('issue.pause', { digest: 'weekly', number: 1 });
      await correct(running);
    });
    expect(sent.filter(([name]) => name === 'eve' || name === 'fay')).toEqual([
      ['eve', 2],
      ['fay', 2],
    ]);
  });

  test('before anybody is planned, all subscribers get the correction and not the mistake', async () => {
    const app = await newsroom({ articles: ['one'] });
    await addReaders(['ada', 'bea']);
    app.clock.now = DUE;
    await app.tick(DUE);
    expect(await correct(app)).toMatchObject({ issue: { revision: 2, audience: 2 } });
    await app.work();
    expect(await digestMails(app)).toEqual([
      ['ada@reader.example', 2],
      ['bea@reader.example', 2],
    ]);
  });

  test('a correction of which nobody had the first is cancelled with it, and the articles go on', async () => {
    const app = await newsroom({ articles: ['one'] });
    await addReaders(['ada']);
    app.clock.now = DUE;
    await app.tick(DUE);
    await correct(app);
    await app.answer('issue.cancel', { digest: 'weekly', number: 1 });
    await app.work();
    expect((await app.fetch('/issues/weekly/1')).status).toBe(404);
    await app.answer('digest.run', { digest: 'weekly' });
    await app.work();
    expect(await digestMails(app)).toEqual([['ada@reader.example', 1]]);
    expect((await mailTo(app, 'ada')).text).toContain('At Quay 2');
  });
});

test('a reissue that is cancelled leaves the issue as it was mailed', async () => {
  const app = await mailed(['ada']);
  await correct(app);
  await app.answer('issue.cancel', { digest: 'weekly', number: 1 });
  await app.work();
  expect(await digestMails(app)).toHaveLength(1);
  expect(await (await app.fetch('/issues/weekly/1')).text()).toContain('What letter one says');
  expect(await app.answer('issue.reissue', REISSUE)).toMatchObject({ outcome: 'reissued', issue: { revision: 3 } });
  await app.work();
  expect(await mailTo(app, 'ada')).toMatchObject({
    messageId: '<weekly.1.3.ada@news.example>',
    inReplyTo: '<weekly.1.1.ada@news.example>',
  });
});

test('who left, is suppressed or came later gets no correction', async () => {
  const app = await mailed(['ada', 'bea', 'cid', 'dee']);
  await app.deps.subscriptions.unsubscribe('bea', ['weekly'], { way: 'mail' }, LATER);
  await suppress('cid');
  await addReaders(['new']);
  expect(await correct(app)).toMatchObject({ issue: { audience: 2 } });
  app.deps.deliveries = interrupted(app.deps.deliveries, 'lease', () =>
    app.deps.subscriptions.unsubscribe('dee', ['weekly'], { way: 'mail' }, LATER),
  );
  await app.work();
  expect(await states(2)).toEqual({ ada: 'sent', dee: 'unsubscribed' });
});

test('an issue that waits for approval is made anew and waits again, without a word of correction', async () => {
  const app = await newsroom({ ...withDigest({ mode: 'approve' }), articles: ['one'] });
  await addReaders(['ada']);
  app.clock.now = DUE;
  await app.tick(DUE);
  await app.work();
  expect(await correct(app)).toMatchObject({ outcome: 'reissued', issue: { revision: 2 } });
  await app.work();
  expect(await issues()).toMatchObject([{ status: 'superseded' }, { status: 'held' }]);
  expect((await outbox(app)).map(({ kind }) => kind)).toEqual(['notice', 'notice']);
  await app.answer('issue.approve', { digest: 'weekly', number: 1 });
  await app.work();
  const mail = await mailTo(app, 'ada');
  expect(mail.subject).toBe('The week: Letter one');
  expect(mail.text).toContain('At Quay 2');
  expect(mail.text).not.toContain(NOTE);
});

describe('refused', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['an issue that is not there', { number: 9 }, '/data/number digest "weekly" has no issue 9'],
    [
      'a digest without issues',
      { digest: 'other', number: undefined },
      '/data/number digest "other" has no issue that was sent',
    ],
    ['no reason', { reason: undefined }, '/data/reason is required (string)'],
  ])('%s', async (_name, changes, text) => {
    const app = await mailed(['ada']);
    const { status, text: said } = await refusal(app.call('issue.reissue', { ...REISSUE, ...changes }));
    expect([status, said]).toEqual([422, expect.stringContaining(text)]);
  });

  test('a reissue without a note for readers', async () => {
    const app = await mailed(['ada']);
    expect(await refusal(app.call('article.updated', articleData('one', { reissue: true })))).toEqual({
      status: 422,
      text: expect.stringMatching(/\/data\/correction must have a note/),
    });
  });

  test('an article that no issue holds is published, and the answer says that nothing was mailed', async () => {
    const app = await mailed(['ada']);
    await publish(app, 'fresh', { publishedAt: LATER });
    expect(
      await app.answer('article.updated', articleData('fresh', { ...CORRECTION, publishedAt: LATER, reissue: true })),
    ).toMatchObject({
      outcome: 'updated',
      warnings: ['/data/reissue: no issue holds an earlier revision of the article'],
    });
  });
});

test.each([
  ['the same call', () => ({ id: 'correction' })],
  ['as many calls', () => ({})],
])(
  'two hundred at once, %s, make one revision and one issue revision',
  { timeout: 120_000 },
  async (_name, options) => {
    const app = await mailed(['ada']);
    const answers = await Promise.all(Array.from({ length: 200 }, () => correct(app, {}, options())));
    expect(new Set(answers.map(({ revision }) => revision))).toEqual(new Set([2]));
    await app.work();
    expect(await issues()).toHaveLength(2);
    expect(await app.deps.articles.history(answers[0]?.id ?? '')).toHaveLength(2);
    expect(await digestMails(app)).toHaveLength(2);
  },
);
