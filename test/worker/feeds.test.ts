import { beforeEach, describe, expect, test } from 'vitest';
import { NOW, type TestApp, testApp } from '../support/app.ts';
import { articleData, publicationData } from '../support/content.ts';
import { corrupt, countingDatabase } from '../support/database.ts';
import { page, problemOf, titles } from '../support/documents.ts';
import { newsroom } from '../support/newsroom.ts';

/** The feed of one article carries the later of its date and the settings' date. */
const LAST_MODIFIED = 'Fri, 12 Jun 2026 12:00:01 GMT';
const FILES = ['rss.xml', 'atom.xml', 'feed.json'];

let app: TestApp;

beforeEach(async () => {
  app = await newsroom({ articles: ['one'] });
  app.clock.now = '2026-06-12T12:30:00Z';
});

const get = (path: string, headers: Record<string, string> = {}) => app.fetch(path, { headers });

async function etagOf(path: string): Promise<string> {
  return (await get(path)).headers.get('etag') ?? '';
}

describe('conditional requests', () => {
  /** `%s` is the tag's opaque part, without quotes. */
  test.each<[string, Record<string, string>, number]>([
    ['nothing', {}, 200],
    ['exact', { 'If-None-Match': 'W/"%s"' }, 304],
    ['strong form', { 'If-None-Match': '"%s"' }, 304],
    ['with white space around', { 'If-None-Match': '  W/"%s" ' }, 304],
    ['last of a list', { 'If-None-Match': '"nope", W/"a,b" , W/"%s"' }, 304],
    ['first of a list without spaces', { 'If-None-Match': '"%s","nope"' }, 304],
    ['any', { 'If-None-Match': '*' }, 304],
    ['other', { 'If-None-Match': '"nope"' }, 200],
    ['with the suffix of a gzipping proxy', { 'If-None-Match': 'W/"%s-gzip"' }, 304],
    ['with another suffix', { 'If-None-Match': 'W/"%sx"' }, 200],
    ['a star in quotes', { 'If-None-Match': '"*"' }, 200],
    ['unquoted', { 'If-None-Match': '%s' }, 200],
    ['half quoted', { 'If-None-Match': 'W/"%s' }, 200],
    ['empty', { 'If-None-Match': '' }, 200],
    ['date exact', { 'If-Modified-Since': LAST_MODIFIED }, 304],
    ['date later', { 'If-Modified-Since': 'Fri, 12 Jun 2026 12:10:00 GMT' }, 304],
    ['date a second earlier', { 'If-Modified-Since': 'Fri, 12 Jun 2026 12:00:00 GMT' }, 200],
    ['date of 2000', { 'If-Modified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' }, 200],
    ['date in RFC 850 form', { 'If-Modified-Since': 'Friday, 12-Jun-26 12:00:01 GMT' }, 304],
    ['date in RFC 850 form, earlier', { 'If-Modified-Since': 'Friday, 12-Jun-26 12:00:00 GMT' }, 200],
    ['date in RFC 850 form of last century', { 'If-Modified-Since': 'Sunday, 06-Nov-94 08:49:37 GMT' }, 200],
    ['date in asctime form', { 'If-Modified-Since': 'Fri Jun 12 12:00:01 2026' }, 304],
    ['date in asctime form, one-digit day, earlier', { 'If-Modified-Since': 'Fri Jun  5 12:00:01 2026' }, 200],
    ['date in words', { 'If-Modified-Since': 'yesterday' }, 200],
    ['date as number', { 'If-Modified-Since': '1781265601' }, 200],
    ['date in ISO form', { 'If-Modified-Since': '2026-06-12T12:00:01Z' }, 200],
    ['other tag beats the date', { 'If-None-Match': '"nope"', 'If-Modified-Since': LAST_MODIFIED }, 200],
    [
      'matching tag beats an old date',
      { 'If-None-Match': 'W/"%s"', 'If-Modified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' },
      304,
    ],
    ['If-Match other', { 'If-Match': '"nope"' }, 412],
    // RFC 9110 section 13.1.1 compares strongly, and ours are weak.
    ['If-Match with the weak tag', { 'If-Match': 'W/"%s"' }, 412],
    ['If-Match any', { 'If-Match': '*' }, 200],
    ['If-Match any, and the tag', { 'If-Match': '*', 'If-None-Match': 'W/"%s"' }, 304],
    ['If-Match other comes before a matching tag', { 'If-Match': '"nope"', 'If-None-Match': 'W/"%s"' }, 412],
  ])('%s', async (_, headers, status) => {
    for (const file of FILES) {
      const opaque = (await etagOf(`/${file}`)).slice(3, -1);
      const filled = Object.entries(headers).map(([name, value]) => [name, value.replace('%s', opaque)]);
      for (const method of ['GET', 'HEAD']) {
        const response = await app.fetch(`/${file}`, { method, headers: Object.fromEntries(filled) });
        expect(response.status).toBe(status);
        if (status === 412 && method === 'GET') await problemOf(response);
        else expect((await response.text()) === '').toBe(status === 304 || method === 'HEAD');
      }
    }
  });

  test('a 304 repeats what a cache needs', async () => {
    for (const file of FILES) {
      const full = await get(`/${file}`);
      const short = await get(`/${file}`, { 'If-None-Match': full.headers.get('etag') ?? '' });
      for (const name of ['ETag', 'Last-Modified', 'Cache-Control', 'Vary', 'Link', 'Access-Control-Allow-Origin']) {
        expect([name, short.headers.get(name)]).toEqual([name, full.headers.get(name)]);
      }
      expect(short.headers.get('content-type')).toBeNull();
    }
  });
});

