import { beforeEach, describe, expect, test } from 'vitest';
import { NOW, type TestApp, testApp } from '../support/app.ts';
import { articleData, publicationData } from '../support/content.ts';
import { emptyDatabase, snapshot } from '../support/database.ts';
import { elementTexts, feedDates, items, page, titles } from '../support/documents.ts';
import { interrupted, newsroom } from '../support/newsroom.ts';

/** The DNS namespace of RFC 9562, so that its own example of a UUIDv5 holds here. */
const PUBLICATION_ID = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
const LATER = '2026-06-12T13:00:00Z';
const HIDDEN_UNTIL = '2026-06-12T18:00:00Z';

let app: TestApp;

beforeEach(async () => {
  app = await newsroom({ settings: { id: PUBLICATION_ID } });
});

const publish = (key: string, changes: Record<string, unknown> = {}, timestamp = app.clock.now) =>
  app.answer('article.published', articleData(key, changes), { timestamp });

const withdraw = (id: string, note?: string) =>
  app.answer('article.withdrawn', { id, ...(note === undefined ? {} : { note }) });

async function location(path: string): Promise<[number, string | null]> {
  const response = await app.fetch(path);
  return [response.status, response.headers.get('location')];
}

/** Everything a reader or a mail could find an article by. */
async function placesOf(title: string): Promise<string[]> {
  const paths = ['/', '/topics/sea', '/rss.xml', '/atom.xml', '/feed.json', '/topics/sea/rss.xml'];
  const places = await Promise.all(
    paths.map(async (path) => ((await page(app, path)).text.includes(title) ? [path] : [])),
  );
  return places.flat();
}

const EVERYWHERE = ['/', '/topics/sea', '/rss.xml', '/atom.xml', '/feed.json', '/topics/sea/rss.xml'];

describe('revisions', () => {
  test('created, unchanged, updated', async () => {
    expect(await publish('one')).toEqual({
      id: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
      outcome: 'created',
      revision: 1,
      url: 'http://localhost:8787/articles/letter-one',
    });
    expect(await publish('one')).toMatchObject({ outcome: 'unchanged', revision: 1 });
    expect(await publish('one', { title: 'Better' })).toMatchObject({ outcome: 'updated', revision: 2 });
    expect(await titles(app)).toEqual(['Better']);
  });

  test.each<[string, Record<string, unknown>]>([
    ['the same', {}],
    ['other times', { publishedAt: '2026-06-11T09:00:00Z', updatedAt: '2026-06-11T10:00:00Z' }],
    ['a note about nothing', { correction: { note: 'Nothing' } }],
    ['another order of fields', Object.fromEntries(Object.entries(articleData('one')).reverse())],
  ])('unchanged content writes its receipt and nothing else: %s', async (_, changes) => {
    await publish('one');
    const { article, ...before } = await snapshot(['receipt']);
    app.clock.now = LATER;
    const dates = await feedDates(app);
    expect(await publish('one', changes)).toMatchObject({ outcome: 'unchanged', revision: 1 });
    // When it was said last: what arrives later and is older comes too late.
    const noted = article?.map((row) => Object.assign({}, row, { saidAt: LATER }));
    expect(await snapshot(['receipt'])).toEqual({ ...before, article: noted });
    expect(await feedDates(app)).toEqual(dates);
  });

  test.each<[string, Record<string, unknown>]>([
    ['title', { title: 'Other' }],
    ['summary', { summary: 'Other' }],
    ['body', { bodyMarkdown: 'Other' }],
    ['authors', { authors: [{ name: 'Ben' }] }],
    ['topics', { topics: ['sea', 'land'] }],
    ['language', { language: 'pt-BR' }],
    ['image', { image: { url: 'https://pictures.example/a.png', alt: 'A boat' } }],
    ['attachments', { attachments: [{ url: 'https://a.example/a.mp3', type: 'audio/mpeg', length: 7 }] }],
    ['url', { url: 'https://elsewhere.example/one' }],
    ['slug', { slug: 'other' }],
  ])('another %s is another revision, and both validators of the feed move', async (_, changes) => {
    await publish('one');
    app.clock.now = LATER;
    const before = await feedDates(app);
    expect(await publish('one', changes)).toMatchObject({ outcome: 'updated', revision: 2 });
    const after = await feedDates(app);
    expect(after.etag).not.toBe(before.etag);
    expect(after.lastModified).toBeGreaterThan(before.lastModified);
  });

  test('corrections are told on the page', async () => {
    await publish('one');
    app.clock.now = LATER;
    await publish('one', { title: 'Better', correction: { note: 'The title named the wrong boat.' } });
    expect((await page(app, '/articles/letter-one')).text).toContain('The title named the wrong boat.');
  });

  test.each([
    ['bodyMarkdown', 'Read *this*', '<em>this</em>'],
    ['bodyHtml', '<p>Read <em>this</em><script>alert(1)</script></p>', '<em>this</em>'],
    ['bodyText', 'Read <this>', 'Read &lt;this'],
  ])('%s', async (field, body, expected) => {
    await publish('one', { bodyMarkdown: undefined, [field]: body });
    const [item] = await items(app);
    expect(item?.content_html).toContain(expected);
    expect(item?.content_html).not.toContain('script');
  });
});

