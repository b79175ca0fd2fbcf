import { Hono } from 'hono';
import { Refusal } from '../domain/errors.ts';
import { normaliseEmail } from '../domain/subscriber.ts';
import type { AppContext, AppEnv } from './context.ts';
import { problem } from './problem.ts';

const LISTED_REASONS = 50;
const LISTED_LETTERS = 100;

/** What operators ask of the ledger: who got what, when, and why not. Under `/api/v1`, which wants the admin token. */
export function deliveries(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get('/api/v1/issues/:digest/:number{[1-9][0-9]*}/deliveries', ofIssue);
  app.get('/api/v1/subscribers/deliveries', ofAddress);
  app.get('/api/v1/dead-letters', async (c) => {
    return c.json({ deadLetters: await c.get('deps').deadLetters.list(LISTED_LETTERS) });
  });
  return app;
}

/** Where the deliveries of an issue's newest revision stand, and what was said of them; `audience` is the sum of all states. */
async function ofIssue(c: AppContext): Promise<Response> {
  const deps = c.get('deps');
  const issue = await deps.issues.read(c.req.param('digest') ?? '', Number(c.req.param('number')));
  if (!issue) return problem(c, 404, 'There is no such issue.');
  const { digest, number, revision, status, pausedBecause } = issue;
  const { balance, reasons } = await deps.deliveryReports.ofIssue(issue, LISTED_REASONS);
  return c.json({
    digest,
    number,
    revision,
    status,
    ...(pausedBecause === undefined ? {} : { pausedBecause }),
    audience: Object.values(balance).reduce((sum, count) => sum + count, 0),
    deliveries: balance,
    reasons,
  });
}

/** Why an address did, or did not, get each issue. Also of an address that nobody has: that is the answer then. */
async function ofAddress(c: AppContext): Promise<Response> {
  const { deliveryReports, hashes } = c.get('deps');
  const email = normaliseEmail(c.req.query('email') ?? '');
  if (email === undefined) {
    throw new Refusal('invalid', 'Nothing was looked up.', [
      { pointer: '/email', message: 'must be an e-mail address: ?email=ada%40reader.example' },
    ]);
  }
  return c.json({ email, ...(await deliveryReports.ofAddress(await hashes.address(email))) });
}
