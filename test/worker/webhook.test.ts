import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { NOW, type TestApp, testApp } from '../support/app.ts';
import { articleData, digestData, publicationData } from '../support/content.ts';
import { snapshot } from '../support/database.ts';
import { problemOf, titles } from '../support/documents.ts';
import { newsroom } from '../support/newsroom.ts';
import { TEST_SECRETS } from '../support/secrets.ts';
import { signedHeaders, WEBHOOK_SECRET } from '../support/signing.ts';

const SECONDS = Date.parse(NOW) / 1000;
const OLDER_SECRET = TEST_SECRETS.WEBHOOK_SECRETS.split(',')[1] ?? '';
const FOREIGN_SECRET = `whsec_${btoa('a secret that nobody here knows!')}`;
const BODY = JSON.stringify({ type: 'publication.updated', timestamp: NOW, data: publicationData() });
const BEARER = { Authorization: `Bearer ${TEST_SECRETS.PUBLISH_TOKEN}`, 'Idempotency-Key': 'call-1' };

function send(app: TestApp, headers: Record<string, string>, body: BodyInit = BODY): Promise<Response> {
  return app.fetch('/webhooks', { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body });
}

function sign({ body = BODY, id = 'msg_1', seconds = SECONDS, secret = WEBHOOK_SECRET } = {}) {
  return signedHeaders(body, id, seconds, secret);
}

async function signature(secret: string): Promise<string> {
  return (await sign({ secret }))['webhook-signature'] ?? '';
}

function without(headers: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
}

/** A proven call with a body of the test's own. */
function sendProven(app: TestApp, body: BodyInit, key: string = crypto.randomUUID()): Promise<Response> {
  return send(app, { ...BEARER, 'Idempotency-Key': key }, body);
}

async function pointers(response: Response): Promise<string[]> {
  const { status, errors = [] } = await problemOf(response);
  expect(status).toBe(422);
  return errors.map(({ pointer }) => pointer).sort((one, other) => (one < other ? -1 : 1));
}

describe('proof', () => {
  test.each<[string, () => Promise<Record<string, string>>]>([
    ['none', async () => ({})],
    ['another secret', () => sign({ secret: FOREIGN_SECRET })],
    ['an altered body', () => sign({ body: BODY.replace('Tide Notes', 'Tide notes') })],
    ['an altered id', async () => ({ ...(await sign()), 'webhook-id': 'msg_2' })],
    ['an altered timestamp', async () => ({ ...(await sign()), 'webhook-timestamp': String(SECONDS + 1) })],
    [
      'no version',
      async () => ({ ...(await sign()), 'webhook-signature': (await signature(WEBHOOK_SECRET)).slice(3) }),
    ],
    [
      'another version',
      async () => ({ ...(await sign()), 'webhook-signature': (await signature(WEBHOOK_SECRET)).replace('v1,', 'v2,') }),
    ],
    ['an empty signature', async () => ({ ...(await sign()), 'webhook-signature': '' })],
    [
      'half a signature',
      async () => ({ ...(await sign()), 'webhook-signature': (await signature(WEBHOOK_SECRET)).slice(0, 20) }),
    ],
    ['no id', async () => without(await sign(), 'webhook-id')],
    ['no timestamp', async () => without(await sign(), 'webhook-timestamp')],
    ['no signature', async () => without(await sign(), 'webhook-signature')],
    ['a timestamp in milliseconds', () => sign({ seconds: SECONDS * 1000 })],
    ['a timestamp of 301 seconds ago', () => sign({ seconds: SECONDS - 301 })],
    ['a timestamp 301 seconds ahead', () => sign({ seconds: SECONDS + 301 })],
    ['a bearer without Idempotency-Key', async () => without(BEARER, 'Idempotency-Key')],
    ['an empty Idempotency-Key', async () => ({ ...BEARER, 'Idempotency-Key': '' })],
    ['another bearer', async () => ({ ...BEARER, Authorization: `${BEARER.Authorization}x` })],
    ['the admin token', async () => ({ ...BEARER, Authorization: `Bearer ${TEST_SECRETS.ADMIN_TOKEN}` })],
    ['another scheme', async () => ({ ...BEARER, Authorization: `Basic ${TEST_SECRETS.PUBLISH_TOKEN}` })],
    [
      'a wrong signature beside the right bearer',
      async () => ({ ...BEARER, ...(await sign({ secret: FOREIGN_SECRET })) }),
    ],
  ])('refused: %s', async (_, headers) => {
    const app = testApp();
    const before = await snapshot();
    const response = await send(app, await headers());
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await problemOf(response)).toMatchObject({ status: 401, title: 'Not proven' });
    expect(await snapshot()).toEqual(before);
    expect(app.logged).toEqual([{ message: 'a call was not proven', context: { fault: expect.any(String) } }]);
  });

  test.each<[string, () => Promise<Record<string, string>>]>([
    ['the newest secret', () => sign()],
    ['the older secret of a rotation', () => sign({ secret: OLDER_SECRET })],
    ['a timestamp of 300 seconds ago', () => sign({ seconds: SECONDS - 300 })],
    ['a timestamp 300 seconds ahead', () => sign({ seconds: SECONDS + 300 })],
    [
      'several signatures, ours last',
      async () => {
        const signatures = [
          'v1a,AAAA',
          'v2,AAAA',
          'junk',
          await signature(FOREIGN_SECRET),
          await signature(WEBHOOK_SECRET),
        ];
        return { ...(await sign()), 'webhook-signature': signatures.join(' ') };
      },
    ],
    ['a bearer with an Idempotency-Key', async () => BEARER],
    [
      'a bearer scheme in lower case',
      async () => ({ ...BEARER, Authorization: `bearer ${TEST_SECRETS.PUBLISH_TOKEN}` }),
    ],
  ])('accepted: %s', async (_, headers) => {
    const response = await send(testApp(), await headers());
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ outcome: 'created' });
  });

  test('what the standardwebhooks package signs is accepted', async () => {
    const headers = {
      'webhook-id': 'msg_package',
      'webhook-timestamp': String(SECONDS),
      'webhook-signature': new Webhook(WEBHOOK_SECRET).sign('msg_package', new Date(NOW), BODY),
    };
    expect((await send(testApp(), headers)).status).toBe(200);
  });
});

