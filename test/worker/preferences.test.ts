import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { shift } from '../../src/domain/time.ts';
import { logError } from '../../src/platform/log.ts';
import { tokens } from '../../src/platform/tokens.ts';
import { NOW, recordingTransport, type TestApp } from '../support/app.ts';
import { publicationData } from '../support/content.ts';
import { snapshot } from '../support/database.ts';
import { balance, DUE, deliveries, interrupted, outbox, sharing, stopBefore } from '../support/newsroom.ts';
import {
  ask,
  confirmPath,
  consentOf,
  join,
  loggedText,
  noticesTo,
  operator,
  PRIVATE_HEADERS,
  personOf,
  post,
  preferencesPath,
  readingRoom,
  statusesOf,
} from '../support/readers.ts';

const ADA = 'ada@reader.example';
const BEA = 'bea@reader.example';
const NEW = 'ada@new.example';

let app: TestApp;
let ada: string;
let bea: string;
/** Ada's own page. */
let path: string;

beforeEach(async () => {
  app = await readingRoom(['one']);
  ada = await join(app, ADA);
  bea = await join(app, BEA);
  path = await preferencesPath(app, ADA);
  app.clock.now = shift(NOW, 2 * 3600);
});

const choose = (...digests: string[]) =>
  post(app, path, [['action', 'digests'], ...digests.map((id): [string, string] => ['digest', id])]);
const move = (email: string) =>
  post(app, path, [
    ['action', 'address'],
    ['email', email],
  ]);
const erase = () =>
  post(app, path, [
    ['action', 'erase'],
    ['sure', 'yes'],
  ]);

async function sendIssue(): Promise<void> {
  await app.tick(DUE);
  await app.work();
}

