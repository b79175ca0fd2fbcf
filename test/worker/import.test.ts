import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { shift } from '../../src/domain/time.ts';
import { NOW, type TestApp } from '../support/app.ts';
import { emptyDatabase, snapshot } from '../support/database.ts';
import { DUE, outbox } from '../support/newsroom.ts';
import { ask, consentOf, join, noticesTo, operator, personOf, readingRoom, statusesOf } from '../support/readers.ts';

const PROOF = 'signed up at the fair';

let app: TestApp;

beforeEach(async () => {
  app = await readingRoom(['one']);
});

type Row = Record<string, unknown>;

/** Imports rows; each may name itself by an address and a status alone. */
async function load(rows: Row[], changes: Row = {}): Promise<Response> {
  return operator(app, 'subscribers/import', {
    digest: 'weekly',
    dryRun: false,
    rows: rows.map((row, index) => ({ line: index + 2, status: 'active', proof: PROOF, ...row })),
    ...changes,
  });
}

/** What is not zero or empty of an import's result. */
async function verdict(response: Promise<Response>): Promise<Row> {
  const result = (await (await response).json()) as Row;
  return Object.fromEntries(
    Object.entries(result).filter(([, value]) => (Array.isArray(value) ? value.length : value)),
  );
}

async function listed(query = ''): Promise<Row[]> {
  const response = await operator(app, `subscribers?digest=weekly${query}`);
  return (await response.json<{ subscribers: Row[] }>()).subscribers;
}

/** Everybody with all that an export holds, by address. */
async function exported(): Promise<Row[]> {
  return (await listed()).sort((one, other) => String(one.email).localeCompare(String(other.email)));
}

async function suppressions(): Promise<string[]> {
  return (await snapshot()).suppression?.map((row) => (row as { reason: string }).reason) ?? [];
}

/** Somebody in each state that an import can meet. */
const STANDING: Record<string, (email: string) => Promise<unknown>> = {
  unknown: async () => undefined,
  pending: (email) => ask(app, email),
  active: (email) => join(app, email),
  unsubscribed: (email) => leave(email),
  'unsubscribed and asking again': async (email) => {
    await leave(email);
    app.clock.now = shift(NOW, 3600);
    await ask(app, email);
  },
  suppressed: (email) => operator(app, 'suppressions', { email }),
  'pending and suppressed': async (email) => {
    await ask(app, email);
    await operator(app, 'suppressions', { email });
  },
  'active and suppressed': async (email) => {
    await join(app, email);
    await operator(app, 'suppressions', { email });
  },
};

async function leave(email: string): Promise<void> {
  await app.deps.subscriptions.unsubscribe(await join(app, email), ['weekly'], { way: 'mail' }, NOW);
}

