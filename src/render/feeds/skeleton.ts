import { Feed } from 'feed';
import type { Entry } from '../../domain/article.ts';
import type { FeedMeta } from './meta.ts';

interface Skeleton {
  rss: string;
  atom: string;
  json: string;
}

/**
 * The three documents with addresses, dates and order, as the `feed` package writes them. It gets no text at all:
 * of what it does with texts, titles and ids (CDATA, one level of `&amp;` lost, ids normalised or refused) little is
 * right, and a skeleton without article bodies is quick to parse again. Each format's own module sets those.
 */
export function skeleton(meta: FeedMeta, entries: Entry[], updatedAt: string): Skeleton {
  const feed = new Feed({
    id: meta.home,
    title: '',
    link: meta.home,
    language: meta.language,
    updated: new Date(updatedAt),
    generator: false,
    docs: 'https://www.rssboard.org/rss-specification',
    feedLinks: { rss: meta.urls.rss, atom: meta.urls.atom, json: meta.urls.json },
  });
  for (const entry of entries) {
    feed.addItem({
      title: '',
      link: entry.url,
      date: new Date(entry.updatedAt),
      published: new Date(entry.publishedAt),
    });
  }
  return { rss: feed.rss2(), atom: feed.atom1(), json: feed.json1() };
}