describe('the page', () => {
  test('shows what one gets, changes nothing when it is opened, and is nobody else’s', async () => {
    const before = await snapshot();
    const response = await app.fetch(path);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject(PRIVATE_HEADERS);
    expect(response.headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(response.headers.get('set-cookie')).toBeNull();
    const html = await response.text();
    expect(html).toContain(ADA);
    expect(html).not.toContain(BEA);
    expect(html.match(/<input[^>]*value="weekly"[^>]*>/)?.[0]).toContain('checked');
    expect(html.match(/<input[^>]*value="other"[^>]*>/)?.[0]).not.toContain('checked');
    await app.fetch(path, { method: 'HEAD' });
    expect(await snapshot()).toEqual(before);
  });

  test('opens by a link that was signed before the secrets were rotated, and stands in every mail', async () => {
    const older = tokens([{ id: 'k1', secret: 'the-older-token-secret-of-the-tests' }]);
    const token = await older.sign({ purpose: 'preferences', subject: ada, scope: '' });
    expect((await app.fetch(`/preferences/${token}`)).status).toBe(200);
    await sendIssue();
    const mail = (await outbox(app)).find(({ to, kind }) => to === ADA && kind === 'digest');
    expect(mail?.raw.replaceAll(/=\r\n/g, '')).toContain('/preferences/v1.k2.preferences.');
  });

  test.each<[string, () => string | Promise<string>]>([
    ['changed', () => `${path.slice(0, -4)}AAAA`],
    ['for another person', () => path.replace(/preferences\.[^.]+/, `preferences.${btoa(bea).replaceAll('=', '')}`)],
    ['of another purpose', () => signed('unsubscribe', ada, 'weekly')],
    ['for nobody', () => signed('preferences', 'nobody', '')],
    ['garbage', () => '/preferences/garbage'],
  ])('is not there for a link that is %s', async (_name, link) => {
    const target = await link();
    const before = await snapshot();
    for (const action of ['digests', 'export', 'return', 'erase', 'address']) {
      const fields: [string, string][] = [
        ['action', action],
        ['sure', 'yes'],
        ['email', NEW],
      ];
      const response = await post(app, target, fields);
      expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
      expect(await response.text()).not.toContain('reader.example');
    }
    expect((await app.fetch(target)).status).toBe(404);
    expect(await snapshot()).toEqual(before);
  });

  async function signed(purpose: 'unsubscribe' | 'preferences', subject: string, scope: string): Promise<string> {
    return `/preferences/${await app.deps.tokens.sign({ purpose, subject, scope })}`;
  }

  test.each([[[]], [[['action', 'something']]]] as [string, string][][][])('refuses the fields %j', async (fields) => {
    const before = await snapshot();
    const response = await post(app, path, fields);
    expect([response.status, response.headers.get('cache-control')]).toEqual([422, 'no-store']);
    expect(await snapshot()).toEqual(before);
  });
});

describe('digests', () => {
  test('are joined and left at once, with a line each in the record', async () => {
    const response = await choose('other');
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Saved.')]);
    expect(await statusesOf(app, ADA)).toEqual({ weekly: 'unsubscribed', other: 'active' });
    await choose('other');
    await choose();
    await choose('weekly', 'nothing');
    expect(await statusesOf(app, ADA)).toEqual({ weekly: 'active', other: 'unsubscribed' });
    expect((await consentOf(ada)).slice(2)).toEqual([
      'confirmed other preferences',
      'unsubscribed weekly preferences',
      'unsubscribed other preferences',
      'confirmed weekly preferences',
    ]);
    expect(await statusesOf(app, BEA)).toEqual({ weekly: 'active' });
  });

  test('that are gone stay as they were', async () => {
    await app.answer('publication.updated', publicationData({ digests: [] }));
    expect((await choose()).status).toBe(200);
    expect(await statusesOf(app, ADA)).toEqual({ weekly: 'active' });
  });

  test('that were left get no mail any more, also when it is queued already', async () => {
    await app.tick(DUE);
    await choose();
    await app.work();
    expect((await outbox(app)).filter(({ kind }) => kind === 'digest').map(({ to }) => to)).toEqual([BEA]);
  });
});

describe('another address', () => {
  test('gets a mail, and becomes the person’s when the button there is pressed', async () => {
    const response = await move(' ada@NEW.example ');
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('A mail is on its way')]);
    expect(await personOf(ADA)).toBe(ada);
    const link = await confirmPath(app, NEW);
    for (const method of ['GET', 'HEAD']) expect((await app.fetch(link, { method })).status).toBe(200);
    expect(await personOf(ADA)).toBe(ada);
    expect(await (await post(app, link)).text()).toContain('Your address is changed');
    expect([await personOf(ADA), await personOf(NEW)]).toEqual(['', ada]);
    const again = [await post(app, link), await app.fetch(link)];
    expect(again.map(({ status }) => status)).toEqual([200, 200]);
    expect((await consentOf(ada)).slice(2)).toEqual(['address_changed - mail']);
    expect((await app.fetch(path)).status).toBe(200);
    await sendIssue();
    const sent = (await outbox(app)).filter(({ kind }) => kind === 'digest').map(({ to }) => to);
    expect(sent.sort()).toEqual([NEW, BEA]);
  });

  test('that is none is refused, and the field says why', async () => {
    const response = await move('ada@');
    expect([response.status, await response.text()]).toEqual([422, expect.stringContaining('not an email address')]);
    expect(await snapshot().then(({ addressChange }) => addressChange)).toEqual([]);
  });

  test('that somebody else has is not taken, and the answer does not tell', async () => {
    const free = await (await move(NEW)).text();
    const taken = await (await move(BEA)).text();
    expect(taken).toBe(free);
    const before = await snapshot();
    const response = await post(app, await confirmPath(app, BEA));
    expect(response.status).toBe(409);
    expect(await snapshot()).toEqual(before);
    expect([await personOf(ADA), await personOf(BEA)]).toEqual([ada, bea]);
  });

  test('that was only typed into the form and never confirmed is taken over', async () => {
    await ask(app, NEW);
    const other = await personOf(NEW);
    app.clock.now = shift(app.clock.now, 3600);
    await move(NEW);
    expect((await post(app, await confirmPath(app, NEW))).status).toBe(200);
    expect(await personOf(NEW)).toBe(ada);
    expect([await consentOf(other), await statusesOf(app, NEW)]).toEqual([[], { weekly: 'active' }]);
  });

  test('that its holder left with is not', async () => {
    await app.deps.subscriptions.unsubscribe(bea, ['weekly'], { way: 'mail' }, NOW);
    await ask(app, BEA);
    app.clock.now = shift(app.clock.now, 3600);
    await move(BEA);
    expect((await post(app, await confirmPath(app, BEA))).status).toBe(409);
    expect(await personOf(BEA)).toBe(bea);
  });

  test('has seven days', async () => {
    await move(NEW);
    const link = await confirmPath(app, NEW);
    app.clock.now = shift(app.clock.now, 7 * 86_400 + 1);
    expect((await app.fetch(link)).status).toBe(410);
    expect((await post(app, link)).status).toBe(410);
    expect(await personOf(ADA)).toBe(ada);
  });

  test('that was asked for before does not take back a later one', async () => {
    await move('ada@typo.example');
    const typo = await confirmPath(app, 'ada@typo.example');
    await move(NEW);
    await post(app, await confirmPath(app, NEW));
    expect((await post(app, typo)).status).toBe(410);
    expect(await personOf(NEW)).toBe(ada);
  });

  test('cannot be flooded: not in one second, not in an hour, not from one client', async () => {
    const { sent, transport } = recordingTransport();
    app.deps.letters = transport;
    await Promise.all([move(NEW), move(NEW), move(NEW)]);
    expect(new Set(sent.map(({ id, to }) => `${id} ${to}`)).size).toBe(1);
    const before = sent.length;
    app.clock.now = shift(app.clock.now, 60);
    await move(NEW);
    await ask(app, NEW);
    expect(sent).toHaveLength(before);
    app.deps.allowsClient = async () => false;
    const limited = await move('ada@third.example');
    expect([limited.status, sent.length]).toEqual([429, before]);
  });

  test('that is suppressed gets no mail, and the answer does not tell', async () => {
    await operator(app, 'suppressions', { email: NEW });
    expect((await move(NEW)).status).toBe(200);
    expect(await noticesTo(app, NEW)).toEqual([]);
  });
});

