/** The three formats of every feed, by their file name. */
export const FEED_FORMATS = {
  'rss.xml': { name: 'RSS', key: 'rss', contentType: 'application/rss+xml; charset=utf-8' },
  'atom.xml': { name: 'Atom', key: 'atom', contentType: 'application/atom+xml; charset=utf-8' },
  'feed.json': { name: 'JSON Feed', key: 'json', contentType: 'application/feed+json; charset=utf-8' },
} as const;

export type FeedFile = keyof typeof FEED_FORMATS;

/**
 * What has feeds: '' is all articles, `topics/<slug>` one topic, `issues` the issues themselves. A scope is also the
 * folder of its documents' paths.
 */
export type FeedScope = string;

export const ALL_ARTICLES: FeedScope = '';
export const ISSUES: FeedScope = 'issues';

export function topicScope(slug: string): FeedScope {
  return `topics/${slug}`;
}

/** The topic of a scope, when it is one's. */
export function topicOf(scope: FeedScope): string | undefined {
  return scope.startsWith('topics/') ? scope.slice('topics/'.length) : undefined;
}

/** The path of a feed document, not percent-encoded. */
export function feedPath(scope: FeedScope, file: FeedFile): string {
  return scope === '' ? `/${file}` : `/${scope}/${file}`;
}

/** The absolute address of a path here. @param path starts with a slash, not percent-encoded */
export function addressOf(baseUrl: string, path: string): string {
  return baseUrl + path.slice(1).split('/').map(encodeURIComponent).join('/');
}

/** A URL's path as people write it, percent-decoded; one that is not UTF-8 stays as it is. */
export function plainPath(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
