import { Hono } from 'hono';
import { madeBy, rebuildStaleFeeds } from '../app/feeds.ts';
import type { FeedDocument } from '../domain/ports.ts';
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
  const document = await deps.feeds.document(decodeURIComponent(c.req.path));
  if (!document) return problem(c, 404, 'There is no feed here. /feeds lists all of them.');
  if (document.madeBy !== madeBy(deps)) c.executionCtx.waitUntil(rebuildStaleFeeds(deps));
  const status = evaluate(c.req.raw.headers, document);
  if (status === 412) return problem(c, 412, 'The feed has changed.');
  return status === 304
    ? c.body(null, 304, headersOf(document))
    : c.body(document.body, 200, { ...headersOf(document), 'Content-Type': document.contentType });
}

function headersOf({ etag, lastModified, link }: FeedDocument): Record<string, string> {
  return {
    ETag: etag,
    'Last-Modified': imfFixdate(lastModified),
    'Cache-Control': CACHE_CONTROL,
    Vary: 'Accept-Encoding',
    Link: link,
    'Access-Control-Allow-Origin': '*',
    'X-Content-Type-Options': 'nosniff',
  };
}