describe('the export', () => {
  test('holds everything about the person, and nothing about others', async () => {
    await move(NEW);
    await sendIssue();
    const response = await post(app, path, [['action', 'export']]);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      ...PRIVATE_HEADERS,
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="my-data.json"',
    });
    const text = await response.text();
    expect(JSON.parse(text)).toEqual({
      subscriber: { email: ADA, createdAt: NOW, suppression: null },
      subscriptions: [{ digest: 'weekly', status: 'active', createdAt: NOW, confirmedAt: NOW, unsubscribedAt: null }],
      consent: [
        line({ event: 'requested', textVersion: 1, way: 'form' }),
        line({ event: 'confirmed', textVersion: null, way: 'mail' }),
      ],
      deliveries: [
        {
          digest: 'weekly',
          number: 1,
          revision: 1,
          status: 'sent',
          attempts: 1,
          error: null,
          sentAt: shift(NOW, 7200),
          complainedAt: null,
          updatedAt: shift(NOW, 7200),
        },
      ],
      addressChanges: [{ email: NEW, requestedAt: shift(NOW, 7200) }],
      confirmationMails: [],
    });
    for (const foreign of [BEA, bea]) expect(text).not.toContain(foreign);
  });

  const line = (values: Record<string, unknown>) => ({
    digest: 'weekly',
    network: '203.0.113.0/24',
    proof: null,
    at: NOW,
    ...values,
  });

  test('tells which mails are counted, and what was suppressed', async () => {
    await operator(app, 'suppressions', { email: ADA });
    const response = await post(app, path, [['action', 'export']]);
    expect(await response.json()).toMatchObject({
      subscriber: { suppression: 'manual' },
      confirmationMails: [{ sentAt: NOW }],
    });
  });

  test('needs a POST', async () => {
    const response = await app.fetch(`${path}?action=export`);
    expect(response.headers.get('content-type')).toContain('text/html');
  });
});

