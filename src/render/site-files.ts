import { type Element, element, print } from './xml.ts';

/** A feed in a list of feeds. */
export interface Outline {
  title: string;
  /** Absolute address of the RSS document. */
  xmlUrl: string;
  /** Absolute address of the page it belongs to. */
  htmlUrl: string;
}

/** OPML 2.0: all feeds as one file that readers import. */
export function opml(title: string, outlines: Outline[]): string {
  const body = outlines.map(({ title: text, xmlUrl, htmlUrl }) =>
    element('outline', { type: 'rss', text, title: text, xmlUrl, htmlUrl }),
  );
  const head = element('head', {}, [element('title', {}, title)]);
  return xmlDocument(element('opml', { version: '2.0' }, [head, element('body', {}, body)]));
}

/** Sitemap protocol 0.9. @param pages absolute addresses, and when each changed (ISO 8601) */
export function sitemap(pages: { url: string; updatedAt?: string }[]): string {
  const urls = pages.map(({ url, updatedAt }) =>
    element('url', {}, [
      element('loc', {}, url),
      ...(updatedAt === undefined ? [] : [element('lastmod', {}, updatedAt)]),
    ]),
  );
  return xmlDocument(element('urlset', { xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' }, urls));
}

function xmlDocument(root: Element): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n${print(root)}\n`;
}
