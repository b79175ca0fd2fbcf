import { Hono } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { Refusal } from '../domain/errors.ts';
import { api } from './api.ts';
import type { AppEnv } from './context.ts';
import { deliveries } from './deliveries.ts';
import { feeds } from './feeds.ts';
import { mailFeedback } from './mail-feedback.ts';
import { openapi } from './openapi.ts';
import { outbox } from './outbox.ts';
import { notFound, pages } from './pages.ts';
import { preview } from './preview.ts';
import { problem, refusalProblem } from './problem.ts';
import { siteFiles } from './site-files.ts';
import { subscribe } from './subscribe.ts';
import { subscribers } from './subscribers.ts';
import { subscriptions } from './subscriptions.ts';
import { webhooks } from './webhooks.ts';

const ROUTES = [
  feeds,
  pages,
  webhooks,
  mailFeedback,
  subscribe,
  subscriptions,
  preview,
  siteFiles,
  // Before what only operators may ask.
  openapi,
  api,
  deliveries,
  subscribers,
  outbox,
];

/**
 * All HTTP: one app per audience, mounted in one place. Expected refusals become problem documents here, once;
 * anything else is logged with its request and tells the caller nothing. Made once: to register the routes costs more
 * than to serve a feed, so what a request works with comes in beside it.
 */
export function httpApp(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use(async (c, next) => {
    c.set('deps', c.env.deps);
    await next();
  });
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) => {
        const allow = methods.join(', ');
        const response = problem(c, 405, `Allowed here: ${allow}.`);
        response.headers.set('Allow', allow);
        return response;
      },
    }),
  );
  for (const routes of ROUTES) app.route('/', routes());
  app.notFound(notFound);
  app.onError((error, c) => {
    if (error instanceof Refusal) return refusalProblem(c, error);
    // The route, not the address: addresses hold tokens.
    c.get('deps').log('a request failed', { method: c.req.method, route: c.req.routePath, error });
    return problem(c, 500, 'Something went wrong here. It is in the log.');
  });
  return app;
}
