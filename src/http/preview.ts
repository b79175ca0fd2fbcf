import { Hono } from 'hono';
import type { AppEnv } from './context.ts';
import { mailPage } from './html.ts';
import { notFound } from './pages.ts';

/** A held issue as it would be mailed, for who has its link. */
export function preview(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get('/preview/:token', async (c) => {
    const { tokens, issues } = c.get('deps');
    const token = await tokens.verify(c.req.param('token'));
    const issue = token?.purpose === 'preview' ? await issues.read(token.scope, Number(token.subject)) : undefined;
    return issue ? mailPage(c, issue.html) : notFound(c);
  });
  return app;
}
