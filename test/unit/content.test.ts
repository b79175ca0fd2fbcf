import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readContent } from '../../src/build/content.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'broadside-content-'));
  write(
    'publication.yaml',
    'title: Tide Notes\nauthor: { name: Ana Ro, email: ana@news.example, url: https://ana.example/ }\n',
  );
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

const FRONT = 'title: One\npublishedAt: 2026-05-06T08:00:00Z';

describe('an article file becomes a call', () => {
  test.each([
    ['Markdown', 'one.md', { bodyMarkdown: 'Hello *you*.\n' }],
    ['HTML', 'one.html', { bodyHtml: 'Hello *you*.\n' }],
    ['text', 'one.txt', { bodyText: 'Hello *you*.\n' }],
  ])('%s', (_, name, body) => {
    write(`articles/${name}`, `---\n${FRONT}\n---\nHello *you*.\n`);
    expect(readContent(folder).articles.map(({ type, data }) => ({ type, data }))).toEqual([
      {
        type: 'article.published',
        data: {
          id: 'one',
          title: 'One',
          publishedAt: '2026-05-06T08:00:00Z',
          authors: [{ name: 'Ana Ro', url: 'https://ana.example/' }],
          topics: [],
          ...body,
        },
      },
    ]);
  });

  test.each([
    ['an id of its own', 'one.md', `id: stable\n${FRONT}`, 'stable'],
    ['the path without its ending when there is none', 'letters/2026/one.md', FRONT, 'letters/2026/one'],
  ])('the id is %s', (_, name, front, id) => {
    write(`articles/${name}`, `---\n${front}\n---\n`);
    expect(readContent(folder).articles[0]?.data.id).toBe(id);
  });

  test.each([
    ['CRLF', `---\r\n${FRONT.replaceAll('\n', '\r\n')}\r\n---\r\nBody`],
    ['a byte order mark', `\uFEFF---\n${FRONT}\n---\nBody`],
    ['no line after the front matter', `---\n${FRONT}\n---`],
    ['a rule of three dashes in the body', `---\n${FRONT}\n---\nA\n\n---\n\nB`],
  ])('with %s', (_, text) => {
    write('articles/one.md', text);
    expect(readContent(folder).articles[0]?.data.title).toBe('One');
  });

  test('notes of the folder are not sent', () => {
    write('articles/one.md', `---\n${FRONT}\ndocument: source.txt\ndraft: false\n---\n`);
    expect(Object.keys(readContent(folder).articles[0]?.data ?? {})).not.toEqual(expect.arrayContaining(['document']));
  });

  test.each([
    ['true', { id: 'one' }],
    ['It was wrong.', { id: 'one', note: 'It was wrong.' }],
  ])('withdrawn: %s', (withdrawn, data) => {
    write('articles/one.md', `---\n${FRONT}\nwithdrawn: ${withdrawn}\n---\n`);
    expect(readContent(folder).articles).toMatchObject([{ type: 'article.withdrawn', data }]);
  });
});

test('drafts, hidden files and other files are left out', () => {
  write('articles/draft.md', `---\n${FRONT}\ndraft: true\n---\n`);
  write('articles/_partial.md', 'no front matter');
  write('articles/.hidden.md', 'no front matter');
  write('articles/picture.png', 'no front matter');
  const { articles, drafts } = readContent(folder);
  expect(articles).toEqual([]);
  expect(drafts).toEqual([join(folder, 'articles/draft.md')]);
});

describe('a mistake is named with its file and line', () => {
  test.each([
    ['no front matter', 'Hello', /one\.md:1: must begin with front matter/],
    ['front matter without an end', '---\ntitle: One\n', /one\.md:1: must begin with front matter/],
    ['broken YAML', '---\ntitle: One\nauthors: [\n---\n', /one\.md:\d: /],
    ['a list instead of fields', '---\n- title\n---\n', /one\.md:2: must be a list of "name: value" lines/],
    ['no title', '---\npublishedAt: 2026-05-06T08:00:00Z\n---\n', /one\.md:2: front matter must have title/],
    ['neither title nor time', '---\nslug: one\n---\n', /one\.md:2: front matter must have title and publishedAt/],
  ])('%s', (_, text, message) => {
    write('articles/one.md', text);
    expect(() => readContent(folder)).toThrow(message);
  });

  test('all mistakes at once', () => {
    write('articles/one.md', 'Hello');
    write('articles/two.md', '---\nslug: two\n---\n');
    expect(() => readContent(folder)).toThrow(/one\.md:1:.*\n.*two\.md:2:/);
  });

  test('the same id twice', () => {
    write('articles/one.md', `---\nid: same\n${FRONT}\n---\n`);
    write('articles/two.md', `---\n${FRONT}\nid: same\n---\n`);
    expect(() => readContent(folder)).toThrow(/two\.md:4: id "same" is the id of .*one\.md too/);
  });

  test('a folder without a publication', () => {
    expect(() => readContent(join(folder, 'nowhere'))).toThrow(/publication\.yaml is missing/);
  });

  test.each([
    ['/data/title', 2],
    ['/data/topics/1', 4],
    ['/data/authors/0/mail', 7],
    ['/data/unknown', 1],
    ['', 1],
  ])('what the Worker finds at %s is on line %i', (pointer, line) => {
    const front = `title: One\npublishedAt: 2026-05-06T08:00:00Z\ntopics: [sea, Bad Slug]\nauthors:\n  - name: Me\n    mail: x`;
    write('articles/one.md', `---\n${front}\n---\n`);
    expect(readContent(folder).articles[0]?.lineOf(pointer)).toBe(line === 1 ? 2 : line);
  });
});

test('the demonstration publication: five articles that name their documents, a publication with a digest', () => {
  const { publication, articles } = readContent(resolve(import.meta.dirname, '../../seeds'));
  expect(publication.data).toMatchObject({ language: 'en', digests: [{ id: 'weekly', mode: 'send' }] });
  expect(articles).toHaveLength(5);
});