describe('answers', () => {
  test.each([
    ['rss.xml', 'application/rss+xml; charset=utf-8'],
    ['atom.xml', 'application/atom+xml; charset=utf-8'],
    ['feed.json', 'application/feed+json; charset=utf-8'],
  ])('%s: headers, and HEAD like GET', async (file, type) => {
    await app.answer(
      'publication.updated',
      publicationData({ hubs: ['https://hub.example/', 'https://海.example/ü'] }),
    );
    for (const scope of ['', 'topics/sea/', 'issues/']) {
      const response = await get(`/${scope}${file}`, { Origin: 'https://reader.example', Accept: 'text/html' });
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': type,
        'cache-control': 'public, max-age=300, s-maxage=60',
        vary: 'Accept-Encoding',
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
        etag: expect.stringMatching(/^W\/"[0-9a-f]{32}"$/),
        'last-modified': expect.stringMatching(/ GMT$/),
        link: [
          '<https://hub.example/>; rel="hub"',
          '<https://xn--90w.example/%C3%BC>; rel="hub"',
          `<http://localhost:8787/${scope}${file}>; rel="self"`,
        ].join(', '),
      });
      expect(response.headers.has('set-cookie')).toBe(false);
      const head = await app.fetch(`/${scope}${file}`, { method: 'HEAD' });
      expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(response.headers));
      expect(await head.text()).toBe('');
    }
  });

  test('no hub is advertised that nobody named', async () => {
    expect((await get('/atom.xml')).headers.get('link')).toBe('<http://localhost:8787/atom.xml>; rel="self"');
    expect(await (await get('/atom.xml')).text()).not.toContain('rel="hub"');
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s is not allowed', async (method) => {
    const response = await app.fetch('/topics/sea/rss.xml', { method });
    expect(response.headers.get('allow')).toBe('GET, HEAD');
    expect((await problemOf(response)).status).toBe(405);
  });

  test.each([
    '/topics/nothing/rss.xml',
    '/topics/%FF/rss.xml',
    '/topics/sea%2Frss.xml/rss.xml',
    '/topics/%00/feed.json',
    '/topics//atom.xml',
    '/issues/weekly/rss.xml',
    '/feed.xml',
  ])('%s is not there', async (path) => {
    expect((await problemOf(await get(path))).status).toBe(404);
    expect(app.logged).toEqual([]);
  });

  test('before there is a publication there is no feed', async () => {
    await corrupt('DELETE FROM feedDocument');
    expect((await problemOf(await get('/rss.xml'))).status).toBe(404);
  });

  test('a topic in any script', async () => {
    await app.answer('article.published', articleData('two', { topics: ['海', 'città-d-acqua'] }));
    expect(await titles(app, '/topics/%E6%B5%B7/feed.json')).toEqual(['Letter two']);
    expect(await titles(app, '/topics/citt%C3%A0-d-acqua/feed.json')).toEqual(['Letter two']);
    const { headers } = await get('/topics/海/rss.xml');
    expect(headers.get('link')).toBe('<http://localhost:8787/topics/%E6%B5%B7/rss.xml>; rel="self"');
  });

  test('a query changes nothing', async () => {
    expect(await titles(app, '/feed.json?utm_source=x')).toEqual(['Letter one']);
  });

  test('one statement a request, with or without a body', async () => {
    const { counted, db } = countingDatabase();
    app = testApp({ db, now: app.clock.now });
    const etag = await etagOf('/topics/sea/atom.xml');
    expect(counted.statements).toBe(1);
    await get('/topics/sea/atom.xml', { 'If-None-Match': etag });
    await app.fetch('/rss.xml', { method: 'HEAD' });
    await get('/topics/nothing/rss.xml');
    expect(counted.statements).toBe(4);
  });

  test('many changes within a second: each has a later date inside, none shows a date ahead of the clock', async () => {
    app.clock.now = NOW;
    const seen = [LAST_MODIFIED];
    for (const key of ['two', 'three', 'four']) {
      await app.answer('article.published', articleData(key, { publishedAt: NOW }));
      const response = await get('/rss.xml');
      expect(Date.parse(response.headers.get('last-modified') ?? '')).toBeLessThanOrEqual(Date.parse(NOW));
      for (const since of seen) expect((await get('/rss.xml', { 'If-Modified-Since': since })).status).toBe(200);
      app.clock.now = '2026-06-12T12:10:00Z';
      seen.push((await get('/rss.xml')).headers.get('last-modified') ?? '');
      app.clock.now = NOW;
    }
    expect(new Set(seen).size).toBe(4);
  });

  test('of two writers at once with other bytes, the later bytes have the later date', async () => {
    const document = await app.deps.feeds.document('/rss.xml');
    if (!document) throw new Error('no feed');
    await app.deps.feeds.put([{ ...document, body: 'a', etag: 'W/"a"' }]);
    await app.deps.feeds.put([{ ...document, body: 'b', etag: 'W/"b"' }]);
    await app.deps.feeds.put([{ ...document, body: 'b', etag: 'W/"b"' }]);
    expect(await app.deps.feeds.document('/rss.xml')).toMatchObject({
      body: 'b',
      lastModified: document.lastModified + 2,
    });
  });

  test('the newest 50 of more', { timeout: 30_000 }, async () => {
    const keys = Array.from({ length: 55 }, (_, index) => String(index).padStart(2, '0'));
    for (const key of keys) {
      await app.answer('article.published', articleData(key, { publishedAt: `2026-06-11T09:${key}:00Z` }));
    }
    const listed = await titles(app);
    expect(listed).toHaveLength(50);
    expect(listed[0]).toBe('Letter 54');
    expect(listed[49]).toBe('Letter 05');
  });
});

