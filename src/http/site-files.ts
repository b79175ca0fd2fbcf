import { Hono } from 'hono';
import { readPublication } from '../app/settings.ts';
import { ALL_ARTICLES, addressOf, feedPath, ISSUES, topicScope } from '../domain/feed.ts';
import { topicTitle } from '../domain/publication.ts';
import { milliseconds } from '../domain/time.ts';
import { opml, sitemap } from '../render/site-files.ts';
import type { AppContext, AppEnv } from './context.ts';
import { notFound } from './pages.ts';

/** Most addresses of one site map, by its protocol. */
const SITEMAP_ADDRESSES = 50_000;
const CACHED = { 'Cache-Control': 'public, max-age=300', 'X-Content-Type-Options': 'nosniff' };

/** Files that programs ask for: the list of feeds, the site map, robots.txt, and whether all is well. */
export function siteFiles(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get('/opml.xml', feedList);
  app.get('/sitemap.xml', siteMap);
  app.get('/robots.txt', (c) => {
    const { baseUrl } = c.get('deps');
    const lines = ['User-agent: *', 'Disallow: /unsubscribe/', 'Disallow: /preview/', `Sitemap: ${baseUrl}sitemap.xml`];
    return c.text(`${lines.join('\n')}\n`, 200, CACHED);
  });
  app.get('/healthz', async (c) => {
    await c.get('deps').publications.read();
    return c.json({ status: 'ok' }, 200, { 'Cache-Control': 'no-store' });
  });
  return app;
}

async function feedList(c: AppContext): Promise<Response> {
  const { publications, articles, baseUrl } = c.get('deps');
  const [publication, topics] = await Promise.all([readPublication(publications, baseUrl), articles.topics()]);
  if (!publication) return notFound(c);
  const outlines = [
    { scope: ALL_ARTICLES, title: publication.title },
    ...topics.map(({ slug }) => ({
      scope: topicScope(slug),
      title: `${topicTitle(publication, slug)} · ${publication.title}`,
    })),
    { scope: ISSUES, title: `Issues · ${publication.title}` },
  ].map(({ scope, title }) => ({
    title,
    xmlUrl: addressOf(baseUrl, feedPath(scope, 'rss.xml')),
    htmlUrl: scope === ALL_ARTICLES ? baseUrl : addressOf(baseUrl, `/${scope}`),
  }));
  return c.body(opml(publication.title, outlines), 200, { ...CACHED, 'Content-Type': 'text/x-opml; charset=utf-8' });
}

async function siteMap(c: AppContext): Promise<Response> {
  const { articles, issues, baseUrl } = c.get('deps');
  const [addresses, sent] = await Promise.all([articles.addresses(SITEMAP_ADDRESSES - 1000), issues.list(900)]);
  const pages = [
    { url: baseUrl },
    { url: addressOf(baseUrl, '/issues') },
    ...addresses.map(({ slug, updatedAt }) => ({
      url: addressOf(baseUrl, `/articles/${slug}`),
      ...(Number.isNaN(milliseconds(updatedAt)) ? {} : { updatedAt }),
    })),
    ...sent.map(({ digest, number, updatedAt }) => ({
      url: addressOf(baseUrl, `/issues/${digest}/${number}`),
      updatedAt,
    })),
  ];
  return c.body(sitemap(pages), 200, { ...CACHED, 'Content-Type': 'application/xml; charset=utf-8' });
}
