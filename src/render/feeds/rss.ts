import type { Attachment, Entry } from '../../domain/article.ts';
import { type Element, element, elements, htmlElement, lines, only, parse } from '../xml.ts';
import { mediaContent, picture } from './media-rss.ts';
import { differs, type FeedMeta } from './meta.ts';
import { toHtml } from './text.ts';

/** Declared whether used or not, so that the root is always the same. */
const NAMESPACES = {
  'xmlns:atom': 'http://www.w3.org/2005/Atom',
  'xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
  'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
  'xmlns:media': 'http://search.yahoo.com/mrss/',
};

/** Completes RSS 2.0 (RSS Advisory Board specification and profile) from its skeleton. `entries` in the skeleton's order. */
export function completeRss(skeleton: string, meta: FeedMeta, entries: Entry[]): ReturnType<typeof parse> {
  const root = parse(skeleton);
  const rss = only(root, 'rss');
  const channel = only(rss, 'channel');
  const items = elements(channel, 'item');
  rss.attributes = { version: '2.0', ...NAMESPACES };
  rss.children = [channel];
  channel.children = lines([
    element('title', {}, meta.title),
    element('link', {}, meta.home),
    element('description', {}, meta.description || meta.title),
    only(channel, 'language'),
    ...managingEditor(meta),
    only(channel, 'lastBuildDate'),
    only(channel, 'docs'),
    only(channel, 'atom:link'),
    ...meta.hubs.map((href) => element('atom:link', { rel: 'hub', href })),
    ...items,
  ]);
  items.forEach((item, index) => {
    const entry = entries[index];
    if (entry) completeItem(item, meta, entry);
  });
  return root;
}

/** RSS wants an address there, and the name as its comment (RFC 822 section 3.4.3). */
function managingEditor(meta: FeedMeta): Element[] {
  const { email, name } = meta.author ?? {};
  return email === undefined ? [] : [element('managingEditor', {}, `${email} (${name?.replace(/[()\\]/g, '')})`)];
}

/**
 * Authors stand in `dc:creator` alone: `author` is for one address, and validators warn of both together.
 * The update has no element of RSS's own; `atom:updated` is the one readers know.
 */
function completeItem(item: Element, meta: FeedMeta, entry: Entry): void {
  const { enclosure, others } = enclosures(entry.attachments);
  item.children = [
    element('title', {}, entry.title),
    element('link', {}, entry.url),
    element('guid', { isPermaLink: entry.id === entry.url ? undefined : 'false' }, entry.id),
    only(item, 'pubDate'),
    ...(entry.updatedAt === entry.publishedAt ? [] : [element('atom:updated', {}, entry.updatedAt)]),
    ...entry.authors.map((author) => element('dc:creator', {}, author.name)),
    ...(differs(entry, meta) ? [element('dc:language', {}, entry.language)] : []),
    ...entry.topics.map((topic) => element('category', {}, topic)),
    ...content(entry),
    ...(enclosure
      ? [element('enclosure', { url: enclosure.url, length: enclosure.length, type: enclosure.type })]
      : []),
    ...others.map(mediaContent),
    ...(entry.image ? picture(entry.image) : []),
  ];
}

/**
 * `description` is HTML, so the plain summary is written as HTML. It has to precede `content:encoded`; without a
 * summary it holds the content itself, the older way, which every reader knows.
 */
function content(entry: Entry): Element[] {
  if (entry.summary === undefined) return [htmlElement('description', {}, entry.html)];
  return [element('description', {}, toHtml(entry.summary)), htmlElement('content:encoded', {}, entry.html)];
}

/** An item has at most one enclosure, and that needs a length; other files are Media RSS. */
function enclosures(attachments: Attachment[]): { enclosure: Attachment | undefined; others: Attachment[] } {
  const enclosure = attachments.find((file) => file.length > 0);
  return { enclosure, others: attachments.filter((file) => file !== enclosure) };
}