describe('one bad article takes nothing down', () => {
  test.each([
    ['an unreadable publication date', `UPDATE article SET publishedAt = 'soon' WHERE key = 'bad'`],
    ['an unreadable date that sorts last', `UPDATE article SET publishedAt = '' WHERE key = 'bad'`],
    ['an unreadable update date', `UPDATE article SET updatedAt = 'zzz' WHERE key = 'bad'`],
    ['an empty entry', `UPDATE article SET entry = '{}' WHERE key = 'bad'`],
    ['an old rendering whose source is no article', `UPDATE article SET renderedFor = 'old' WHERE key = 'bad'`],
  ])('%s', async (_, sql) => {
    const { id } = await app.answer('article.published', articleData('bad'));
    await corrupt(sql);
    await corrupt(`UPDATE articleRevision SET source = '{}' WHERE articleId = ?`, id);
    await corrupt('UPDATE feed SET version = version + 1');
    await app.tick('2026-06-12T12:35:00Z');
    for (const scope of ['', 'topics/sea/']) {
      for (const file of FILES) {
        const { status, text } = await page(app, `/${scope}${file}`);
        expect(status).toBe(200);
        expect(text).toContain('Letter one');
        expect(text).not.toContain('Letter bad');
      }
    }
    for (const path of ['/', '/topics/sea']) {
      const { status, text } = await page(app, path);
      expect(status).toBe(200);
      expect(text).toContain('Letter one');
    }
    for (const path of ['/articles/letter-one', '/feeds', '/sitemap.xml', '/opml.xml']) {
      expect((await page(app, path)).status).toBe(200);
    }
    expect((await page(app, '/sitemap.xml')).text).not.toMatch(/<lastmod>(zzz|soon)/);
    expect(app.logged.map(({ message }) => message)).toContain('an article cannot be shown');
    await app.answer('article.published', articleData('two'));
    expect(new Set(await titles(app))).toEqual(new Set(['Letter one', 'Letter two']));
  });

  test.each(['publishedAt', 'updatedAt'])('the digest goes out beside an unreadable %s', async (column) => {
    await app.answer('article.published', articleData('bad'));
    await corrupt(`UPDATE article SET ${column} = 'soon' WHERE key = 'bad'`);
    await app.tick('2026-06-16T06:00:00Z');
    const { text } = await page(app, '/issues/weekly/1');
    expect(text).toContain('Letter one');
  });
});