describe('ids', () => {
  test.each([
    ['https://elsewhere.example/2026/07?p=1#x', 'https://elsewhere.example/2026/07?p=1#x'],
    ['tag:elsewhere.example,2026:Über', 'tag:elsewhere.example,2026:Über'],
    ['urn:isbn:0451450523', 'urn:isbn:0451450523'],
    // RFC 9562, appendix A.4.
    ['www.example.com', 'urn:uuid:2ed6657d-e927-568b-95e1-2665a8aea6a2'],
    // uuid.uuid5(uuid.NAMESPACE_DNS, …) of Python.
    ['posts/één', 'urn:uuid:d33b0233-8ad4-52c6-a638-52faa1f1b271'],
    ['C:\\posts', 'urn:uuid:611a6878-9d64-5543-afff-17e2287ed815'],
    ['urn:x:\u0001', 'urn:uuid:20a74cd9-afe4-580a-b0c8-38e295cd757c'],
  ])('the key %j is the id %j in every format', async (key, id) => {
    expect((await publish(key)).id).toBe(id);
    const [item] = await items(app);
    expect(item?.id).toBe(id);
    expect(elementTexts(await (await app.fetch('/atom.xml')).text(), 'id')).toContain(id.replaceAll('&', '&#x26;'));
    expect(await (await app.fetch('/rss.xml')).text()).toMatch(new RegExp(`<guid[^>]*>${RegExp.escape(id)}</guid>`));
  });

  test('an id stays when slug, address and base URL change', async () => {
    const { id } = await publish('one');
    expect((await publish('one', { slug: 'two' })).id).toBe(id);
    expect((await publish('one', { slug: 'two', url: 'https://elsewhere.example/1' })).id).toBe(id);
    app = testApp({ baseUrl: 'https://tide.example/' });
    expect((await publish('one', { slug: 'three' })).id).toBe(id);
    expect((await items(app)).map((item) => item.id)).toEqual([id]);
  });
});

