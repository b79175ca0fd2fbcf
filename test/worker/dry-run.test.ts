import { describe, expect, test } from 'vitest';
import { shift } from '../../src/domain/time.ts';
import type { TestApp } from '../support/app.ts';
import { articleData, publicationData } from '../support/content.ts';
import { snapshot } from '../support/database.ts';
import { addReaders, DUE, manyNames, newsroom, outbox, withDigest } from '../support/newsroom.ts';
import { signedHeaders } from '../support/signing.ts';

/** Asks for the plan of a call, and checks that nothing at all came of it. */
async function plan(app: TestApp, type: string, data: unknown, query = '?dryRun=1') {
  const before = await snapshot();
  const body = JSON.stringify({ type, timestamp: app.clock.now, data });
  const proof = await signedHeaders(body, 'plan', Date.parse(app.clock.now) / 1000);
  const headers = { 'Content-Type': 'application/json', ...proof };
  const response = await app.fetch(`/webhooks${query}`, { method: 'POST', headers, body });
  expect(await snapshot()).toEqual(before);
  expect(app.jobs).toEqual([]);
  return { status: response.status, body: await response.json<Record<string, unknown>>() };
}

async function mailed(readers: number): Promise<TestApp> {
  const app = await newsroom({ articles: ['one', 'two'] });
  await addReaders(manyNames(readers));
  app.clock.now = DUE;
  await app.tick(DUE);
  await app.work();
  app.clock.now = shift(DUE, 3600);
  return app;
}

const FEEDS = ['rss.xml', 'atom.xml', 'feed.json'];
const feedsOf = (...folders: string[]) => folders.flatMap((folder) => FEEDS.map((file) => `${folder}/${file}`));

describe('of an article', () => {
  test('that is new', async () => {
    const app = await newsroom();
    const { status, body } = await plan(app, 'article.published', articleData('one'));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      dryRun: true,
      outcome: 'created',
      revision: 1,
      url: 'http://localhost:8787/articles/letter-one',
      feeds: feedsOf('', '/topics/sea'),
    });
    expect(await app.answer('article.published', articleData('one'))).toMatchObject({ id: body.id, revision: 1 });
  });

  test('that is there already', async () => {
    const app = await newsroom({ articles: ['one'] });
    expect((await plan(app, 'article.published', articleData('one'))).body).toMatchObject({
      outcome: 'unchanged',
      revision: 1,
      changes: [],
      feeds: [],
    });
  });

  test('that changes: its fields, the feeds it leaves and enters', async () => {
    const app = await newsroom({ articles: ['one'] });
    const changes = { title: 'Another', topics: ['shore'], summary: undefined, language: 'de' };
    expect((await plan(app, 'article.updated', articleData('one', changes))).body).toMatchObject({
      outcome: 'updated',
      revision: 2,
      changes: ['title', 'summary', 'topics', 'language'],
      feeds: feedsOf('', '/topics/sea', '/topics/shore'),
    });
  });

  test('that was mailed: the issues, the audience and the size of the mail', async () => {
    const app = await mailed(3);
    const data = articleData('one', { title: 'Right', correction: { note: 'It was wrong.' } });
    const silent = (await plan(app, 'article.updated', data)).body;
    expect(silent).toMatchObject({ outcome: 'updated', feeds: feedsOf('', '/topics/sea') });
    expect(silent.issues).toEqual([
      { digest: 'weekly', number: 1, revision: 1, audience: 0, subject: expect.any(String) },
    ]);

    const { body } = await plan(app, 'article.updated', { ...data, reissue: true });
    expect(body).toMatchObject({
      outcome: 'reissued',
      issue: { digest: 'weekly', number: 1, revision: 2, audience: 3 },
      issues: [{ number: 1, revision: 2, audience: 3, articles: expect.arrayContaining(['Right', 'Letter two']) }],
      feeds: feedsOf('', '/topics/sea', '/issues'),
    });
    const [issue] = body.issues as { subject: string; bytes: { html: number; text: number } }[];
    expect(body).not.toHaveProperty('confirm');
    await app.answer('article.updated', { ...data, reissue: true });
    await app.work();
    const [mail] = (await outbox(app)).slice(-1);
    expect(mail?.subject).toBe(issue?.subject);
    expect(issue?.bytes.html).toBeGreaterThan(5000);
    expect(issue?.bytes.text).toBeGreaterThan(200);
  });

  test('to more than a hundred: what confirm must be, and with it that it is sent', async () => {
    const app = await mailed(101);
    const data = articleData('one', { title: 'Right', correction: { note: 'It was wrong.' }, reissue: true });
    expect((await plan(app, 'article.updated', data)).body).toMatchObject({ outcome: 'updated', confirm: 101 });
    const { body } = await plan(app, 'article.updated', { ...data, confirm: 101 });
    expect(body).toMatchObject({ outcome: 'reissued', issue: { audience: 101 } });
    expect(body).not.toHaveProperty('confirm');
  });

  test('that is withdrawn', async () => {
    const app = await mailed(1);
    const { id } = articleData('one');
    expect((await plan(app, 'article.withdrawn', { id })).body).toMatchObject({
      outcome: 'withdrawn',
      feeds: feedsOf('', '/topics/sea'),
      issues: [{ digest: 'weekly', number: 1 }],
    });
    await app.answer('article.withdrawn', { id });
    expect((await plan(app, 'article.withdrawn', { id })).body).toMatchObject({ outcome: 'unchanged', feeds: [] });
  });

  test.each<[string, Record<string, unknown>, [string, string][]]>([
    ['nothing', {}, []],
    [
      'a relative link',
      { bodyMarkdown: 'See [there](../about).' },
      [['/data/bodyMarkdown', 'link "../about" is relative: readers get http://localhost:8787/about']],
    ],
    [
      'a link that no reader may follow',
      { bodyHtml: '<a href="javascript:alert(1)">x</a>', bodyMarkdown: undefined },
      [['/data/bodyHtml', 'link "javascript:alert(1)" is broken: it is left out']],
    ],
    [
      'a link to an article that is not there',
      { bodyMarkdown: '[a](https://other.example/x) [b](http://localhost:8787/articles/nowhere)' },
      [['/data/bodyMarkdown', 'link "/articles/nowhere" is broken: no article is there']],
    ],
    ['a footnote and an anchor', { bodyMarkdown: 'Text[^1] and [up](#top).\n\n[^1]: Note.' }, []],
    [
      'a picture without words',
      { bodyMarkdown: '![](https://other.example/a.png)' },
      [['/data/bodyMarkdown', 'image "https://other.example/a.png" has no alternative text']],
    ],
    [
      'a lead picture without words',
      { image: { url: 'https://other.example/a.png', alt: '' } },
      [['/data/image/alt', expect.stringContaining('is empty')]],
    ],
    ['no summary', { summary: undefined }, [['/data/summary', expect.stringContaining('is empty')]]],
    [
      'what other services fill in',
      { title: 'Dear *|FNAME|*', bodyMarkdown: 'Hello {{ first_name }}, 50%% off' },
      [
        ['/data/title', expect.stringContaining('*|FNAME|*')],
        ['/data/bodyMarkdown', expect.stringContaining('{{ first_name }}')],
      ],
    ],
  ])('finds %s', async (_name, changes, found) => {
    const app = await newsroom();
    const { bodyMarkdown, ...data } = articleData('one', { bodyMarkdown: 'Text.', ...changes });
    const sent = bodyMarkdown === undefined ? data : { bodyMarkdown, ...data };
    const { body } = await plan(app, 'article.published', sent);
    expect(body.findings).toEqual(found.map(([pointer, message]) => ({ pointer, message })));
  });
});

