import { Hono } from 'hono';
import { madeBy, rebuildStaleFeeds } from '../app/feeds.ts';
import type { FeedDocument } from '../domain/content-ports.ts';
import { plainPath } from '../domain/feed.ts';
import { milliseconds } from '../domain/time.ts';
import { evaluate, imfFixdate } from './conditional.ts';
import type { AppContext, AppEnv } from './context.ts';
import { problem } from './problem.ts';

/** Readers may keep a feed for five minutes, shared caches for one; a correction is everywhere soon after. */
const CACHE_CONTROL = 'public, max-age=300, s-maxage=60';
const FILE = ':file{rss\\.xml|atom\\.xml|feed\\.json}';

/** Feed documents, as stored: one query a request, and preconditions answered before anything is made. */
export function feeds(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const path of [`/${FILE}`, `/topics/:topic/${FILE}`, `/issues/${FILE}`]) app.get(path, serve);
  return app;
}

async function serve(c: AppContext): Promise<Response> {
  const deps = c.get('deps');
  const path = plainPath(new URL(c.req.url).pathname);
  const document = await deps.feeds.document(path, c.req.header('if-none-match'));
  if (!document) return problem(c, 404, 'There is no feed here. /feeds lists all of them.');
  if (document.madeBy !== madeBy(deps)) c.executionCtx.waitUntil(rebuildStaleFeeds(deps));
  const status = evaluate(c.req.raw.headers, document);
  if (status === 412) return problem(c, 412, 'The feed has changed.');
  const headers = headersOf(document, milliseconds(deps.now()) / 1000);
  if (status === 304) return c.body(null, 304, headers);
  // The header held the tag within something else, so the body was left out although it is wanted.
  const body = document.body || ((await deps.feeds.document(path))?.body ?? '');
  return c.body(body, 200, { ...headers, 'Content-Type': document.contentType });
}

/**
 * Many changes within a second number their versions ahead of the clock; RFC 9110 section 8.8.2.1 forbids showing that.
 * @param nowSeconds Unix seconds
 */
function headersOf({ etag, lastModified, link }: FeedDocument, nowSeconds: number): Record<string, string> {
  return {
    ETag: etag,
    'Last-Modified': imfFixdate(Math.min(lastModified, nowSeconds)),
    'Cache-Control': CACHE_CONTROL,
    Vary: 'Accept-Encoding',
    Link: link,
    'Access-Control-Allow-Origin': '*',
    'X-Content-Type-Options': 'nosniff',
  };
}