describe('addresses', () => {
  test.each([
    ['The Tide, at Last!', 'the-tide-at-last'],
    ['Café Olé – «ça va»?', 'cafe-ole-ca-va'],
    ["Don't", 'dont'],
    ['海の祭り 2026', '海の祭り-2026'],
    ['Праздник моря', 'праздник-моря'],
    ['مهرجان البحر', 'مهرجان-البحر'],
  ])('the title %j makes the slug %j', async (title, slug) => {
    const { url } = await publish('one', { title });
    expect(url).toBe(`http://localhost:8787/articles/${encodeURIComponent(slug)}`);
    expect((await page(app, `/articles/${slug}`)).status).toBe(200);
  });

  test('a title without letters gets a slug all the same, always the same', async () => {
    const { url } = await publish('one', { title: '…!' });
    expect(url).toMatch(/\/articles\/article-[0-9a-f]{8}$/);
  });

  test('a slug that is taken gets a suffix and then stays, whatever becomes of the title', async () => {
    await publish('one', { title: 'Same' });
    expect((await publish('two', { title: 'Same' })).url).toMatch(/\/same-2$/);
    expect((await publish('two', { title: 'Other' })).url).toMatch(/\/same-2$/);
  });

  test('a minted slug takes no old address from another article', async () => {
    await publish('one', { title: 'Same' });
    await publish('one', { title: 'Same', slug: 'moved' });
    expect((await publish('two', { title: 'Same' })).url).toMatch(/\/same-2$/);
    expect(await location('/articles/same')).toEqual([301, 'http://localhost:8787/articles/moved']);
  });

  test('a slug that is asked for neither', async () => {
    await publish('one', { slug: 'same' });
    await publish('one', { slug: 'moved' });
    const response = await app.call('article.published', articleData('two', { slug: 'same' }));
    expect([response.status, await response.json()]).toEqual([
      422,
      expect.objectContaining({ errors: [expect.objectContaining({ pointer: '/data/slug' })] }),
    ]);
    expect(await location('/articles/same')).toEqual([301, 'http://localhost:8787/articles/moved']);
  });

  test('old slugs redirect, also after a way back', async () => {
    await publish('one', { slug: 'a' });
    await publish('one', { slug: 'b' });
    await publish('one', { slug: '海' });
    expect(await location('/articles/a')).toEqual([301, 'http://localhost:8787/articles/%E6%B5%B7']);
    await publish('one', { slug: 'a' });
    expect(await location('/articles/a')).toEqual([200, null]);
    expect(await location('/articles/b')).toEqual([301, 'http://localhost:8787/articles/a']);
    expect(await location('/articles/%E6%B5%B7')).toEqual([301, 'http://localhost:8787/articles/a']);
  });

  test.each([
    ['/2026/05/one', '/2026/05/one?utm=x'],
    ['/alt/été', '/alt/%C3%A9t%C3%A9'],
    ['/alt/%C3%A9t%C3%A9', '/alt/été'],
    ['/a/%2541', '/a/%2541'],
    ['/a/%FF', '/a/%FF'],
    ['/a/./b/../c', '/a/c'],
    ['//host/path', '//host/path'],
    ['/topics/old-name', '/topics/old-name'],
    ['/a.html', '/a.html'],
  ])('the alias %s answers 301 at %s', async (alias, path) => {
    await publish('one', { aliases: [alias] });
    expect(await location(path.startsWith('//') ? `http://localhost:8787${path}` : path)).toEqual([
      301,
      'http://localhost:8787/articles/letter-one',
    ]);
  });

  test('an alias leads to where the article is read', async () => {
    await publish('one', { aliases: ['/old'], url: 'https://elsewhere.example/1' });
    expect(await location('/old')).toEqual([301, 'https://elsewhere.example/1']);
  });

  test('an alias of a withdrawn article leads to what is left of it', async () => {
    await publish('one', { aliases: ['/old'], url: 'https://elsewhere.example/1' });
    await withdraw('one');
    expect(await location('/old')).toEqual([301, 'http://localhost:8787/articles/letter-one']);
  });
});