describe('a row', () => {
  test.each<[string, string, string, string | undefined, string | undefined]>([
    ['unknown', 'active', 'created', 'active', undefined],
    ['unknown', 'unsubscribed', 'created', 'unsubscribed', undefined],
    ['unknown', 'bounced', 'created', 'unsubscribed', 'hard_bounce'],
    ['unknown', 'complained', 'created', 'unsubscribed', 'complaint'],
    ['pending', 'active', 'created', 'active', undefined],
    ['pending', 'unsubscribed', 'changed', 'unsubscribed', undefined],
    ['pending', 'complained', 'changed', 'unsubscribed', 'complaint'],
    ['active', 'active', 'unchanged', 'active', undefined],
    ['active', 'unsubscribed', 'changed', 'unsubscribed', undefined],
    ['active', 'bounced', 'changed', 'unsubscribed', 'hard_bounce'],
    ['unsubscribed', 'active', 'unchanged', 'unsubscribed', undefined],
    ['unsubscribed', 'unsubscribed', 'unchanged', 'unsubscribed', undefined],
    ['unsubscribed', 'bounced', 'changed', 'unsubscribed', 'hard_bounce'],
    ['unsubscribed and asking again', 'active', 'unchanged', 'pending', undefined],
    ['unsubscribed and asking again', 'unsubscribed', 'unchanged', 'pending', undefined],
    ['suppressed', 'active', 'suppressed', undefined, 'manual'],
    ['suppressed', 'unsubscribed', 'created', 'unsubscribed', 'manual'],
    ['suppressed', 'bounced', 'created', 'unsubscribed', 'manual'],
    ['pending and suppressed', 'active', 'suppressed', 'pending', 'manual'],
    ['active and suppressed', 'active', 'unchanged', 'active', 'manual'],
    ['active and suppressed', 'complained', 'changed', 'unsubscribed', 'manual'],
  ])('of somebody %s that says %s: %s', async (standing, status, outcome, after, reason) => {
    const email = 'ada@reader.example';
    await STANDING[standing]?.(email);
    const row = { email: ' ada@READER.example', status };
    const before = await snapshot();
    expect(await verdict(load([row], { dryRun: true }))).toEqual({ [outcome]: 1 });
    expect(await snapshot()).toEqual(before);
    expect(await verdict(load([row]))).toEqual({ [outcome]: 1 });
    expect((await statusesOf(app, email)).weekly).toBe(after);
    expect(await suppressions()).toEqual(reason ? [reason] : []);
    const once = await snapshot();
    expect(await verdict(load([row]))).toEqual({ [outcome === 'suppressed' ? 'suppressed' : 'unchanged']: 1 });
    expect(await snapshot()).toEqual(once);
  });

  test('never mails its person by itself', async () => {
    await load([{ email: 'ada@reader.example' }]);
    await app.work();
    expect(await outbox(app)).toEqual([]);
    await app.tick(DUE);
    await app.work();
    expect((await outbox(app)).map(({ to }) => to)).toEqual(['ada@reader.example']);
  });

  test('writes its line of the record, with the proof of who agreed', async () => {
    await load(
      [
        { email: 'own@reader.example' },
        { email: 'stated@reader.example', proof: undefined },
        { email: 'left@reader.example', status: 'unsubscribed', proof: undefined },
      ],
      { consent: 'all of them ticked the box' },
    );
    const { results } = await env.DB.prepare(
      `SELECT p.email, c.event, c.way, c.proof, c.digest FROM consent c JOIN subscriber p ON p.id = c.subscriberId
       ORDER BY p.email`,
    ).all();
    const shared = { way: 'import', digest: 'weekly' };
    expect(results).toEqual([
      { email: 'left@reader.example', event: 'unsubscribed', proof: null, ...shared },
      { email: 'own@reader.example', event: 'imported', proof: PROOF, ...shared },
      { email: 'stated@reader.example', event: 'imported', proof: 'all of them ticked the box', ...shared },
    ]);
  });

  test('of somebody active who left elsewhere is recorded as leaving', async () => {
    const id = await join(app, 'ada@reader.example');
    await load([{ email: 'ada@reader.example', status: 'unsubscribed', proof: undefined }], { consent: PROOF });
    expect((await consentOf(id)).at(-1)).toBe('unsubscribed weekly import');
  });

  test('leaves other digests alone', async () => {
    await join(app, 'ada@reader.example', ['other']);
    await load([{ email: 'ada@reader.example', status: 'unsubscribed' }]);
    expect(await statusesOf(app, 'ada@reader.example')).toEqual({ other: 'active', weekly: 'unsubscribed' });
  });

  test('in other capitals is about the same mailbox', async () => {
    await join(app, 'Ada@reader.example');
    expect(await verdict(load([{ email: 'ADA@reader.example' }]))).toEqual({ unchanged: 1 });
    expect(await verdict(load([{ email: 'ada@reader.example', status: 'unsubscribed' }]))).toEqual({ changed: 1 });
    expect(await verdict(load([{ email: 'aDa@reader.example' }]))).toEqual({ unchanged: 1 });
    expect((await exported()).map(({ email, status }) => [email, status])).toEqual([
      ['Ada@reader.example', 'unsubscribed'],
    ]);
  });

  test('that is faulty is named by its line, and the others are taken', async () => {
    const response = load([
      { email: 'ada@reader.example' },
      { email: 'ada@' },
      { email: 'eve@reader.example\r\nBcc: x@reader.example' },
      { email: 'bea@reader.example', proof: undefined },
    ]);
    expect(await verdict(response)).toEqual({
      created: 1,
      faults: [
        { line: 3, message: expect.stringContaining('no e-mail address') },
        { line: 4, message: expect.stringContaining('no e-mail address') },
        { line: 5, message: expect.stringContaining('no proof of consent') },
      ],
    });
    expect((await exported()).map(({ email }) => email)).toEqual(['ada@reader.example']);
  });

  test('among several for one address is the strictest, in any order', async () => {
    const statuses = ['active', 'complained', 'unsubscribed', 'bounced', 'active'];
    const rows = statuses.map((status) => ({ email: 'ada@reader.example', status }));
    expect(await verdict(load(rows))).toEqual({ created: 1 });
    expect(await exported()).toEqual([expect.objectContaining({ status: 'complained' })]);
  });
});

