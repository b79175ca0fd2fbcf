import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { takeFeedback } from '../app/feedback.ts';
import type { AppContext, AppEnv } from './context.ts';
import { problem } from './problem.ts';

/** 256 KiB, many times a carrier's longest event; what is longer is refused before it is read on. */
const MOST_BYTES = 256 * 1024;

/** Where carriers tell of bounces and complaints. Whatever the media type: SNS calls its JSON plain text. */
export function mailFeedback(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const limit = bodyLimit({
    maxSize: MOST_BYTES,
    onError: (c) => problem(c as AppContext, 413, `The body must have at most ${MOST_BYTES} bytes.`),
  });
  app.post('/webhooks/mail/:transport', limit, receive);
  return app;
}

async function receive(c: AppContext): Promise<Response> {
  const deps = c.get('deps');
  const read = deps.feedbackReaders.get(c.req.param('transport') ?? '');
  if (!read) {
    const names = [...deps.feedbackReaders.keys()].join(', ');
    return problem(c, 404, `No such transport is configured here. Configured: ${names || 'none'}.`);
  }
  await takeFeedback(deps, await read(c.req.raw.headers, new Uint8Array(await c.req.arrayBuffer())));
  return c.body(null, 204, { 'Cache-Control': 'no-store' });
}