describe('times', () => {
  const times = async () => {
    const [item] = await items(app);
    return [item?.date_published, item?.date_modified ?? item?.date_published];
  };
  const PUBLISHED = '2026-06-10T09:00:00Z';

  test.each([
    ['none', undefined, PUBLISHED],
    ['later', '2026-06-11T09:00:00Z', '2026-06-11T09:00:00Z'],
    ['in another zone', '2026-06-11T11:00:00+02:00', '2026-06-11T09:00:00Z'],
    ['before the publication', '2026-06-09T09:00:00Z', PUBLISHED],
    ['in the future', '2026-07-01T00:00:00Z', NOW],
  ])('first revision, updatedAt %s', async (_, updatedAt, expected) => {
    await publish('one', { updatedAt }, '2026-06-11T23:00:00Z');
    expect(await times()).toEqual([PUBLISHED, expected]);
  });

  test.each([
    ['none: the timestamp of the call', undefined, '2026-06-12T11:00:00Z', '2026-06-12T11:00:00Z'],
    ['given', '2026-06-12T10:00:00Z', '2026-06-12T11:00:00Z', '2026-06-12T10:00:00Z'],
    ['in the future', '2026-07-01T00:00:00Z', '2026-06-12T11:00:00Z', LATER],
    ['before the last one: the timestamp', '2026-06-11T01:00:00Z', '2026-06-12T11:00:00Z', '2026-06-12T11:00:00Z'],
    ['none, and a timestamp from the future', undefined, '2026-07-01T00:00:00Z', LATER],
  ])('later revision, updatedAt %s', async (_, updatedAt, timestamp, expected) => {
    await publish('one', { updatedAt: '2026-06-11T09:00:00Z' }, '2026-06-11T09:00:00Z');
    app.clock.now = LATER;
    await publish('one', { title: 'Better', updatedAt }, timestamp);
    expect(await times()).toEqual([PUBLISHED, expected]);
  });

  test('publishedAt stays once readers have seen it, and the answer says so', async () => {
    await publish('one');
    const answer = await publish('one', { title: 'Better', publishedAt: '2026-06-11T09:00:00Z' });
    expect(answer).toMatchObject({ outcome: 'updated', warnings: [expect.stringContaining(PUBLISHED)] });
    expect((await times())[0]).toBe(PUBLISHED);
    const future = await publish('one', { title: 'Best', publishedAt: '2026-12-01T00:00:00Z' });
    expect(future.warnings).toHaveLength(1);
    expect(await titles(app)).toEqual(['Best']);
  });

  test('no warning for the same instant in another zone', async () => {
    await publish('one');
    expect(await publish('one', { title: 'Better', publishedAt: '2026-06-10T11:00:00+02:00' })).not.toHaveProperty(
      'warnings',
    );
  });
});

