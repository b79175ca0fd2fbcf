import { html, raw } from 'hono/html';
import type { Article } from '../../domain/article.ts';
import { pageCss } from '../templates.gen.ts';
import type { FeedLink, Site } from './views.ts';

/** What the head of one page says. */
export interface Head {
  /** Of the page alone; the publication's title is added. Absent on the home page. */
  title?: string;
  /** The publication's description when absent. */
  description?: string;
  /** Absolute. Absent on pages that search engines should leave alone. */
  canonical?: string;
  /** Feeds of this page alone, announced before the site's. */
  feeds?: FeedLink[];
  article?: Article;
}

/**
 * The children of `<head>`. A template literal, because hono/jsx moves `<link>` elements about by searching the whole
 * document for each of them. Values are escaped by `html`; only our own stylesheet goes in raw, byte for byte, since the
 * Content-Security-Policy names its hash.
 */
export function head(site: Site, { title, description, canonical, feeds = [], article }: Head) {
  const { publication } = site;
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === undefined ? publication.title : `${title} · ${publication.title}`}</title>
<meta name="description" content="${description ?? publication.description}">
${canonical === undefined ? html`<meta name="robots" content="noindex">` : html`<link rel="canonical" href="${canonical}">`}
<meta name="color-scheme" content="light dark">
${[...feeds, ...site.feeds].map(
  (feed) => html`<link rel="alternate" type="${feed.type}" title="${feed.title}" href="${feed.url}">
`,
)}${article === undefined ? '' : openGraph(site, article)}<style>${raw(pageCss)}</style>`;
}

/** Open Graph (ogp.me): the card that chats and social networks make of a link. */
function openGraph(site: Site, article: Article) {
  const { image } = article;
  return [
    property('og:type', 'article'),
    property('og:site_name', site.publication.title),
    property('og:title', article.title),
    property('og:description', article.summary),
    property('og:url', article.url),
    property('og:image', image?.url),
    property('og:image:alt', image?.alt || undefined),
    property('og:image:width', image?.width),
    property('og:image:height', image?.height),
    property('article:published_time', article.publishedAt),
    property('article:modified_time', article.updatedAt),
  ];
}

function property(name: string, content: string | number | undefined) {
  return content === undefined
    ? ''
    : html`<meta property="${name}" content="${content}">
`;
}