describe('erasure', () => {
  test('must be meant', async () => {
    const before = await snapshot();
    const response = await post(app, path, [['action', 'erase']]);
    expect([response.status, await response.text()]).toEqual([422, expect.stringContaining('Tick the box')]);
    expect(await snapshot()).toEqual(before);
  });

  test('removes the address everywhere, and keeps the balance of past issues', async () => {
    await move(NEW);
    await post(app, await confirmPath(app, NEW));
    app.clock.now = shift(app.clock.now, 3600);
    await move('ada@third.example');
    await sendIssue();
    const sums = await balance(app);
    const response = await erase();
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Everything is deleted')]);
    expect(Object.fromEntries(response.headers)).toMatchObject(PRIVATE_HEADERS);
    const rows = await snapshot();
    expect(JSON.stringify(rows)).not.toMatch(/ada@/i);
    await app.tick(shift(DUE, 2 * 86_400));
    const later = JSON.stringify(await snapshot());
    for (const address of [ADA, NEW, 'ada@third.example'])
      expect(later).not.toContain(await app.deps.hashes.address(address));
    expect(JSON.stringify({ ...rows, delivery: [] })).not.toContain(ada);
    expect(await balance(app)).toEqual(sums);
    expect(rows.subscriber).toEqual([expect.objectContaining({ email: BEA })]);
    expect(await consentOf(bea)).toHaveLength(2);
    expect([(await app.fetch(path)).status, (await erase()).status]).toEqual([404, 404]);
  });

  test('keeps the promise never to mail a suppressed address, by its hash alone', async () => {
    await operator(app, 'suppressions', { email: ADA });
    await erase();
    const rows = await snapshot();
    expect(rows.suppression).toEqual([
      { addressHash: await app.deps.hashes.address(ADA), reason: 'manual', createdAt: shift(NOW, 7200) },
    ]);
    expect(JSON.stringify(rows)).not.toContain('ada@');
    await ask(app, ADA);
    await ask(app, 'ADA@reader.example');
    expect([await noticesTo(app, ADA), await noticesTo(app, 'ADA@reader.example')]).toEqual([[], []]);
  });

  test('of an active person leaves a new request as good as any', async () => {
    await erase();
    await ask(app, ADA);
    expect(await statusesOf(app, ADA)).toEqual({ weekly: 'pending' });
    expect(await noticesTo(app, ADA)).toHaveLength(1);
  });

  test('between planning and sending, the mail is not made; the balance still holds', async () => {
    await app.tick(DUE);
    app.deps.deliveries = interrupted(app.deps.deliveries, 'lease', erase);
    await app.work();
    expect(await deliveries()).toEqual({ [ada]: 'unsubscribed', [bea]: 'sent' });
    expect((await balance(app)).audience).toBe(2);
  });

  test('while the mail is on its way, it arrives, and the delivery is counted', async () => {
    await app.tick(DUE);
    const { sent, transport } = recordingTransport();
    app.deps.transport = sharing(transport, (session) => interrupted(session, 'send', erase));
    await app.work();
    expect(sent.map(({ to }) => to).toSorted((one, other) => one.localeCompare(other))).toEqual([ADA, BEA]);
    expect(await deliveries()).toEqual({ [ada]: 'sent', [bea]: 'sent' });
    expect(JSON.stringify(await snapshot(['outbox']))).not.toContain(ADA);
  });
});

describe('a suppressed address', () => {
  test('gets nothing, whatever is chosen, until its holder returns', async () => {
    await operator(app, 'suppressions', { email: 'Ada@READER.example' });
    await choose('weekly', 'other');
    expect(await (await app.fetch(path)).text()).toContain('Mail to this address was stopped');
    await sendIssue();
    expect((await outbox(app)).filter(({ kind }) => kind === 'digest').map(({ to }) => to)).toEqual([BEA]);
    const response = await post(app, path, [['action', 'return']]);
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Welcome back')]);
    await post(app, path, [['action', 'return']]);
    expect((await snapshot()).suppression).toEqual([]);
    expect((await consentOf(ada)).slice(2)).toEqual(['confirmed other preferences', 'returned - preferences']);
  });

  test('is returned by its own holder alone', async () => {
    await operator(app, 'suppressions', { email: BEA });
    await post(app, path, [['action', 'return']]);
    expect((await snapshot()).suppression).toHaveLength(1);
    expect(await consentOf(ada)).toHaveLength(2);
  });

  test('is hashed with a key', async () => {
    const hash = await app.deps.hashes.address(ADA);
    const plain = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(ADA));
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hash).not.toBe([...new Uint8Array(plain)].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
  });
});

test('no address is logged, nor in a URL, when everything fails', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const kept = app.deps.log;
  app.deps.log = (message, context) => {
    kept(message, context);
    logError(message, context);
  };
  const away = sharing(app.deps.transport, (session) => stopBefore(session, 'send', 99));
  Object.assign(app.deps, { transport: away, letters: away });
  expect((await move(NEW)).status).toBe(500);
  await ask(app, 'cyd@reader.example');
  await sendIssue();
  app.deps.people = stopBefore(app.deps.people, 'erase', 99);
  expect((await erase()).status).toBe(500);
  await env.DB.prepare('DROP TABLE consent').run();
  await ask(app, 'dan@reader.example');
  expect((await choose('other')).status).toBe(500);
  expect(app.logged.length).toBeGreaterThan(4);
  expect(printed).toHaveBeenCalledTimes(app.logged.length);
  const all = loggedText(app) + JSON.stringify(printed.mock.calls);
  printed.mockRestore();
  expect(all).not.toMatch(/reader\.example|new\.example|preferences\/v1/);
});
