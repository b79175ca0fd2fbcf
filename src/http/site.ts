import { ALL_ARTICLES, addressOf, FEED_FORMATS, type FeedFile, type FeedScope, feedPath } from '../domain/feed.ts';
import type { Publication } from '../domain/publication.ts';
import type { FeedLink, Site } from '../render/pages/views.ts';

/** The three documents of a feed, as links. @param title what the feed carries, before the format's name */
export function feedLinks(baseUrl: string, scope: FeedScope, title: string): FeedLink[] {
  return (Object.keys(FEED_FORMATS) as FeedFile[]).map((file) => ({
    title: `${title} (${FEED_FORMATS[file].name})`,
    type: FEED_FORMATS[file].contentType.split(';')[0] as FeedLink['type'],
    url: addressOf(baseUrl, feedPath(scope, file)),
  }));
}

/**
 * What every page shows of its publication.
 * @param formToken proves to the subscription form when it was shown; without it a page has no form
 */
export function siteOf(publication: Publication, formToken?: string): Site {
  return {
    publication,
    feeds: feedLinks(publication.baseUrl, ALL_ARTICLES, publication.title),
    ...(formToken === undefined ? {} : { subscribe: { formToken } }),
  };
}