describe('scheduled articles', () => {
  const schedule = (changes: Record<string, unknown> = {}) =>
    publish('one', { publishedAt: HIDDEN_UNTIL, topics: ['sea', 'secret'], aliases: ['/old'], ...changes });

  /** Whether any reader could know of the article. */
  async function isHidden(): Promise<boolean> {
    const pages = await Promise.all(
      ['/articles/letter-one', '/old', '/topics/secret', '/topics/secret/rss.xml'].map((path) => page(app, path)),
    );
    const lists = await Promise.all(['/sitemap.xml', '/opml.xml', '/feeds'].map((path) => page(app, path)));
    return (
      (await placesOf('Letter one')).length === 0 &&
      pages.every(({ status }) => status === 404) &&
      lists.every(({ text }) => !text.includes('letter-one') && !text.includes('secret'))
    );
  }

  test('hidden everywhere until the first tick after the time, then everywhere', async () => {
    await publish('zero');
    app.clock.now = LATER;
    const before = await feedDates(app);
    expect(await schedule()).toMatchObject({ outcome: 'created', revision: 1 });
    expect(await isHidden()).toBe(true);
    await app.tick('2026-06-12T17:55:00Z');
    app.clock.now = '2026-06-12T18:04:00Z';
    expect(await isHidden()).toBe(true);
    expect(await feedDates(app)).toEqual(before);
    app.clock.now = '2026-06-12T18:05:00Z';
    await app.tick('2026-06-12T18:05:00Z');
    expect(await isHidden()).toBe(false);
    expect(await placesOf('Letter one')).toEqual(EVERYWHERE);
    expect(await titles(app)).toEqual(['Letter one', 'Letter zero']);
    const after = await feedDates(app);
    expect(after.updated).toBe(HIDDEN_UNTIL);
    expect(after.lastModified).toBe(Date.parse(HIDDEN_UNTIL));
    expect(await location('/old')).toEqual([301, 'http://localhost:8787/articles/letter-one']);
    expect((await page(app, '/topics/secret/rss.xml')).status).toBe(200);
  });

  test('no digest has it before its time', async () => {
    await schedule();
    expect(await app.answer('digest.run', { digest: 'weekly' })).toMatchObject({ outcome: 'skipped' });
    app.clock.now = '2026-06-12T18:05:00Z';
    await app.tick(app.clock.now);
    expect(await app.answer('digest.run', { digest: 'weekly' })).toMatchObject({ outcome: 'issued' });
  });

  test('a tick of its second releases it', async () => {
    await schedule();
    await app.tick(HIDDEN_UNTIL);
    expect(await titles(app)).toEqual(['Letter one']);
  });

  test('the same again is unchanged; another time moves it', async () => {
    await schedule();
    expect(await schedule()).toMatchObject({ outcome: 'unchanged' });
    const answer = await schedule({ publishedAt: '2026-06-13T18:00:00Z' });
    expect(answer).toMatchObject({ outcome: 'updated' });
    expect(answer.warnings).toEqual(['the article is hidden until the first tick after 2026-06-13T18:00:00Z']);
    await app.tick('2026-06-12T18:05:00Z');
    expect(await isHidden()).toBe(true);
    await app.tick('2026-06-13T18:00:00Z');
    expect(await titles(app)).toEqual(['Letter one']);
  });

  test('a time in the past publishes it at once', async () => {
    await schedule();
    await schedule({ publishedAt: '2026-06-12T10:00:00Z' });
    expect((await items(app)).map((item) => item.date_published)).toEqual(['2026-06-12T10:00:00Z']);
  });

  test('a correction after it came out keeps its time', async () => {
    await schedule();
    await app.tick('2026-06-12T18:05:00Z');
    // The clock of this machine is behind the tick.
    expect(await schedule({ title: 'Better', publishedAt: '2026-06-12T11:00:00Z' })).toHaveProperty('warnings');
    expect(await titles(app)).toEqual(['Better']);
  });

  test('withdrawn before its time: it never comes out, and may be scheduled anew', async () => {
    await schedule();
    await withdraw('one');
    const before = await feedDates(app);
    app.clock.now = '2026-06-12T18:05:00Z';
    await app.tick(app.clock.now);
    expect(await placesOf('Letter one')).toEqual([]);
    expect(await feedDates(app)).toEqual(before);
    const answer = await schedule({ publishedAt: '2026-06-12T17:00:00Z' });
    expect(answer).not.toHaveProperty('warnings');
    expect((await items(app)).map((item) => item.date_published)).toEqual(['2026-06-12T17:00:00Z']);
  });

  test('a second tick changes nothing', async () => {
    await schedule();
    await app.tick('2026-06-12T18:05:00Z');
    const before = await snapshot();
    await app.tick('2026-06-12T18:05:00Z');
    await app.tick('2026-06-12T18:10:00Z');
    expect(await snapshot()).toEqual(before);
  });

  test('a release between reading and withdrawing leaves nothing in the feeds', async () => {
    await schedule();
    app.deps.articles = interrupted(app.deps.articles, 'withdraw', () => app.tick('2026-06-12T18:05:00Z'));
    await withdraw('one');
    expect(await placesOf('Letter one')).toEqual([]);
  });

  test('a release between reading and writing another topic leaves nothing in the old feed', async () => {
    await schedule();
    app.deps.articles = interrupted(app.deps.articles, 'commit', () => app.tick('2026-06-12T18:05:00Z'));
    await publish('one', { topics: ['land'] });
    expect(await titles(app, '/topics/sea/feed.json')).toEqual([]);
    expect(await titles(app, '/topics/secret/feed.json')).toEqual([]);
    expect(await titles(app, '/topics/land/feed.json')).toEqual(['Letter one']);
  });
});

