import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Env } from '../../src/env.ts';
import worker from '../../src/worker.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { articleData, publicationData } from '../support/content.ts';
import { emptyDatabase } from '../support/database.ts';
import { elementTexts, page, problemOf } from '../support/documents.ts';
import { newsroom } from '../support/newsroom.ts';

const HOME = 'http://localhost:8787/';

let app: TestApp;

/** One published, one withdrawn, one issue of the first that went out. */
beforeEach(async () => {
  app = await newsroom({ articles: ['one', 'gone'] });
  await app.answer('article.withdrawn', { id: 'gone' });
  await app.answer('digest.run', { digest: 'weekly', subject: 'A quiet week' });
  await app.work();
});

afterEach(() => vi.restoreAllMocks());

const PAGES = [
  ['/', ''],
  ['/articles/letter-one', 'articles/letter-one'],
  ['/topics/sea', 'topics/sea'],
  ['/issues', 'issues'],
  ['/issues/weekly/1', 'issues/weekly/1'],
  ['/feeds', 'feeds'],
] as const;

describe('every page', () => {
  test.each(PAGES)('%s', async (path, canonical) => {
    const { status, headers, text } = await page(app, path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    expect(headers.get('cache-control')).toBe('public, max-age=60');
    expect(headers.get('vary')).toBe('Accept-Encoding');
    expect(headers.has('set-cookie')).toBe(false);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toContain('script-src');
    expect(text).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">/);
    expect(text).not.toMatch(/<script|\son[a-z]+=|<[^>]+\sstyle="/);
    expect(text).toContain(`<link rel="canonical" href="${HOME}${canonical}">`);
    for (const [type, file] of [
      ['application/rss+xml', 'rss.xml'],
      ['application/atom+xml', 'atom.xml'],
      ['application/feed+json', 'feed.json'],
    ]) {
      expect(text).toMatch(
        new RegExp(`<link rel="alternate" type="${RegExp.escape(type ?? '')}" title="[^"]+" href="${HOME}${file}">`),
      );
    }
  });

  test.each(PAGES)('%s: HEAD, ETag and 304', async (path) => {
    const full = await app.fetch(path);
    const head = await app.fetch(path, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(full.headers));
    const etag = full.headers.get('etag') ?? '';
    const again = await app.fetch(path, { headers: { 'If-None-Match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(again.headers.get('etag')).toBe(etag);
    expect((await app.fetch(path, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
  });

  test('the stylesheet in a page is the one its policy names', async () => {
    const { headers, text } = await page(app, '/');
    const css = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? '';
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(css)));
    expect(headers.get('content-security-policy')).toContain(`'sha256-${btoa(String.fromCharCode(...hash))}'`);
  });

  test('a change moves the ETag', async () => {
    const before = (await app.fetch('/')).headers.get('etag');
    await app.answer('article.published', articleData('two'));
    expect((await app.fetch('/')).headers.get('etag')).not.toBe(before);
  });

  test('a topic page announces its own feeds first', async () => {
    const { text } = await page(app, '/topics/sea');
    expect(text.indexOf(`href="${HOME}topics/sea/rss.xml"`)).toBeGreaterThan(0);
    expect(text.indexOf(`href="${HOME}topics/sea/rss.xml"`)).toBeLessThan(text.indexOf(`href="${HOME}rss.xml"`));
    expect(text).toContain('The sea');
  });

  test('an article that is read elsewhere says so', async () => {
    await app.answer('article.published', articleData('one', { url: 'https://elsewhere.example/1' }));
    expect((await page(app, '/articles/letter-one')).text).toContain(
      '<link rel="canonical" href="https://elsewhere.example/1">',
    );
  });

  test('the issue on the web has no personal links', async () => {
    const { text } = await page(app, '/issues/weekly/1');
    expect(text).toContain('A quiet week');
    expect(text).not.toContain('unsubscribe');
  });

  test('a held issue is nobody’s to read', async () => {
    await app.answer(
      'publication.updated',
      publicationData({ digests: [{ ...publicationData().digests[0], mode: 'approve' }] }),
    );
    await app.answer('article.published', articleData('two'));
    expect(await app.answer('digest.run', { digest: 'weekly' })).toMatchObject({
      outcome: 'held',
      issue: { number: 2 },
    });
    expect((await page(app, '/issues/weekly/2')).status).toBe(404);
    expect((await page(app, '/issues')).text).not.toContain('/issues/weekly/2');
  });
});

describe('what is not there', () => {
  const PATHS = [
    '/nothing',
    '/articles/nothing',
    '/topics/nothing',
    '/issues/weekly/9',
    '/issues/weekly/0',
    '/issues/weekly/x',
    '/issues/nobody/1',
  ];
  const ODD = [
    '/%',
    '/%FF',
    '/%E6%B5',
    '/articles/%FF',
    '/articles/%00',
    '/topics/%C0%AF',
    '/issues/%FF/1',
    '/issues/weekly/99999999999999999999',
  ];

  test.each([...PATHS, ...ODD])('%s: a page for people, a problem document for programs', async (path) => {
    const forPeople = await page(app, path);
    expect(forPeople.status).toBe(404);
    expect(forPeople.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(forPeople.headers.get('cache-control')).toBe('no-store');
    expect(forPeople.headers.get('content-security-policy')).not.toContain('unsafe');
    expect(forPeople.text).toContain('name="robots" content="noindex"');
    expect((await problemOf(await app.fetch(path, { headers: { Accept: 'application/json' } }))).status).toBe(404);
    expect(app.logged).toEqual([]);
  });

  test('a withdrawn article is gone', async () => {
    const { status, headers, text } = await page(app, '/articles/letter-gone');
    expect(status).toBe(410);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text).toContain('noindex');
  });

  test.each([
    ['/', 'POST', 'GET, HEAD'],
    ['/articles/letter-one', 'DELETE', 'GET, HEAD'],
    ['/webhooks', 'GET', 'POST'],
    ['/unsubscribe/x', 'PUT', 'GET, HEAD, POST'],
    ['/healthz', 'POST', 'GET, HEAD'],
  ])('%s does not know %s', async (path, method, allow) => {
    const response = await app.fetch(path, { method, headers: { Accept: 'text/html' } });
    expect(response.headers.get('allow')).toBe(allow);
    expect((await problemOf(response)).status).toBe(405);
  });

  test('nothing redirects but GET and HEAD', async () => {
    await app.answer('article.published', articleData('one', { aliases: ['/old'] }));
    expect((await app.fetch('/old', { method: 'HEAD' })).status).toBe(301);
    expect((await app.fetch('/old', { method: 'POST' })).status).toBe(404);
  });

  test('before the first call there is a welcome, and nothing else', async () => {
    await emptyDatabase();
    const { status, headers } = await page(app, '/');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    for (const path of ['/issues', '/feeds', '/topics/sea', '/opml.xml', '/outbox', '/unsubscribe/x']) {
      expect((await page(app, path)).status).toBe(404);
    }
    for (const path of ['/sitemap.xml', '/robots.txt', '/healthz']) expect((await page(app, path)).status).toBe(200);
  });
});

describe('files for programs', () => {
  test('/opml.xml lists every feed', async () => {
    await app.answer('article.published', articleData('two', { title: 'A & B', topics: ['海', 'a'] }));
    const { status, headers, text } = await page(app, '/opml.xml');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/x-opml; charset=utf-8']);
    expect(elementTexts(text, 'title')).toEqual(['Tide Notes']);
    const addresses = [...text.matchAll(/xmlUrl="([^"]+)"/g)].map((match) => match[1]);
    expect(addresses).toEqual([
      `${HOME}rss.xml`,
      ...['a', 'sea', '%E6%B5%B7'].map((topic) => `${HOME}topics/${topic}/rss.xml`),
      `${HOME}issues/rss.xml`,
    ]);
    for (const address of addresses) expect((await app.fetch(address ?? '')).status).toBe(200);
  });

  test('/sitemap.xml lists every page that is there', async () => {
    await app.answer('article.published', articleData('two', { slug: 'a-海' }));
    const { status, headers, text } = await page(app, '/sitemap.xml');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8']);
    const addresses = elementTexts(text, 'loc');
    expect(addresses).toEqual([
      HOME,
      `${HOME}issues`,
      expect.stringMatching(/articles/),
      expect.stringMatching(/articles/),
      `${HOME}issues/weekly/1`,
    ]);
    expect(addresses).toContain(`${HOME}articles/a-%E6%B5%B7`);
    for (const address of addresses) expect((await app.fetch(address)).status).toBe(200);
    expect(elementTexts(text, 'lastmod')).toHaveLength(3);
  });

  test('/feeds lists the feeds of declared and of used topics', async () => {
    await app.answer('article.published', articleData('two', { topics: ['land'] }));
    const { text } = await page(app, '/feeds');
    for (const path of ['rss.xml', 'topics/sea/atom.xml', 'topics/land/feed.json', 'issues/rss.xml', 'opml.xml']) {
      expect(text).toContain(`${HOME}${path}`);
    }
  });

  test('/robots.txt', async () => {
    const { status, headers, text } = await page(app, '/robots.txt');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=UTF-8']);
    expect(text).toContain(`Sitemap: ${HOME}sitemap.xml\n`);
    expect(text).toContain('Disallow: /unsubscribe/\n');
  });

  test('/healthz asks the database', async () => {
    const healthy = await app.fetch('/healthz');
    expect([healthy.status, await healthy.json()]).toEqual([200, { status: 'ok' }]);
    app.deps.publications.read = () => Promise.reject(new Error('D1 is away'));
    expect((await problemOf(await app.fetch('/healthz'))).status).toBe(500);
  });
});

describe('a failure', () => {
  test.each([
    ['/topics/sea/rss.xml', 'GET', /^\/topics\/:topic\//],
    ['/articles/letter-one', 'GET', /^\/articles\/:slug$/],
    ['/unsubscribe/secret-token', 'GET', /^\/unsubscribe\/:token$/],
    ['/unsubscribe/secret-token', 'POST', /^\/unsubscribe\/:token$/],
    ['/preview/secret-token', 'GET', /^\/preview\/:token$/],
  ])('%s by %s: 500 without internals, logged with its route and without its address', async (path, method, route) => {
    const fail = () => Promise.reject(new Error('D1_ERROR: inner workings'));
    const failing = new Proxy({}, { get: () => fail });
    Object.assign(app.deps, { publications: failing, feeds: failing, articles: failing, tokens: failing });
    const response = await app.fetch(path, { method });
    const problem = await problemOf(response);
    expect(problem).toMatchObject({ status: 500, title: 'Internal error' });
    expect(JSON.stringify(problem)).not.toContain('D1_ERROR');
    expect(app.logged).toEqual([
      {
        message: 'a request failed',
        context: { method, route: expect.stringMatching(route), error: expect.any(Error) },
      },
    ]);
    expect(JSON.stringify(app.logged)).not.toContain('secret');
  });
});

describe('an unconfigured Worker', () => {
  const complete = { ...env, BASE_URL: HOME };

  async function answerWith(changes: Record<string, unknown>) {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const broken = { ...complete, ...changes } as unknown as Env;
    const response = await worker.fetch(new Request(HOME), broken, createExecutionContext());
    return { response, log: logged.mock.calls.flat().join('\n') };
  }

  test.each<[string, Record<string, unknown>, string[]]>([
    ['no database', { DB: undefined }, ['DB']],
    ['no queue', { JOBS: undefined }, ['JOBS']],
    ['no base URL', { BASE_URL: undefined }, ['BASE_URL']],
    ['a base URL with a path', { BASE_URL: 'https://tide.example/news/' }, ['BASE_URL']],
    ['a base URL of another scheme', { BASE_URL: 'ftp://tide.example/' }, ['BASE_URL']],
    ['no dead letter queue', { DEAD: undefined }, ['DEAD']],
    ['an unknown transport', { MAIL_TRANSPORT: 'pigeon' }, ['MAIL_TRANSPORT']],
    ['a transport that is a word of JavaScript', { MAIL_TRANSPORT: 'constructor' }, ['MAIL_TRANSPORT']],
    ['an unknown transport for confirmations', { CONFIRMATION_TRANSPORT: 'pigeon' }, ['CONFIRMATION_TRANSPORT']],
    ['smtp without a server', { MAIL_TRANSPORT: 'smtp' }, ['SMTP_URL']],
    ['resend without a key', { MAIL_TRANSPORT: 'resend' }, ['RESEND_API_KEY']],
    ['cloudflare without its binding', { MAIL_TRANSPORT: 'cloudflare', EMAIL: undefined }, ['EMAIL']],
    ['another word for what is unknown', { MAIL_UNKNOWN: 'drop' }, ['MAIL_UNKNOWN']],
    ['a limit of nothing', { BOUNCE_LIMIT_PERCENT: '0' }, ['BOUNCE_LIMIT_PERCENT']],
    ['a limit that is no number', { COMPLAINT_LIMIT_PERCENT: 'few' }, ['COMPLAINT_LIMIT_PERCENT']],
    ['a webhook secret of Resend that is none', { RESEND_WEBHOOK_SECRETS: 're_123' }, ['RESEND_WEBHOOK_SECRETS']],
    ['a topic that is none', { SES_TOPIC_ARN: 'bounces' }, ['SES_TOPIC_ARN']],
    [
      'a webhook secret without whsec_',
      { WEBHOOK_SECRETS: btoa('a secret of more than 24 bytes') },
      ['WEBHOOK_SECRETS'],
    ],
    ['a short webhook secret', { WEBHOOK_SECRETS: `whsec_${btoa('short')}` }, ['WEBHOOK_SECRETS']],
    ['a webhook secret that is no base64', { WEBHOOK_SECRETS: `whsec_${'A'.repeat(33)}` }, ['WEBHOOK_SECRETS']],
    ['one of two secrets wrong', { WEBHOOK_SECRETS: `${env.WEBHOOK_SECRETS},whsec_` }, ['WEBHOOK_SECRETS']],
    ['a token secret without key id', { TOKEN_SECRETS: 'x'.repeat(40) }, ['TOKEN_SECRETS']],
    ['a short token', { PUBLISH_TOKEN: 'short' }, ['PUBLISH_TOKEN']],
    [
      'nothing at all',
      Object.fromEntries(Object.keys(complete).map((name) => [name, undefined])),
      [
        'DB',
        'JOBS',
        'DEAD',
        'BASE_URL',
        'MAIL_TRANSPORT',
        'WEBHOOK_SECRETS',
        'PUBLISH_TOKEN',
        'TOKEN_SECRETS',
        'SUPPRESSION_KEY',
        'ADMIN_TOKEN',
        'SUBSCRIBE_LIMIT',
      ],
    ],
  ])('%s: 503, and every fault by its name in the log', async (_, changes, names) => {
    const { response, log } = await answerWith(changes);
    const problem = await problemOf(response);
    expect(problem.status).toBe(503);
    for (const name of names) {
      expect(log).toContain(`${name} must`);
      expect(JSON.stringify(problem)).not.toContain(name);
    }
    expect(log.match(/ must /g)).toHaveLength(names.length);
    expect(log).not.toContain(env.PUBLISH_TOKEN);
  });

  test('a complete one answers', async () => {
    const { response, log } = await answerWith({});
    expect([response.status, log]).toEqual([200, '']);
  });

  test('a base URL without its last slash is the same', () => {
    expect(testApp({ baseUrl: 'https://tide.example' }).deps.baseUrl).toBe('https://tide.example/');
  });
});
