import { Hono } from 'hono';
import { readPublication } from '../app/settings.ts';
import { unsubscribe } from '../app/unsubscribe.ts';
import { type UnsubscribeView, unsubscribePage } from '../render/pages/unsubscribe.tsx';
import type { AppContext, AppEnv } from './context.ts';
import { privatePage } from './html.ts';
import { notFound } from './pages.ts';
import { siteOf } from './site.ts';

/** Links in mails. GET and HEAD change nothing, because mail scanners follow every link. */
export function subscriptions(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get('/unsubscribe/:token', (c) => show(c, false));
  // RFC 8058: one click, without cookie, login or redirect; the body says nothing that the address does not.
  app.post('/unsubscribe/:token', (c) => show(c, true));
  return app;
}

async function show(c: AppContext, leave: boolean): Promise<Response> {
  const deps = c.get('deps');
  const publication = await readPublication(deps.publications, deps.baseUrl);
  if (!publication) return notFound(c);
  const view: UnsubscribeView = await unsubscribe(deps, publication, c.req.param('token') ?? '', leave);
  return privatePage(c, unsubscribePage(siteOf(publication), view), view.state === 'unknown' ? 404 : 200);
}