describe('calls that arrive out of order', () => {
  const AT = (hour: number) => `2026-06-12T${String(hour).padStart(2, '0')}:00:00Z`;
  const late = { outcome: 'unchanged', warnings: [expect.stringMatching(/^\/timestamp: nothing was changed/)] };

  test.each<[string, [title: string, hour: number][], string, number]>([
    [
      'the older text comes last',
      [
        ['Two', 9],
        ['One', 8],
      ],
      'Two',
      1,
    ],
    [
      'of the same second the later to arrive counts',
      [
        ['One', 9],
        ['Two', 9],
      ],
      'Two',
      2,
    ],
    [
      'the newest was said again before',
      [
        ['One', 7],
        ['Two', 8],
        ['Two', 10],
        ['Old', 9],
      ],
      'Two',
      2,
    ],
    [
      'a clock that runs ahead shuts nobody out',
      [
        ['One', 23],
        ['Two', 12],
      ],
      'Two',
      2,
    ],
  ])('%s', async (_name, calls, title, revision) => {
    for (const [said, hour] of calls) await publish('one', { title: said }, AT(hour));
    expect(await titles(app)).toEqual([title]);
    expect(await publish('one', { title }, AT(12))).toMatchObject({ outcome: 'unchanged', revision });
  });

  test('the answer says so, and the same content is no fault', async () => {
    await publish('one', {}, AT(9));
    expect(await publish('one', { title: 'Old' }, AT(8))).toMatchObject(late);
    expect(await publish('one', {}, AT(8))).not.toHaveProperty('warnings');
  });

  test('an old withdrawal does not take back what was published after it, nor an old text what was withdrawn', async () => {
    await publish('one', {}, AT(9));
    expect(await app.answer('article.withdrawn', { id: 'one' }, { timestamp: AT(8) })).toMatchObject(late);
    expect(await titles(app)).toEqual(['Letter one']);
    expect(await app.answer('article.withdrawn', { id: 'one' }, { timestamp: AT(11) })).toMatchObject({
      outcome: 'withdrawn',
    });
    expect(await publish('one', { title: 'Old' }, AT(10))).toMatchObject(late);
    expect(await titles(app)).toEqual([]);
    expect(await publish('one', { title: 'Again' }, AT(12))).toMatchObject({ outcome: 'updated' });
  });
});

test('null says that an optional field is not there', async () => {
  const nothing = { summary: null, image: null, language: null, source: null, updatedAt: null, attachments: null };
  expect(await publish('one', nothing)).toMatchObject({ outcome: 'created' });
  const author = { name: 'Ana Ro', url: null, email: null };
  expect(await publish('two', { authors: [author] })).toMatchObject({ outcome: 'created' });
  const response = await app.call('article.published', articleData('three', { title: null, topics: [null] }));
  const { errors } = await response.json<{ errors: { pointer: string }[] }>();
  expect([response.status, errors.map(({ pointer }) => pointer)]).toEqual([422, ['/data/title', '/data/topics/0']]);
});

test.each(['0001-01-01T00:00:00Z', '0001-01-01T00:00:00+00:00', '1970-01-01T00:00:00Z', '1970-01-01T01:00:00+01:00'])(
  'a date that nobody set is refused: %s',
  async (publishedAt) => {
    const response = await app.call('article.published', articleData('one', { publishedAt, updatedAt: publishedAt }));
    const { errors } = await response.json<{ errors: { pointer: string; message: string }[] }>();
    expect(errors).toEqual(
      ['/data/publishedAt', '/data/updatedAt'].map((pointer) => ({
        pointer,
        message: 'is the zero of a date that nobody set; send the real one, or leave it out',
      })),
    );
  },
);

