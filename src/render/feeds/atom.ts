import type { Entry } from '../../domain/article.ts';
import type { Person } from '../../domain/publication.ts';
import { type Element, element, elements, htmlElement, lines, only, parse } from '../xml.ts';
import { picture } from './media-rss.ts';
import { differs, type FeedMeta } from './meta.ts';

/** Completes Atom 1.0 (RFC 4287) from its skeleton. `entries` in the skeleton's order. */
export function completeAtom(skeleton: string, meta: FeedMeta, entries: Entry[]): ReturnType<typeof parse> {
  const root = parse(skeleton);
  const feed = only(root, 'feed');
  const items = elements(feed, 'entry');
  feed.attributes = {
    xmlns: 'http://www.w3.org/2005/Atom',
    'xmlns:media': 'http://search.yahoo.com/mrss/',
    'xml:lang': meta.language,
  };
  feed.children = lines([
    element('id', {}, meta.home),
    element('title', {}, meta.title),
    ...(meta.description === '' ? [] : [element('subtitle', {}, meta.description)]),
    only(feed, 'updated'),
    person(meta.author ?? { name: meta.title }),
    element('link', { rel: 'alternate', type: 'text/html', href: meta.home }),
    element('link', { rel: 'self', type: 'application/atom+xml', href: meta.urls.atom }),
    ...meta.hubs.map((href) => element('link', { rel: 'hub', href })),
    ...items,
  ]);
  items.forEach((item, index) => {
    const entry = entries[index];
    if (entry) completeEntry(item, meta, entry);
  });
  return root;
}

/** Texts carry no `type`, which means plain text. Without an author of its own an entry has the feed's (section 4.1.2). */
function completeEntry(item: Element, meta: FeedMeta, entry: Entry): void {
  if (differs(entry, meta)) item.attributes['xml:lang'] = entry.language;
  item.children = [
    element('id', {}, entry.id),
    element('title', {}, entry.title),
    only(item, 'published'),
    only(item, 'updated'),
    ...entry.authors.map(person),
    element('link', { rel: 'alternate', type: 'text/html', href: entry.url }),
    ...entry.attachments.map(({ url, type, length, title }) =>
      element('link', { rel: 'enclosure', type, length: length || undefined, title, href: url }),
    ),
    ...entry.topics.map((topic) => element('category', { term: topic, label: label(meta, topic) })),
    ...(entry.summary === undefined ? [] : [element('summary', {}, entry.summary)]),
    htmlElement('content', { type: 'html' }, entry.html),
    ...(entry.image ? picture(entry.image) : []),
  ];
}

/** A topic may be called `constructor`: only what the publisher named counts. */
function label({ topicTitles = {} }: FeedMeta, topic: string): string | undefined {
  return Object.hasOwn(topicTitles, topic) ? topicTitles[topic] : undefined;
}

function person({ name, email, url }: Person): Element {
  return element('author', {}, [
    element('name', {}, name),
    ...(url === undefined ? [] : [element('uri', {}, url)]),
    ...(email === undefined ? [] : [element('email', {}, email)]),
  ]);
}
