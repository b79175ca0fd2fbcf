import { Hono } from 'hono';
import * as z from 'zod/mini';
import { type ImportPage, importPage } from '../app/import.ts';
import { Refusal } from '../domain/errors.ts';
import { normaliseEmail } from '../domain/subscriber.ts';
import { instant, milliseconds } from '../domain/time.ts';
import { parse } from '../domain/validation.ts';
import type { AppContext, AppEnv } from './context.ts';

const MOST_ROWS = 500;
const PAGE = 1000;

const time = z.exactOptional(
  z
    .string()
    .check(
      z.refine(
        (text) => /^\d{4}-.*Z$/.test(text) && milliseconds(text) >= 0 && instant(milliseconds(text)) === text,
        'must be a time like 2026-05-04T09:00:00Z',
      ),
    ),
);
const importBody = z.strictObject({
  digest: z.string(),
  dryRun: z.boolean(),
  consent: z.exactOptional(
    z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(500, 'must have at most 500 characters')),
  ),
  rows: z
    .array(
      z.strictObject({
        line: z.int(),
        email: z.string(),
        status: z.enum(['active', 'unsubscribed', 'bounced', 'complained']),
        subscribedAt: time,
        confirmedAt: time,
        unsubscribedAt: time,
        proof: z.exactOptional(z.string().check(z.maxLength(500, 'must have at most 500 characters'))),
      }),
    )
    .check(z.maxLength(MOST_ROWS, `must have at most ${MOST_ROWS} entries`)),
});
const suppressionBody = z.strictObject({ email: z.string() });

/** Operators' ways to subscribers: in and out by the page, and the list of addresses never to be mailed. */
export function subscribers(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.post('/api/v1/subscribers/import', async (c) => {
    const page: ImportPage = parse(importBody, await jsonOf(c), 'Nobody was imported.');
    return c.json(await importPage(c.get('deps'), page));
  });
  app.get('/api/v1/subscribers', list);
  app.post('/api/v1/suppressions', async (c) => {
    const { suppressions, now } = c.get('deps');
    await suppressions.add(await addressHashOf(c), 'manual', now());
    return c.json({ outcome: 'suppressed' });
  });
  app.post('/api/v1/suppressions/lift', async (c) => {
    const lifted = await c.get('deps').suppressions.remove(await addressHashOf(c));
    return c.json({ outcome: lifted ? 'lifted' : 'unchanged' });
  });
  return app;
}

/** A page of a digest's subscribers, by key; `next` is where the next page begins, or null. */
async function list(c: AppContext): Promise<Response> {
  const { digest = '', after = '', limit = String(PAGE) } = c.req.query();
  const size = Math.min(Math.max(Number.parseInt(limit, 10) || PAGE, 1), PAGE);
  const rows = await c.get('deps').imports.page(digest, after, size);
  const next = rows.length === size ? (rows.at(-1)?.subscriberId ?? null) : null;
  return c.json({ subscribers: rows.map(({ subscriberId, ...row }) => row), next });
}

async function addressHashOf(c: AppContext): Promise<string> {
  const { email } = parse(suppressionBody, await jsonOf(c), 'Nothing was changed.');
  const address = normaliseEmail(email);
  if (address === undefined) {
    throw new Refusal('invalid', 'Nothing was changed.', [{ pointer: '/email', message: 'must be an e-mail address' }]);
  }
  return c.get('deps').hashes.address(address);
}

function jsonOf(c: AppContext): Promise<unknown> {
  return c.req.json().catch(() => {
    throw new Refusal('invalid', 'The body must be JSON.');
  });
}
