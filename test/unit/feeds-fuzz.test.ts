import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromXml } from 'xast-util-from-xml';
import type { Entry } from '../../src/domain/article.ts';
import { cleanText } from '../../src/render/body/characters.ts';
import { renderBody } from '../../src/render/body.ts';
import { allComplaints, entry, FORMATS, read, render } from '../support/feed-fixtures.ts';

/** A bound for a busy machine; a second is usual. */
const SLOW_MS = 60_000;

/** Any UTF-16 at all, lone surrogates and control characters included, with the places where XML and HTML break. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 4 }).map((units) => String.fromCharCode(...units)),
      fc.constantFrom(
        ']]>',
        ']]',
        '>',
        '<![CDATA[',
        '&amp;',
        '&#0;',
        '&',
        '<',
        '"',
        "'",
        '</title>',
        '<!--',
        '<?x',
        '\r\n',
        '\u0085',
        '\u2028',
      ),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));
const anyAddress = fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), anyText);
const anyDate = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  anyText,
);
const anyNumber = fc.oneof(fc.integer(), fc.double());

const anyEntry: fc.Arbitrary<Entry> = fc.record(
  {
    id: fc.oneof(
      fc.uuid().map((uuid) => `urn:uuid:${uuid}`),
      anyText,
    ),
    url: anyAddress,
    title: anyText,
    summary: anyText,
    html: anyText.map((html) => renderBody({ html }, 'https://lantern.example/articles/market').html),
    authors: fc.array(fc.record({ name: anyText, email: anyText, url: anyAddress }), { maxLength: 2 }),
    topics: fc.array(anyText, { maxLength: 3 }),
    language: anyText,
    image: fc.record({
      url: anyAddress,
      alt: anyText,
      width: anyNumber,
      height: anyNumber,
      type: anyText,
      length: anyNumber,
    }),
    attachments: fc.array(
      fc.record({ url: anyAddress, type: anyText, length: anyNumber, title: anyText, durationSeconds: anyNumber }),
      { maxLength: 2 },
    ),
    publishedAt: anyDate,
    updatedAt: anyDate,
  },
  { requiredKeys: ['id', 'url', 'title', 'html', 'authors', 'topics', 'attachments', 'publishedAt', 'updatedAt'] },
);

test(
  'whatever the entries hold, the three documents are valid and list the same',
  () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 3 }), (odd) => {
        const documents = render([...odd, entry()]);
        expect(allComplaints(documents)).toEqual([]);
        const [rss, atom, json] = FORMATS.map((format) => read(documents, format).ids);
        expect(rss).toContain(entry().id);
        expect([atom, json]).toEqual([rss, rss]);
      }),
      { numRuns: 100 },
    );
  },
  SLOW_MS,
);

test(
  'any text arrives as typed, less what XML cannot hold',
  () => {
    const xmlText = (document: string, path: string[]): string =>
      path
        .reduce<{ children: unknown[] }>((node, name) => childOf(node, name), fromXml(document))
        .children.map(textIn)
        .join('');
    fc.assert(
      fc.property(anyText, anyText, (title, html) => {
        const documents = render([entry({ title: `a ${title}`, topics: [`t ${title}`], html: `<p>${html}` })]);
        const right = cleanText(`a ${title}`);
        const item = JSON.parse(documents.json).items[0];
        expect(item.title).toBe(right);
        expect(item.tags).toEqual([cleanText(`t ${title}`)]);
        expect(item.content_html.isWellFormed()).toBe(true);
        expect(xmlText(documents.rss, ['rss', 'channel', 'item', 'title'])).toBe(right);
        expect(xmlText(documents.atom, ['feed', 'entry', 'title'])).toBe(right);
        expect(xmlText(documents.rss, ['rss', 'channel', 'item', 'content:encoded'])).toBe(item.content_html);
        expect(xmlText(documents.atom, ['feed', 'entry', 'content'])).toBe(item.content_html);
      }),
      { numRuns: 200 },
    );
  },
  SLOW_MS,
);

test(
  'any settings give valid documents',
  () => {
    const settings = fc.record({
      title: anyText,
      description: anyText,
      language: anyText,
      changedAt: anyDate,
      hubs: fc.array(anyAddress),
      topicTitles: fc.dictionary(fc.constantFrom('city', 'sea'), anyText),
    });
    fc.assert(
      fc.property(settings, fc.record({ name: anyText, email: anyText, url: anyAddress }), (meta, author) => {
        expect(allComplaints(render([entry()], { ...meta, author }))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  },
  SLOW_MS,
);

function childOf(node: { children: unknown[] }, name: string): { children: unknown[] } {
  const found = node.children.find((child) => (child as { name?: string }).name === name);
  return found as { children: unknown[] };
}

function textIn(node: unknown): string {
  return (node as { value: string }).value;
}
