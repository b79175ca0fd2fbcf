import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { pageCssHash } from '../render/templates.gen.ts';
import { evaluate } from './conditional.ts';
import type { AppContext, HttpDeps } from './context.ts';

/** Nothing runs, nothing is framed, the one stylesheet is known by its hash; pictures and sound are the articles'. */
const PAGE_POLICY = {
  'default-src': "'none'",
  'style-src': `'${pageCssHash}'`,
  'img-src': 'https: http: data:',
  'media-src': 'https: http:',
  'frame-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
};

/** Turnstile runs its own script in its own frame; on the one page that asks for it, and only where its keys are set. */
const TURNSTILE_POLICY = {
  ...PAGE_POLICY,
  'script-src': 'https://challenges.cloudflare.com',
  'frame-src': 'https://challenges.cloudflare.com',
};

/** A mailed issue styles itself inline; it still runs nothing and only our own pages may frame it. */
const MAIL_POLICY = {
  'default-src': "'none'",
  'style-src': "'unsafe-inline'",
  'img-src': 'https: http: data:',
  'frame-ancestors': "'self'",
};

function securityHeaders(policy: Record<string, string>): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': Object.entries(policy)
      .map((directive) => directive.join(' '))
      .join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
  };
}

/** Stands in public pages for the token that tells when a form was shown, until the page is sent. */
export const FORM_TOKEN_MARK = 'form-token-of-this-moment';

/**
 * A page for everybody, with a weak ETag; a 304 when the reader has it. The tag leaves out the form's token, which is
 * another one at every request: pages that differ in it alone are equivalent (RFC 9110 section 8.8.1).
 */
export async function publicPage(c: AppContext, html: string): Promise<Response> {
  const { hashes, tokens, now } = c.get('deps');
  const etag = `W/"${(await hashes.sha256(html)).slice(0, 32)}"`;
  const headers = { ETag: etag, 'Cache-Control': 'public, max-age=60', Vary: 'Accept-Encoding' };
  if (evaluate(c.req.raw.headers, { etag }) === 304) return c.body(null, 304, headers);
  const body = html.includes(FORM_TOKEN_MARK)
    ? html.replaceAll(FORM_TOKEN_MARK, await formToken({ tokens, now }))
    : html;
  return c.body(body, 200, { ...headers, ...securityHeaders(PAGE_POLICY) });
}

/** A token that tells when a form was shown. */
export function formToken({ tokens, now }: Pick<HttpDeps, 'tokens' | 'now'>): Promise<string> {
  return tokens.sign({ purpose: 'form', subject: now(), scope: '' });
}

/** A page that says something went another way; never kept. */
export function statusPage(c: AppContext, status: ContentfulStatusCode, html: string): Response {
  return c.body(html, status, { ...securityHeaders(PAGE_POLICY), 'Cache-Control': 'no-store' });
}

/** A page behind somebody's own link or on the operator's own machine: not kept, not indexed, its address not passed on. */
export function privatePage(c: AppContext, html: string, status: ContentfulStatusCode = 200): Response {
  return c.body(html, status, { ...securityHeaders(PAGE_POLICY), ...PRIVATE });
}

/** The page with the subscription form, which asks Turnstile where its keys are set. */
export function formPage(c: AppContext, html: string, status: ContentfulStatusCode): Response {
  const asks = c.get('deps').config.turnstileSiteKey !== undefined;
  return c.body(html, status, { ...securityHeaders(asks ? TURNSTILE_POLICY : PAGE_POLICY), ...PRIVATE });
}

/** The HTML of a mail, as it was mailed. */
export function mailPage(c: AppContext, html: string): Response {
  return c.body(html, 200, { ...securityHeaders(MAIL_POLICY), ...PRIVATE });
}

const PRIVATE = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' };
