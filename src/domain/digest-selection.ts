import type { Entry } from './article.ts';
import type { Digest } from './digest.ts';
import { milliseconds } from './time.ts';

/**
 * The articles a digest may show at `now`, in its order: of its topics (none named: of all), published by then and not
 * before `since`, each once by its latest revision. One with an unreadable date is left out rather than failing the
 * rest. Of the same instant, the id decides, as it does in the feeds. Whether an issue has had an article is not asked
 * here, nor how many fit.
 */
export function chooseArticles(
  digest: Pick<Digest, 'topics' | 'order' | 'since'>,
  articles: Entry[],
  now: string,
): Entry[] {
  const since = digest.since === undefined ? Number.NEGATIVE_INFINITY : milliseconds(digest.since);
  const end = milliseconds(now);
  const chosen = new Map<string, Entry>();
  for (const article of articles) {
    const published = milliseconds(article.publishedAt);
    if (!(published <= end && published >= since) || !hasTopic(digest.topics, article)) continue;
    const known = chosen.get(article.id);
    if (known === undefined || milliseconds(article.updatedAt) > milliseconds(known.updatedAt))
      chosen.set(article.id, article);
  }
  const sign = digest.order === 'oldest' ? 1 : -1;
  return [...chosen.values()].sort((a, b) => sign * publicationGap(a, b) || (a.id < b.id ? -1 : 1));
}

function hasTopic(topics: string[], article: Entry): boolean {
  return topics.length === 0 || article.topics.some((topic) => topics.includes(topic));
}

function publicationGap(a: Entry, b: Entry): number {
  return milliseconds(a.publishedAt) - milliseconds(b.publishedAt);
}
