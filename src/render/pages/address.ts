import type { Identity, Site } from './views.ts';

/** A page's absolute address, for canonical links; `path` has no leading slash. */
export function absolute(publication: Pick<Identity, 'baseUrl'>, path: string): string {
  return new URL(path, publication.baseUrl).href;
}

/** The same as a path, for links between pages: these also work on a preview host and behind a forwarded port. */
export function local(site: Site, path: string): string {
  return new URL(path, site.publication.baseUrl).pathname;
}

/** Path below the base URL of a topic's page. Slugs may have letters of any script. */
export function topicPath(slug: string): string {
  return `topics/${encodeURIComponent(slug)}`;
}

/** Path below the base URL of an issue's page. */
export function issuePath(digest: string, number: number): string {
  return `issues/${encodeURIComponent(digest)}/${number}`;
}
