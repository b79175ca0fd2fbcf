import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { readPublication } from '../app/settings.ts';
import { nextOccurrence } from '../domain/schedule.ts';
import type { AppContext, AppEnv } from './context.ts';
import { problem } from './problem.ts';

const LISTED_OCCURRENCES = 10;

/** For operators: `/api/v1`, with the admin token. */
export function api(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use('/api/v1/*', onlyAdmin);
  app.get('/api/v1/digests', digests);
  return app;
}

const onlyAdmin = createMiddleware<AppEnv>(async (c, next) => {
  if (!(await c.get('deps').isAdmin(c.req.header('authorization')))) {
    return problem(c, 401, 'Send Authorization: Bearer and the admin token.');
  }
  await next();
  c.header('Cache-Control', 'no-store');
});

/** Each digest, when it is next due after `from` (default: now), and what became of its latest occurrences. */
async function digests(c: AppContext): Promise<Response> {
  const { publications, occurrences, subscriptions, baseUrl, now } = c.get('deps');
  const publication = await readPublication(publications, baseUrl);
  const described = (publication?.digests ?? []).map(async ({ id, title, schedule }) => {
    const recorded = (await occurrences.recordedThrough(id)) ?? '';
    const from = recorded > now() ? recorded : now();
    return {
      id,
      title,
      schedule,
      next: nextOccurrence(schedule, from) ?? null,
      audience: await subscriptions.audience(id),
      occurrences: await occurrences.list(id, LISTED_OCCURRENCES),
    };
  });
  return c.json({ publication: publication?.title ?? null, digests: await Promise.all(described) });
}
