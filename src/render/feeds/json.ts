import type { Attachment, Entry } from '../../domain/article.ts';
import type { Person } from '../../domain/publication.ts';
import { differs, type FeedMeta } from './meta.ts';

type Item = Record<string, unknown>;
type JsonFeed = Record<string, unknown> & { items: Item[] };

/** Completes JSON Feed 1.1 (jsonfeed.org/version/1.1) from its skeleton. `entries` in the skeleton's order. */
export function completeJson(skeleton: string, meta: FeedMeta, entries: Entry[]): JsonFeed {
  const { items, ...feed } = JSON.parse(skeleton) as JsonFeed;
  return {
    ...feed,
    version: 'https://jsonfeed.org/version/1.1',
    title: meta.title,
    ...(meta.description === '' ? {} : { description: meta.description }),
    language: meta.language,
    ...(meta.author ? { authors: [author(meta.author)] } : {}),
    ...(meta.hubs.length > 0 ? { hubs: meta.hubs.map((url) => ({ type: 'WebSub', url })) } : {}),
    items: entries.map((entry, index) => completeItem(items[index] ?? {}, meta, entry)),
  };
}

function completeItem({ url, date_published, date_modified }: Item, meta: FeedMeta, entry: Entry): Item {
  return {
    id: entry.id,
    url,
    title: entry.title,
    ...(entry.summary === undefined ? {} : { summary: entry.summary }),
    content_html: entry.html,
    ...(entry.image ? { image: entry.image.url } : {}),
    date_published,
    date_modified,
    ...(entry.authors.length > 0 ? { authors: entry.authors.map(author) } : {}),
    ...(entry.topics.length > 0 ? { tags: entry.topics } : {}),
    ...(differs(entry, meta) ? { language: entry.language } : {}),
    ...(entry.attachments.length > 0 ? { attachments: entry.attachments.map(attachment) } : {}),
  };
}

/** JSON Feed has no place for an e-mail address. */
function author({ name, url }: Person): { name: string; url?: string } {
  return { name, ...(url === undefined ? {} : { url }) };
}

function attachment({ url, type, length, title, durationSeconds }: Attachment): Item {
  return {
    url,
    mime_type: type,
    ...(title === undefined ? {} : { title }),
    ...(length > 0 ? { size_in_bytes: length } : {}),
    ...(durationSeconds === undefined ? {} : { duration_in_seconds: durationSeconds }),
  };
}
