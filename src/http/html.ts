import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { pageCssHash } from '../render/templates.gen.ts';
import { evaluate } from './conditional.ts';
import type { AppContext } from './context.ts';

/** Nothing runs, nothing is framed, the one stylesheet is known by its hash; pictures and sound are the articles'. */
const PAGE_POLICY = [
  "default-src 'none'",
  `style-src '${pageCssHash}'`,
  'img-src https: http: data:',
  'media-src https: http:',
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A mailed issue styles itself inline; it still runs nothing and only our own pages may frame it. */
const MAIL_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src https: http: data:; frame-ancestors 'self'";

function securityHeaders(policy: string): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
  };
}

/** A page for everybody, with a weak ETag of its bytes; a 304 when the reader has them. */
export async function publicPage(c: AppContext, html: string): Promise<Response> {
  const etag = `W/"${(await c.get('deps').hashes.sha256(html)).slice(0, 32)}"`;
  const headers = { ETag: etag, 'Cache-Control': 'public, max-age=60', Vary: 'Accept-Encoding' };
  if (evaluate(c.req.raw.headers, { etag }) === 304) return c.body(null, 304, headers);
  return c.body(html, 200, { ...headers, ...securityHeaders(PAGE_POLICY) });
}

/** A page that says something went another way; never kept. */
export function statusPage(c: AppContext, status: ContentfulStatusCode, html: string): Response {
  return c.body(html, status, { ...securityHeaders(PAGE_POLICY), 'Cache-Control': 'no-store' });
}

/** A page behind somebody's own link or on the operator's own machine: not kept, not indexed, its address not passed on. */
export function privatePage(c: AppContext, html: string, status: ContentfulStatusCode = 200): Response {
  return c.body(html, status, { ...securityHeaders(PAGE_POLICY), ...PRIVATE });
}

/** The HTML of a mail, as it was mailed. */
export function mailPage(c: AppContext, html: string): Response {
  return c.body(html, 200, { ...securityHeaders(MAIL_POLICY), ...PRIVATE });
}

const PRIVATE = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' };