describe('a page', () => {
  test.each<[string, Row, string]>([
    ['an unknown digest', { digest: 'nothing' }, '/digest'],
    ['more than 500 rows', { rows: many(501) }, '/rows'],
    ['an unknown status', { rows: [{ line: 2, email: 'a@reader.example', status: 'cleaned' }] }, '/rows/0/status'],
    ['a time of another form', { rows: [{ ...many(1)[0], subscribedAt: '3 May' }] }, '/rows/0/subscribedAt'],
    ['a time without a zone', { rows: [{ ...many(1)[0], confirmedAt: '2026-05-03' }] }, '/rows/0/confirmedAt'],
    ['a day that there is not', { rows: [{ ...many(1)[0], unsubscribedAt: '2026-02-30T00:00:00Z' }] }, '/rows/0/unsub'],
    ['an empty statement', { consent: '' }, '/consent'],
    ['an unknown field', { more: 1 }, '/more'],
  ])('with %s is refused as a whole', async (_name, changes, pointer) => {
    const response = await load([{ email: 'ada@reader.example' }], changes);
    expect(response.status).toBe(422);
    const { errors } = await response.json<{ errors: { pointer: string }[] }>();
    expect(errors.map((fault) => fault.pointer)).toEqual([expect.stringContaining(pointer)]);
    expect(await exported()).toEqual([]);
  });

  test('of 500 rows is taken at once, and listed by pages', async () => {
    expect(await verdict(load(many(500)))).toEqual({ created: 500 });
    expect(await verdict(load(many(500)))).toEqual({ unchanged: 500 });
    const seen: unknown[] = [];
    let pages = 0;
    for (let after: string | null = ''; after !== null; pages += 1) {
      const response = await operator(app, `subscribers?digest=weekly&limit=200&after=${after}`);
      expect(response.headers.get('cache-control')).toBe('no-store');
      const page: { subscribers: Row[]; next: string | null } = await response.json();
      seen.push(...page.subscribers.map(({ email }) => email));
      after = page.next;
    }
    expect([pages, seen.length, new Set(seen).size]).toEqual([3, 500, 500]);
  });

  test.each([
    ['subscribers?digest=weekly', 'GET'],
    ['subscribers/import', 'POST'],
    ['suppressions', 'POST'],
    ['suppressions/lift', 'POST'],
  ])('is for the operator alone: %s', async (path, method) => {
    for (const headers of [{}, { Authorization: 'Bearer wrong' }]) {
      const response = await app.fetch(`/api/v1/${path}`, { method, headers });
      expect([response.status, response.headers.get('cache-control')]).toEqual([401, 'no-store']);
    }
  });
});

function many(count: number): Row[] {
  return Array.from({ length: count }, (_, index) => ({
    line: index + 2,
    email: `reader${index}@reader.example`,
    status: 'active',
    proof: PROOF,
  }));
}

test('what is exported and imported into an empty database is exported the same', async () => {
  await load([
    {
      email: 'ada@reader.example',
      subscribedAt: '2020-01-01T00:00:00Z',
      confirmedAt: '2020-01-02T00:00:00Z',
    },
    { email: 'bea@reader.example', status: 'unsubscribed', unsubscribedAt: '2021-01-01T00:00:00Z', proof: undefined },
    { email: 'cyd@reader.example', status: 'bounced', proof: undefined },
    { email: 'dan@reader.example', status: 'complained', subscribedAt: '2020-02-02T00:00:00Z' },
  ]);
  await join(app, 'eve@reader.example');
  await leave('fay@reader.example');
  await STANDING['unsubscribed and asking again']?.('gus@reader.example');
  await STANDING['active and suppressed']?.('hal@reader.example');
  await ask(app, 'pending@reader.example');
  const before = await exported();
  expect(before.map(({ email, status }) => `${String(email).split('@')[0]} ${status}`)).toEqual([
    'ada active',
    'bea unsubscribed',
    'cyd bounced',
    'dan complained',
    'eve active',
    'fay unsubscribed',
    'gus unsubscribed',
    'hal unsubscribed',
  ]);
  await emptyDatabase();
  app = await readingRoom();
  app.clock.now = shift(NOW, 86_400);
  const rows = before.map((row, index) => ({ line: index + 2, ...row }));
  expect(await verdict(operator(app, 'subscribers/import', { digest: 'weekly', dryRun: false, rows }))).toEqual({
    created: 8,
  });
  expect(await exported()).toEqual(before);
});

describe('a manual suppression', () => {
  test('is added and lifted, any number of times', async () => {
    const outcomes = [];
    for (const path of ['suppressions', 'suppressions', 'suppressions/lift', 'suppressions/lift']) {
      const response = await operator(app, path, { email: ' ada@READER.example ' });
      outcomes.push([response.status, await response.json()]);
    }
    expect(outcomes).toEqual([
      [200, { outcome: 'suppressed' }],
      [200, { outcome: 'suppressed' }],
      [200, { outcome: 'lifted' }],
      [200, { outcome: 'unchanged' }],
    ]);
    await ask(app, 'ada@reader.example');
    expect(await noticesTo(app, 'ada@reader.example')).toHaveLength(1);
  });

  test('does not change the reason there is', async () => {
    await load([{ email: 'ada@reader.example', status: 'complained' }]);
    await operator(app, 'suppressions', { email: 'ada@reader.example' });
    expect(await suppressions()).toEqual(['complaint']);
  });

  test.each([[{}], [{ email: 'ada' }], [{ email: 'ada@reader.example', more: 1 }], ['text']])(
    'of %j is refused',
    async (body) => {
      for (const path of ['suppressions', 'suppressions/lift'])
        expect((await operator(app, path, body)).status).toBe(422);
      expect(await suppressions()).toEqual([]);
    },
  );

  test('keeps no address', async () => {
    await operator(app, 'suppressions', { email: 'ada@reader.example' });
    expect(JSON.stringify(await snapshot())).not.toContain('ada@');
    expect(await personOf('ada@reader.example')).toBe('');
  });
});
