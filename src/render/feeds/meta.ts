import type { Entry } from '../../domain/article.ts';
import type { Person } from '../../domain/publication.ts';
import { cleanText } from '../body/characters.ts';
import { webUrl } from './address.ts';
import { guardInstant, guardPerson, isLanguage } from './guard.ts';

/** What a feed says of itself. Addresses are absolute. */
export interface FeedMeta {
  title: string;
  description: string;
  /** BCP 47 language tag. */
  language: string;
  /** The page this feed belongs to; also the Atom feed's id. */
  home: string;
  author?: Person;
  /** The feeds' own addresses. */
  urls: { rss: string; atom: string; json: string };
  /** WebSub hubs to advertise. */
  hubs: string[];
  /** Time of the last change that no listed entry shows: a removal, a setting. */
  changedAt?: string;
  /** Topic slug to title, for Atom's category labels. */
  topicTitles?: Record<string, string>;
}

/** The settings fit for every format. A faulty author, hub or time is dropped; a faulty home or feed address is a bug. */
export function guardMeta(meta: FeedMeta): FeedMeta {
  const home = address(meta.home);
  const title = cleanText(meta.title) || new URL(home).hostname;
  const author = meta.author && guardPerson(meta.author);
  const changedAt = meta.changedAt === undefined ? undefined : guardInstant(meta.changedAt);
  return {
    title,
    description: cleanText(meta.description),
    language: isLanguage(meta.language) ? meta.language : 'und',
    home,
    ...(author ? { author } : {}),
    urls: { rss: address(meta.urls.rss), atom: address(meta.urls.atom), json: address(meta.urls.json) },
    hubs: meta.hubs.flatMap((hub) => webUrl(hub) ?? []),
    ...(changedAt ? { changedAt } : {}),
    topicTitles: guardTitles(meta.topicTitles ?? {}),
  };
}

/** Whether the entry is in another language than the feed. */
export function differs(entry: Entry, meta: FeedMeta): entry is Entry & { language: string } {
  return entry.language !== undefined && entry.language.toLowerCase() !== meta.language.toLowerCase();
}

function guardTitles(titles: Record<string, string>): Record<string, string> {
  const clean = Object.entries(titles).map(([topic, title]): [string, string] => [topic, cleanText(title)]);
  return Object.fromEntries(clean.filter(([, title]) => title !== ''));
}

function address(value: string): string {
  const url = webUrl(value);
  if (url === undefined)
    throw new RangeError(`${JSON.stringify(value)} is no absolute http or https URL of a feed or its page`);
  return url;
}
