import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import PostalMime, { decodeWords } from 'postal-mime';
import { readPublication } from '../app/settings.ts';
import { isLocalUrl } from '../env.ts';
import { outboxMessagePage, outboxPage } from '../render/pages/outbox.tsx';
import type { AppContext, AppEnv } from './context.ts';
import { mailPage, privatePage } from './html.ts';
import { notFound } from './pages.ts';
import { problem } from './problem.ts';
import { siteOf } from './site.ts';

const LISTED = 200;

/** What the outbox transport keeps: for the operator's own machine, and elsewhere for who has the admin token. */
export function outbox(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use('/outbox', onlyOperator);
  app.use('/outbox.json', onlyOperator);
  app.use('/outbox/*', onlyOperator);
  app.get('/outbox', list);
  app.get('/outbox.json', async (c) => {
    const messages = await c.get('deps').outbox.list(LISTED);
    return c.json({ messages }, 200, { 'Cache-Control': 'no-store' });
  });
  app.get('/outbox/:file{.+\\.eml}', raw);
  app.get('/outbox/:id', show);
  app.get('/outbox/:id/html', async (c) => {
    const mail = await c.get('deps').outbox.read(c.req.param('id'));
    const html = mail && (await PostalMime.parse(mail.raw)).html;
    return html ? mailPage(c, html) : notFound(c);
  });
  return app;
}

const onlyOperator = createMiddleware<AppEnv>(async (c, next) => {
  const { config, isAdmin } = c.get('deps');
  const local = config.local && isLocalUrl(c.req.url);
  if (!local && !(await isAdmin(c.req.header('authorization')))) {
    return problem(c, 401, 'The outbox is shown on localhost only, or with Authorization: Bearer and the admin token.');
  }
  await next();
});

async function list(c: AppContext): Promise<Response> {
  const { outbox, publications, baseUrl } = c.get('deps');
  const [publication, messages] = await Promise.all([readPublication(publications, baseUrl), outbox.list(LISTED)]);
  return publication ? privatePage(c, outboxPage(siteOf(publication), { messages })) : notFound(c);
}

async function show(c: AppContext): Promise<Response> {
  const { outbox, publications, baseUrl } = c.get('deps');
  const id = c.req.param('id') ?? '';
  const [publication, mail] = await Promise.all([readPublication(publications, baseUrl), outbox.read(id)]);
  if (!publication || !mail) return notFound(c);
  const parsed = await PostalMime.parse(mail.raw);
  const headers = parsed.headers.map(({ originalKey, key, value }) => ({
    name: originalKey ?? key,
    value: decodeWords(value),
  }));
  const view = {
    message: mail,
    headers,
    text: parsed.text ?? '',
    ...(parsed.html ? { htmlPath: `/outbox/${encodeURIComponent(id)}/html` } : {}),
  };
  return privatePage(c, outboxMessagePage(siteOf(publication), view));
}

/** The message exactly as it would go over the wire. */
async function raw(c: AppContext): Promise<Response> {
  const id = (c.req.param('file') ?? '').replace(/\.eml$/, '');
  const mail = await c.get('deps').outbox.read(id);
  if (!mail) return notFound(c);
  return c.body(mail.raw, 200, { 'Content-Type': 'message/rfc822', 'Cache-Control': 'no-store' });
}