describe('body', () => {
  const MEBIBYTE = 1024 * 1024;
  const padded = (bytes: number) => BODY + ' '.repeat(bytes - BODY.length);
  const streamed = (text: string) => new Blob([text]).stream();

  test.each<[string, number, BodyInit, Record<string, string>]>([
    ['2 MiB, announced', 413, padded(2 * MEBIBYTE), { 'Content-Length': String(2 * MEBIBYTE) }],
    ['2 MiB, in a stream', 413, streamed(padded(2 * MEBIBYTE)), {}],
    ['1 MiB and a byte', 413, padded(MEBIBYTE + 1), {}],
    ['1 MiB', 200, padded(MEBIBYTE), {}],
    ['text/plain', 415, BODY, { 'Content-Type': 'text/plain' }],
    ['a form', 415, BODY, { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['a type that only begins like JSON', 415, BODY, { 'Content-Type': 'application/jsonp' }],
    ['JSON with a charset', 200, BODY, { 'Content-Type': 'application/json; charset=utf-8' }],
    ['a JSON suffix', 200, BODY, { 'Content-Type': 'application/cloudevents+json' }],
    ['a byte order mark', 200, `\uFEFF${BODY}`, {}],
    ['not UTF-8', 422, new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), {}],
    ['not JSON', 422, '{"type": "article.published"', {}],
    ['empty', 422, '', {}],
  ])('%s: %i', async (_, status, body, headers) => {
    const app = testApp();
    const response = await send(app, { ...BEARER, ...headers }, body);
    if (status === 200) expect(response.status).toBe(200);
    else expect((await problemOf(response)).status).toBe(status);
    expect(app.logged).toEqual([]);
  });

  test('without a Content-Type', async () => {
    const response = await testApp().fetch('/webhooks', { method: 'POST', headers: BEARER, body: new Blob([BODY]) });
    expect((await problemOf(response)).status).toBe(415);
  });

  test('a method other than POST', async () => {
    const response = await testApp().fetch('/webhooks');
    expect(response.headers.get('allow')).toBe('POST');
    expect((await problemOf(response)).status).toBe(405);
  });
});

describe('faulty fields are all named at once', () => {
  const article = (changes: Record<string, unknown>) => ({
    type: 'article.published',
    timestamp: NOW,
    data: articleData('one', changes),
  });
  const publication = (changes: Record<string, unknown>) => ({
    type: 'publication.updated',
    timestamp: NOW,
    data: publicationData(changes),
  });

  test.each<[string, unknown, string[]]>([
    ['no object', [], ['']],
    ['null', null, ['']],
    ['nothing', {}, ['/type']],
    ['an unknown type', { type: 'article.deleted', timestamp: NOW, data: {} }, ['/type']],
    ['no data and no timestamp', { type: 'article.withdrawn' }, ['/data', '/timestamp']],
    ['an unknown field beside data', { ...article({}), extra: 1 }, ['/extra']],
    [
      'an empty article',
      { type: 'article.published', timestamp: 'today', data: {} },
      ['/data', '/data/authors', '/data/id', '/data/publishedAt', '/data/title', '/data/topics', '/timestamp'],
    ],
    ['two bodies', article({ bodyText: 'also' }), ['/data']],
    [
      'unknown fields',
      article({ tags: [], authors: [{ name: 'Ana', twitter: '@ana' }], 'a/b~c': 1 }),
      ['/data/authors/0/twitter', '/data/a~1b~0c', '/data/tags'],
    ],
    [
      'wrong values',
      article({
        slug: 'Not A Slug',
        url: '/relative',
        title: ' ',
        publishedAt: '2026-02-30T10:00:00Z',
        updatedAt: '2026-06-10 09:00',
        language: 'not a tag',
        topics: ['sea', 'The Sea'],
        authors: [{ name: 'Ana', email: 'nowhere' }, {}],
        image: { url: 'data:,x', width: 0 },
        attachments: [{ url: 'https://a.example/a.mp3', type: 'audio', length: -1 }],
        aliases: ['old', '/fine', '/with?query'],
      }),
      [
        '/data/aliases/0',
        '/data/aliases/2',
        '/data/attachments/0/length',
        '/data/attachments/0/type',
        '/data/authors/0/email',
        '/data/authors/1/name',
        '/data/image/alt',
        '/data/image/url',
        '/data/image/width',
        '/data/language',
        '/data/publishedAt',
        '/data/slug',
        '/data/title',
        '/data/topics/1',
        '/data/updatedAt',
        '/data/url',
      ],
    ],
    [
      'wrong zone and cron, and a missing title',
      publication({
        title: undefined,
        digests: [digestData({ schedule: { cron: '0 8 * *', timezone: 'Mars/Base' } })],
      }),
      ['/data/digests/0/schedule/cron', '/data/digests/0/schedule/timezone', '/data/title'],
    ],
    [
      'a cron that never fires',
      publication({ digests: [digestData({ schedule: { cron: '0 0 31 2 *', timezone: 'UTC' } })] }),
      ['/data/digests/0/schedule/cron'],
    ],
    ['two digests of one id', publication({ digests: [digestData(), digestData()] }), ['/data/digests/1/id']],
    [
      'settings of the wrong kind',
      publication({ sender: { name: 'Desk' }, hubs: ['ftp://hub.example'], id: '7', links: { imprint: 'x' } }),
      ['/data/hubs/0', '/data/id', '/data/links/imprint', '/data/sender/email'],
    ],
  ])('%s', async (_, body, expected) => {
    const before = await snapshot();
    expect(await pointers(await sendProven(testApp(), JSON.stringify(body)))).toEqual(expected);
    expect(await snapshot()).toEqual(before);
  });

  test('an unknown type is told which there are', async () => {
    const body = JSON.stringify({ type: 'article.deleted', timestamp: NOW, data: {} });
    const { errors = [] } = await problemOf(await sendProven(testApp(), body));
    expect(errors[0]?.message).toContain('article.published');
    expect(errors[0]?.message).toContain('issue.cancel');
  });

  test('an article before any publication', async () => {
    const response = await testApp().call('article.published', articleData('one'));
    expect((await problemOf(response)).detail).toContain('publication.updated');
  });

  test('slug and alias of another article, in one answer', async () => {
    const app = await newsroom();
    await app.answer('article.published', articleData('one', { slug: 'taken', aliases: ['/old/one'] }));
    const two = articleData('two', { slug: 'taken', aliases: ['/mine', '/old/one', '/articles/taken'] });
    expect(await pointers(await app.call('article.published', two))).toEqual([
      '/data/aliases/1',
      '/data/aliases/2',
      '/data/slug',
    ]);
    expect(await titles(app)).toEqual(['Letter one']);
  });

  test('withdrawal of what is not there', async () => {
    const app = await newsroom();
    expect(await pointers(await app.call('article.withdrawn', { id: 'nobody' }))).toEqual(['/data/id']);
  });

  test('another id for the publication', async () => {
    const app = await newsroom();
    const moved = publicationData({ id: crypto.randomUUID() });
    expect(await pointers(await app.call('publication.updated', moved))).toEqual(['/data/id']);
  });
});

describe('receipts', () => {
  const call = (changes: Record<string, unknown> = {}) =>
    JSON.stringify({ type: 'article.published', timestamp: NOW, data: articleData('one', changes) });

  test('the same id with the same bytes gets the same answer and changes nothing', async () => {
    const app = await newsroom();
    const first = await sendProven(app, call(), 'same');
    const text = await first.text();
    const before = await snapshot();
    app.clock.now = '2026-06-13T00:00:00Z';
    const again = await sendProven(app, call(), 'same');
    expect([again.status, await again.text()]).toEqual([200, text]);
    expect(await snapshot()).toEqual(before);
  });

  test.each([
    ['another article', call({ title: 'Other' })],
    ['a space more', `${call()} `],
    ['a byte order mark', `\uFEFF${call()}`],
    ['no JSON', 'no'],
  ])('the same id with other bytes is a conflict: %s', async (_, body) => {
    const app = await newsroom();
    expect((await sendProven(app, call(), 'same')).status).toBe(200);
    const before = await snapshot();
    expect((await problemOf(await sendProven(app, body, 'same'))).status).toBe(409);
    expect(await snapshot()).toEqual(before);
  });

  test('the id of a refused call may be used again', async () => {
    const app = await newsroom();
    expect((await sendProven(app, call({ title: '' }), 'again')).status).toBe(422);
    expect((await sendProven(app, call(), 'again')).status).toBe(200);
  });

  test('30 repeats at once make one revision and get one answer', { timeout: 30_000 }, async () => {
    const app = await newsroom();
    const responses = await Promise.all(Array.from({ length: 30 }, () => sendProven(app, call(), 'same')));
    const texts = await Promise.all(responses.map((response) => response.text()));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(texts).size).toBe(1);
    expect(JSON.parse(texts[0] ?? '')).toMatchObject({ outcome: 'created', revision: 1 });
    const { articleRevision, receipt } = await snapshot();
    expect(articleRevision).toHaveLength(1);
    expect(receipt).toHaveLength(2);
    expect(await titles(app)).toEqual(['Letter one']);
  });

  test('30 calls with the same content and ids of their own: one creates, the others find it', {
    timeout: 30_000,
  }, async () => {
    const app = await newsroom();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => app.answer('article.published', articleData('one'))),
    );
    const outcomes = answers.map(({ outcome }) => outcome).sort();
    expect(outcomes).toEqual(['created', ...Array.from({ length: 29 }, () => 'unchanged')]);
  });

  test('25 different articles at once are all in all feeds', { timeout: 30_000 }, async () => {
    const app = await newsroom();
    const keys = Array.from({ length: 25 }, (_, index) => `k${index}`);
    await Promise.all(keys.map((key) => app.answer('article.published', articleData(key))));
    const expected = new Set(keys.map((key) => `Letter ${key}`));
    for (const path of ['/feed.json', '/topics/sea/feed.json'])
      expect(new Set(await titles(app, path))).toEqual(expected);
    expect(app.logged).toEqual([]);
  });

  test('articles of one title at once get slugs of their own', async () => {
    const app = await newsroom();
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((key) => app.answer('article.published', articleData(key, { title: 'Same' }))),
    );
    const paths = answers.map(({ url = '' }) => new URL(url).pathname).sort();
    expect(paths).toEqual(['/articles/same', '/articles/same-2', '/articles/same-3', '/articles/same-4']);
  });
});