test.each([
  ['send', 'issued', feedsOf('/issues')],
  ['approve', 'held', []],
])('of digest.run, mode %s', async (mode, outcome, feeds) => {
  const app = await newsroom({ ...withDigest({ mode }), articles: ['one'] });
  await addReaders(['ada', 'bea']);
  const { body } = await plan(app, 'digest.run', { digest: 'weekly', subject: 'Now' });
  expect(body).toMatchObject({
    outcome,
    feeds,
    issue: { number: 1, revision: 1, audience: 2 },
    issues: [{ subject: 'Now', articles: ['Letter one'] }],
  });
});

test('of digest.run, as a test and when nothing is new', async () => {
  const app = await mailed(1);
  expect((await plan(app, 'digest.run', { digest: 'weekly' })).body).toMatchObject({ outcome: 'skipped' });
  await app.answer('article.published', articleData('three', { publishedAt: app.clock.now }));
  const { body } = await plan(app, 'digest.run', { digest: 'weekly', testTo: 'desk@news.example' });
  expect(body).toMatchObject({ outcome: 'tested', issue: { audience: 1 } });
});

test('of issue.reissue', async () => {
  const app = await mailed(101);
  const order = { digest: 'weekly', reason: 'The links were broken.' };
  expect((await plan(app, 'issue.reissue', order)).body).toMatchObject({
    outcome: 'reissued',
    issue: { number: 1, revision: 2, audience: 101 },
    confirm: 101,
    feeds: feedsOf('/issues'),
  });
});

test.each([
  ['issue.pause', 'sent', 422],
  ['issue.cancel', 'sent', 422],
])('of %s of an issue that is %s', async (type, _status, status) => {
  const app = await mailed(1);
  expect((await plan(app, type, { digest: 'weekly', number: 1 })).status).toBe(status);
});

test('of an approval', async () => {
  const app = await newsroom({ ...withDigest({ mode: 'approve' }), articles: ['one'] });
  await addReaders(['ada']);
  await app.tick(DUE);
  await app.work();
  expect((await plan(app, 'issue.approve', { digest: 'weekly', number: 1 })).body).toMatchObject({
    outcome: 'approved',
    issue: { audience: 1 },
  });
});

test('of the settings', async () => {
  const app = await newsroom();
  expect((await plan(app, 'publication.updated', publicationData())).body).toMatchObject({ outcome: 'unchanged' });
  expect((await plan(app, 'publication.updated', publicationData({ title: 'New' }))).body).toMatchObject({
    outcome: 'updated',
    changes: ['title'],
  });
});

test('a fault is refused as in the call itself', async () => {
  const app = await newsroom();
  const { status, body } = await plan(app, 'article.published', articleData('one', { title: '', topics: 'sea' }));
  expect(status).toBe(422);
  expect((body.errors as { pointer: string }[]).map(({ pointer }) => pointer)).toEqual(['/data/title', '/data/topics']);
});

test('another word than 1 does nothing at all', async () => {
  const app = await newsroom();
  expect(await plan(app, 'article.published', articleData('one'), '?dryRun=yes')).toMatchObject({
    status: 422,
    body: { detail: 'Nothing was done: dryRun must be 1, or be left out.' },
  });
});
