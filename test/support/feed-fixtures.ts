import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith';
import { toText } from 'hast-util-to-text';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import type { Entry } from '../../src/domain/article.ts';
import { type FeedDocuments, type FeedMeta, renderFeeds } from '../../src/render/feeds/documents.ts';
import { complaints, type FeedFormat } from './feed-validator.ts';

export const FORMATS: FeedFormat[] = ['rss', 'atom', 'json'];
export const NOW = '2026-06-01T12:00:00Z';

export const META: FeedMeta = {
  title: 'Lantern Street',
  description: 'What happens after dark',
  language: 'en',
  home: 'https://lantern.example/',
  author: { name: 'Mo Adeyemi', email: 'mo@lantern.example' },
  urls: {
    rss: 'https://lantern.example/rss.xml',
    atom: 'https://lantern.example/atom.xml',
    json: 'https://lantern.example/feed.json',
  },
  hubs: [],
};

/** An entry with nothing odd about it, apart from what a test asks for. */
export function entry(odd: Partial<Entry> = {}): Entry {
  return {
    id: 'urn:uuid:6f1d2c4e-0000-4000-8000-000000000001',
    url: 'https://lantern.example/articles/market',
    title: 'Night market',
    summary: 'Stalls until two',
    html: '<p>Stalls stay open until two.</p>',
    authors: [{ name: 'Ines Roth' }],
    topics: ['city'],
    attachments: [],
    publishedAt: '2026-05-06T08:00:00Z',
    updatedAt: '2026-05-06T08:00:00Z',
    ...odd,
  };
}

/** As many entries as wanted, an hour apart, the first one newest. */
export function entries(count: number, odd: (index: number) => Partial<Entry> = () => ({})): Entry[] {
  return Array.from({ length: count }, (_, index) => {
    const publishedAt = new Date(Date.UTC(2026, 4, 6) - index * 3_600_000).toISOString();
    const id = `urn:uuid:6f1d2c4e-0000-4000-8000-${String(index).padStart(12, '0')}`;
    const url = `https://lantern.example/articles/${index}`;
    return entry({ id, url, title: `Entry ${index}`, publishedAt, updatedAt: publishedAt, ...odd(index) });
  });
}

export function render(list: Entry[], meta: Partial<FeedMeta> = {}, now = NOW): FeedDocuments {
  return renderFeeds({ ...META, ...meta }, list, now);
}

/** What the validator says of the three documents, each complaint after its format. */
export function allComplaints(documents: FeedDocuments, { urls } = META): string[] {
  return FORMATS.flatMap((format) =>
    complaints(format, documents[format], urls[format]).map((complaint) => `${format}: ${complaint}`),
  );
}

/** What a reader gets out of a feed; lists are in the order of the entries. */
interface Reading {
  feedTitle: string | undefined;
  titles: (string | undefined)[];
  links: (string | undefined)[];
  ids: (string | undefined)[];
  authors: string[][];
  topics: string[][];
  html: (string | undefined)[];
  summaries: (string | undefined)[];
}

/** Reads a document by a library that is not ours. */
export function read(documents: FeedDocuments, format: FeedFormat): Reading {
  if (format === 'rss') return readRss(documents.rss);
  return format === 'atom' ? readAtom(documents.atom) : readJson(documents.json);
}

function readRss(document: string): Reading {
  const feed = parseRssFeed(document);
  const items = feed.items ?? [];
  return {
    feedTitle: feed.title,
    titles: items.map((item) => item.title),
    links: items.map((item) => item.link),
    ids: items.map((item) => item.guid?.value),
    authors: items.map((item) => item.dc?.creators ?? []),
    topics: items.map((item) => (item.categories ?? []).map((category) => category.name ?? '')),
    html: items.map((item) => item.content?.encoded ?? item.description),
    summaries: items.map((item) => (item.content ? shownText(item.description ?? '') : undefined)),
  };
}

function readAtom(document: string): Reading {
  const feed = parseAtomFeed(document);
  const items = feed.entries ?? [];
  return {
    feedTitle: feed.title?.value,
    titles: items.map((item) => item.title?.value),
    links: items.map((item) => item.links?.find((link) => link.rel === 'alternate')?.href),
    ids: items.map((item) => item.id),
    authors: items.map((item) => (item.authors ?? []).map((author) => author.name ?? '')),
    topics: items.map((item) => (item.categories ?? []).map((category) => category.term ?? '')),
    html: items.map((item) => item.content?.value),
    summaries: items.map((item) => item.summary?.value),
  };
}

function readJson(document: string): Reading {
  const feed = parseJsonFeed(document);
  const items = feed.items ?? [];
  return {
    feedTitle: feed.title,
    titles: items.map((item) => item.title),
    links: items.map((item) => item.url),
    ids: items.map((item) => item.id),
    authors: items.map((item) => (item.authors ?? []).map((author) => author.name ?? '')),
    topics: items.map((item) => item.tags ?? []),
    html: items.map((item) => item.content_html),
    summaries: items.map((item) => item.summary),
  };
}

/** RSS descriptions are HTML: what is on the screen is what counts. */
function shownText(html: string): string {
  return toText(unified().use(rehypeParse, { fragment: true }).parse(html));
}
