import { describe, expect, test } from 'vitest';
import { FEED_BYTES, FEED_ENTRIES } from '../../src/render/feeds/documents.ts';
import { allComplaints, entries, FORMATS, read, render } from '../support/feed-fixtures.ts';

const bytes = (text: string) => Buffer.byteLength(text);
const paragraphs = (length: number, text = 'a') => `<p class="x">${text.repeat(length / text.length)}</p>`;
const titles = (count: number) => Array.from({ length: count }, (_, index) => `Entry ${index}`);

test('a feed lists the newest 50, whatever order they come in', () => {
  const documents = render(entries(70).reverse());
  expect(FEED_ENTRIES).toBe(50);
  for (const format of FORMATS) expect(read(documents, format).titles).toEqual(titles(50));
});

describe.each([
  ['ASCII', 'a'],
  ['two bytes a character', 'é'],
  ['three bytes a character', '灯'],
  ['characters that JSON escapes', '"\n'],
  ['pairs', '\u{1F3EE}'],
])('500,000 bytes, %s', (_, text) => {
  test('the oldest are left off, as few as possible, the same in every format', () => {
    const list = entries(50, () => ({ html: paragraphs(30_000, text) }));
    const documents = render(list);
    const { length } = read(documents, 'json').titles;
    for (const format of FORMATS) {
      expect(bytes(documents[format])).toBeLessThanOrEqual(FEED_BYTES);
      expect(read(documents, format).titles).toEqual(titles(length));
    }
    const largest = Math.max(...FORMATS.map((format) => bytes(documents[format]) * (1 + 1 / length)));
    expect(largest).toBeGreaterThan(FEED_BYTES);
    expect(allComplaints(documents)).toEqual([]);
  });
});

test.each([
  ['far too large', 600_000],
  ['too large with the rest of the document', FEED_BYTES - 100],
])('an entry %s keeps its summary and a link, and the others stay', (_, length) => {
  const documents = render(entries(4, (index) => (index === 1 ? { html: paragraphs(length) } : {})));
  for (const format of FORMATS) {
    const { html } = read(documents, format);
    expect(html).toHaveLength(4);
    expect(html[1]).toBe(
      '<p>Stalls until two</p>\n<p><a href="https://lantern.example/articles/1">Read on: Entry 1</a></p>',
    );
  }
  expect(documents.errors).toMatchObject([{ field: 'html', message: expect.stringContaining('too large') }]);
});

test.each([
  ['and a body', '<p>body</p>'],
  ['and no body', ''],
  ['and a body as large', paragraphs(600_000)],
])('an entry with a title that no feed could hold %s is left out', (_, html) => {
  const title = 'long '.repeat(120_000);
  const documents = render(entries(3, (index) => (index === 0 ? { title, html } : {})));
  for (const format of FORMATS) expect(read(documents, format).titles).toEqual(['Entry 1', 'Entry 2']);
  expect(documents.errors).toMatchObject([{ message: expect.stringContaining('left out') }]);
});

test('what is left off moves no date', () => {
  const list = entries(30, (index) => ({
    html: paragraphs(40_000),
    ...(index === 29 ? { updatedAt: '2026-05-30T00:00:00Z' } : {}),
  }));
  expect(render(list).updatedAt).toBe('2026-05-06T00:00:00Z');
});
