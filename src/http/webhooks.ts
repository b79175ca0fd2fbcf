import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { handleCall } from '../app/call.ts';
import { planCall } from '../app/dry-run.ts';
import { earlierAnswer } from '../app/webhook.ts';
import { Refusal } from '../domain/errors.ts';
import { parseWebhookBody, type WebhookBody } from '../domain/webhook.ts';
import type { AppContext, AppEnv } from './context.ts';
import { problem } from './problem.ts';

/** 1 MiB; what is longer is refused before it is read on. */
const MOST_BYTES = 1024 * 1024;

/** The one door: articles, settings and orders come in by signed calls. */
export function webhooks(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const limit = bodyLimit({
    maxSize: MOST_BYTES,
    onError: (c) => problem(c as AppContext, 413, `The body must have at most ${MOST_BYTES} bytes.`),
  });
  app.post('/webhooks', limit, receive);
  return app;
}

async function receive(c: AppContext): Promise<Response> {
  const deps = c.get('deps');
  const bytes = new Uint8Array(await c.req.arrayBuffer());
  const verdict = await deps.checkProof(bytes, c.req.raw.headers);
  if ('fault' in verdict) {
    deps.log('a call was not proven', { fault: verdict.fault });
    return problem(c, 401, `The call is not proven: ${verdict.fault}.`);
  }
  const dryRun = isDryRun(c.req.query('dryRun'));
  const text = textOf(c, bytes);
  const now = deps.now();
  const receipt = { id: verdict.id, bodyHash: await deps.hashes.sha256(text), receivedAt: now };
  if (dryRun) {
    const body = bodyOf(text);
    const plan = await planCall(deps, body, { receipt, timestamp: body.timestamp, now });
    return c.json(plan, 200, { 'Cache-Control': 'no-store' });
  }
  // Before the body is looked at: an id that was used for other bytes is a conflict, whatever is in them.
  await earlierAnswer(deps.receipts, receipt);
  const body = bodyOf(text);
  const answer = await handleCall(deps, body, { receipt, timestamp: body.timestamp, now });
  return c.json(answer, 200, { 'Cache-Control': 'no-store' });
}

/** A word that is not known must not publish what was only to be looked at. */
function isDryRun(value: string | undefined): boolean {
  if (value === undefined || value === '0' || value === 'false') return false;
  if (value === '1' || value === 'true') return true;
  throw new Refusal('invalid', 'Nothing was done: dryRun must be 1, or be left out.');
}

function textOf(c: AppContext, bytes: Uint8Array): string {
  const type = c.req.header('content-type') ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new Refusal('unsupported_media', 'Content-Type must be application/json.');
  }
  try {
    // A byte order mark is kept here, since other bytes are another call, and dropped when the JSON is read.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refusal('invalid', 'The body must be UTF-8.');
  }
}

function bodyOf(text: string): WebhookBody {
  const result = parseWebhookBody(parseJson(text));
  if ('faults' in result) throw new Refusal('invalid', 'Nothing was changed: the body has faults.', result.faults);
  return result.body;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new Refusal(
      'invalid',
      `The body must be JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`,
    );
  }
}