describe('withdrawal', () => {
  test('the page is gone and says why, feeds lose the article and move', async () => {
    await publish('one');
    await publish('zero');
    app.clock.now = LATER;
    const before = await feedDates(app);
    const topicBefore = await feedDates(app, '/topics/sea/atom.xml');
    const answer = await app.answer('article.withdrawn', { id: 'one', note: 'A <hoax>.' });
    expect(answer).toMatchObject({ outcome: 'withdrawn', revision: 1 });
    const gone = await page(app, '/articles/letter-one');
    expect(gone.status).toBe(410);
    expect(gone.text).toContain('A &lt;hoax&gt;.');
    expect(gone.text).not.toContain('Letter one');
    expect(gone.headers.get('cache-control')).toBe('no-store');
    expect(await placesOf('Letter one')).toEqual([]);
    expect((await page(app, '/sitemap.xml')).text).not.toContain('letter-one');
    for (const [old, path] of [
      [before, '/atom.xml'],
      [topicBefore, '/topics/sea/atom.xml'],
    ] as const) {
      const after = await feedDates(app, path);
      expect(after.etag).not.toBe(old.etag);
      expect(after.lastModified).toBeGreaterThan(old.lastModified);
      expect(after.updated).toBe(LATER);
    }
  });

  test('twice is once', async () => {
    await publish('one');
    await withdraw('one');
    const before = await snapshot(['receipt']);
    app.clock.now = LATER;
    expect(await withdraw('one', 'Another note')).toMatchObject({ outcome: 'unchanged' });
    expect(await snapshot(['receipt'])).toEqual(before);
  });

  test('published again, even with the same content, it is back with its id and time', async () => {
    const { id } = await publish('one');
    await withdraw('one', 'Mistake');
    app.clock.now = LATER;
    expect(await publish('one', { publishedAt: '2026-06-11T00:00:00Z' })).toMatchObject({
      id,
      outcome: 'updated',
      revision: 2,
      warnings: [expect.any(String)],
    });
    expect(await placesOf('Letter one')).toEqual(EVERYWHERE);
    expect(await items(app)).toMatchObject([{ id, date_published: '2026-06-10T09:00:00Z', date_modified: LATER }]);
  });

  test('an article that leaves a topic leaves its feed, which moves; the new topic has it', async () => {
    await publish('one', { topics: ['sea', 'land'] });
    const before = await feedDates(app, '/topics/sea/atom.xml');
    app.clock.now = LATER;
    await publish('one', { topics: ['land', 'sky'] });
    expect(await titles(app, '/topics/sea/feed.json')).toEqual([]);
    expect(await titles(app, '/topics/land/feed.json')).toEqual(['Letter one']);
    expect(await titles(app, '/topics/sky/feed.json')).toEqual(['Letter one']);
    const after = await feedDates(app, '/topics/sea/atom.xml');
    expect(after.updated).toBe(LATER);
    expect(after.etag).not.toBe(before.etag);
    expect(after.lastModified).toBe(Date.parse(LATER));
  });

  test('a topic that nothing is left in has a page no more, but readers of its feed are not lost', async () => {
    await publish('one', { topics: ['land'] });
    await withdraw('one');
    expect((await page(app, '/topics/land')).status).toBe(404);
    expect(await titles(app, '/topics/land/feed.json')).toEqual([]);
  });
});

describe('settings', () => {
  test.each([
    ['title', { title: 'Ebb Notes' }, 'Ebb Notes'],
    ['hub', { hubs: ['https://hub.example/'] }, 'https://hub.example/'],
    ['author', { author: { name: 'Ben Wu' } }, 'Ben Wu'],
  ])('another %s is in every feed', async (_, changes, expected) => {
    await publish('one', { authors: [] });
    const before = await feedDates(app, '/topics/sea/atom.xml');
    app.clock.now = LATER;
    const data = publicationData({ id: PUBLICATION_ID, ...changes });
    expect(await app.answer('publication.updated', data)).toEqual({ id: PUBLICATION_ID, outcome: 'updated' });
    for (const path of ['/atom.xml', '/topics/sea/atom.xml', '/issues/atom.xml']) {
      expect((await page(app, path)).text).toContain(expected);
    }
    const after = await feedDates(app, '/topics/sea/atom.xml');
    expect(after.lastModified).toBeGreaterThan(before.lastModified);
    expect(after.updated).toBe(LATER);
  });

  test('the same settings change nothing', async () => {
    const before = await snapshot(['receipt']);
    app.clock.now = LATER;
    const reversed = Object.fromEntries(Object.entries(publicationData({ id: PUBLICATION_ID })).reverse());
    expect(await app.answer('publication.updated', reversed)).toMatchObject({ outcome: 'unchanged' });
    expect(await snapshot(['receipt'])).toEqual(before);
  });

  test('without an id one is minted once and stays', async () => {
    await emptyDatabase();
    const { id } = await app.answer('publication.updated', publicationData());
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await app.answer('publication.updated', publicationData({ title: 'Ebb' }))).toEqual({
      id,
      outcome: 'updated',
    });
  });

  test('a declared topic has its feed before its first article', async () => {
    expect(await titles(app, '/topics/sea/feed.json')).toEqual([]);
    expect((await page(app, '/topics/sea')).status).toBe(200);
  });

  test('another base URL: pages at once, feeds after the first request or tick, links and all', async () => {
    await publish('one');
    app.clock.now = LATER;
    const before = await feedDates(app);
    app = testApp({ baseUrl: 'https://tide.example/', now: LATER });
    expect((await page(app, '/articles/letter-one')).text).toContain('href="https://tide.example/somewhere"');
    await app.fetch('/atom.xml');
    const [item] = await items(app);
    expect(item?.url).toBe('https://tide.example/articles/letter-one');
    expect(item?.content_html).toContain('href="https://tide.example/somewhere"');
    expect((await feedDates(app)).lastModified).toBe(before.lastModified + 1000);
    await app.tick(LATER);
    const { article, feedDocument } = await snapshot();
    expect(JSON.stringify([article, feedDocument])).not.toContain('localhost');
  });

  test('another release makes the documents again and keeps their dates when the bytes are the same', async () => {
    await publish('one');
    const before = await feedDates(app);
    app.deps.release = 'next';
    await app.tick('2026-06-12T12:05:00Z');
    expect(await feedDates(app)).toEqual(before);
    const { feedDocument = [] } = await snapshot();
    expect(feedDocument).toHaveLength(9);
    for (const document of feedDocument) expect(document).toMatchObject({ madeBy: 'next http://localhost:8787/' });
  });
});

describe('stops half way', () => {
  const PORTS = ['publications', 'articles', 'receipts', 'hashes', 'feeds', 'issues'] as const;
  const ARTICLE = articleData('one', { aliases: ['/old'] });

  /** An app whose n-th call of a port fails before it does anything; `reached` says whether there was one. */
  function brokenApp(step: number) {
    const broken = testApp();
    const state = { calls: 0, reached: false };
    for (const port of PORTS) Object.assign(broken.deps, { [port]: breaking(broken.deps[port], step, state) });
    return { broken, state };
  }

  function breaking(port: object, step: number, state: { calls: number; reached: boolean }): object {
    const methods = Object.entries(port).map(([name, method]) => [
      name,
      async (...input: unknown[]) => {
        state.calls += 1;
        if (state.calls !== step) return method.apply(port, input);
        state.reached = true;
        throw new Error('stopped');
      },
    ]);
    return Object.fromEntries(methods);
  }

  async function prepare(type: string): Promise<void> {
    await emptyDatabase();
    await app.answer('publication.updated', publicationData({ id: PUBLICATION_ID }), { id: 'settings' });
    if (type === 'article.withdrawn') await app.answer('article.published', ARTICLE, { id: 'first' });
  }

  test.each([
    ['article.published', ARTICLE],
    ['article.withdrawn', { id: 'one' }],
  ])('%s, before every step: a repeat or a tick brings the same end', { timeout: 120_000 }, async (type, data) => {
    await prepare(type);
    const nothingDone = await snapshot();
    await app.answer(type, data, { id: 'call' });
    const allDone = await snapshot();
    let steps = 0;
    for (let reached = true; reached; steps += 1) {
      await prepare(type);
      const { broken, state } = brokenApp(steps + 1);
      const { status } = await broken.call(type, data, { id: 'call' });
      reached = state.reached;
      expect(status).toBe(reached ? 500 : 200);
      await app.tick(NOW);
      expect([nothingDone, allDone]).toContainEqual(await snapshot());
      expect((await app.call(type, data, { id: 'call' })).status).toBe(200);
      expect(await snapshot()).toEqual(allDone);
    }
    expect(steps).toBeGreaterThan(8);
  });

  test('between feed documents: what is written already is not lost, the rest follows', async () => {
    const { put } = app.deps.feeds;
    app.deps.feeds.put = async (documents) => {
      await put(documents.slice(0, 1));
      throw new Error('stopped');
    };
    expect((await app.call('article.published', ARTICLE, { id: 'call' })).status).toBe(500);
    app.deps.feeds.put = put;
    expect((await app.call('article.published', ARTICLE, { id: 'call' })).status).toBe(200);
    for (const path of ['/rss.xml', '/atom.xml', '/feed.json']) {
      expect((await page(app, path)).text).toContain('Letter one');
    }
  });

  test('a slower writer of older documents replaces nothing newer', async () => {
    await publish('one');
    const sources = await app.deps.feeds.sources([''], 50);
    const old = await app.deps.feeds.document('/feed.json');
    await publish('two');
    const before = await snapshot();
    if (!old) throw new Error('no feed');
    await app.deps.feeds.put([old]);
    expect(sources.feeds).toHaveLength(1);
    expect(await snapshot()).toEqual(before);
  });
});
