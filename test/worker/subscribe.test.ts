import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { shift } from '../../src/domain/time.ts';
import { tokens } from '../../src/platform/tokens.ts';
import { turnstile } from '../../src/platform/turnstile.ts';
import { NOW, type TestApp, testApp } from '../support/app.ts';
import { publicationData } from '../support/content.ts';
import { countingDatabase } from '../support/database.ts';
import { DUE, mailTo, outbox, sharing, stopAfter, stopBefore, workNext } from '../support/newsroom.ts';
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
  readingRoom,
  shownAgo,
  statusesOf,
  subscribe,
} from '../support/readers.ts';

const ADA = 'ada@reader.example';

let app: TestApp;

beforeEach(async () => {
  app = await readingRoom();
});

function json(body: unknown, on = app): Promise<Response> {
  return on.fetch('/subscribe', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'cf-connecting-ip': '2001:db8:77:1::5' },
    body: JSON.stringify(body),
  });
}

test('a sender with an international name is written in ASCII, in headers and for the transport', async () => {
  const addresses = { sender: { name: 'Tide Notes', email: 'letters@häfen.example' }, replyTo: 'desk@häfen.example' };
  await app.answer('publication.updated', publicationData(addresses));
  await ask(app, ADA);
  const { from, replyTo } = await mailTo(app, ADA);
  const [kept] = await outbox(app);
  expect([from?.address, replyTo?.[0]?.address, kept?.from]).toEqual([
    'letters@xn--hfen-loa.example',
    'desk@xn--hfen-loa.example',
    'letters@xn--hfen-loa.example',
  ]);
});

describe('a request', () => {
  test('by the form makes a pending subscription, its line in the record and one mail', async () => {
    const response = await subscribe(app, ADA);
    expect([response.status, response.headers.get('location')]).toEqual([200, null]);
    expect(await response.text()).toContain('Look into your mailbox');
    await app.work();
    expect(await statusesOf(app, ADA)).toEqual({ weekly: 'pending' });
    const { results } = await env.DB.prepare('SELECT * FROM consent').all();
    expect(results).toEqual([
      {
        id: 1,
        subscriberId: await personOf(ADA),
        event: 'requested',
        digest: 'weekly',
        textVersion: 1,
        way: 'form',
        network: '203.0.113.0/24',
        proof: null,
        at: NOW,
      },
    ]);
    const mail = await mailTo(app, ADA);
    expect(mail.text).toContain('http://localhost:8787/confirm/');
    expect(mail.html).toContain('http://localhost:8787/confirm/');
    expect(mail.to).toEqual([{ address: ADA, name: '' }]);
  });

  test('by JSON is accepted and recorded as such', async () => {
    const response = await json({ email: ADA, digests: ['weekly', 'other', 'weekly'], consent: 1 });
    expect([response.status, await response.json()]).toEqual([202, { outcome: 'accepted' }]);
    await app.work();
    expect(await statusesOf(app, ADA)).toEqual({ weekly: 'pending', other: 'pending' });
    expect(new Set(await consentOf(await personOf(ADA)))).toEqual(
      new Set(['requested weekly api', 'requested other api']),
    );
    const row = await env.DB.prepare('SELECT DISTINCT network, textVersion FROM consent').first();
    expect(row).toEqual({ network: '2001:db8:77::/48', textVersion: 1 });
  });

  test('for several digests gets one mail that names them', async () => {
    await ask(app, ADA, ['weekly', 'other']);
    const { text } = await mailTo(app, ADA);
    expect(text).toContain('The week');
    expect(text).toContain('The other one');
    expect(await noticesTo(app, ADA)).toHaveLength(1);
  });

  test.each([
    [' Ada+tag@BÜCHER.Example ', 'Ada+tag@xn--bcher-kva.example'],
    ['ada@READER.example', ADA],
  ])('for %s is one for %s', async (typed, normal) => {
    await ask(app, typed);
    expect(await statusesOf(app, normal)).toEqual({ weekly: 'pending' });
  });

  test.each<[string, string, string[], Record<string, string>, string]>([
    ['no address', '', ['weekly'], {}, 'Please enter an address'],
    ['a broken address', 'ada@', ['weekly'], {}, 'Please enter an address'],
    [
      'a header in the address',
      'ada@reader.example\r\nBcc: eve@reader.example',
      ['weekly'],
      {},
      'Please enter an addr',
    ],
    ['no digest', ADA, [], {}, 'Please choose at least one digest'],
    ['an unknown digest', ADA, ['weekly', 'nothing'], {}, 'Please choose at least one digest'],
    ['a consent text that there is not', ADA, ['weekly'], { consent: '99' }, 'Please press the button once more'],
    ['no form token', ADA, ['weekly'], { form: '' }, 'Please press the button once more'],
  ])('with %s is told so, and nothing happens', async (_name, email, digests, changes, message) => {
    const response = await subscribe(app, email, digests, changes);
    expect(response.status).toBe(422);
    expect(await response.text()).toContain(message);
    expect(app.jobs).toEqual([]);
  });

  test.each<[unknown, string[]]>([
    [undefined, ['']],
    [[], ['']],
    [{}, ['/email', '/digests']],
    [{ email: 1, digests: 'weekly', more: true }, ['/email', '/digests', '/more']],
    [{ email: 'ada', digests: [] }, ['/email', '/digests']],
    [{ email: ADA, digests: ['nothing'], consent: 2 }, ['/digests', '/consent']],
  ])('with the JSON %j is refused and names %j', async (body, pointers) => {
    const response = await json(body);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      422,
      'application/problem+json; charset=utf-8',
    ]);
    const { errors } = await response.json<{ errors: { pointer: string }[] }>();
    expect(new Set(errors.map(({ pointer }) => pointer))).toEqual(new Set(pointers));
    expect(app.jobs).toEqual([]);
  });
});

describe('one mailbox in other capitals', () => {
  test('is one subscriber, who gets mail as they typed it first', async () => {
    await join(app, 'Ada.Lovelace@reader.example');
    app.clock.now = shift(NOW, 7200);
    await subscribe(app, 'ada.lovelace@READER.example', ['other']);
    await app.work();
    const { results } = await env.DB.prepare('SELECT email FROM subscriber').all();
    expect(results).toEqual([{ email: 'Ada.Lovelace@reader.example' }]);
    await post(app, await confirmPath(app, 'Ada.Lovelace@reader.example'));
    expect(await statusesOf(app, 'Ada.Lovelace@reader.example')).toEqual({ weekly: 'active', other: 'active' });
  });

  test('that has it already hears nothing more', async () => {
    await join(app, 'Ada@reader.example');
    app.clock.now = shift(NOW, 7200);
    const before = (await outbox(app)).length;
    await ask(app, ADA);
    expect(await outbox(app)).toHaveLength(before);
  });

  test('asked for twice at once makes one', async () => {
    await Promise.all([ask(app, 'Ada@reader.example'), ask(app, 'ADA@reader.example')]);
    expect(await env.DB.prepare('SELECT count(*) AS people FROM subscriber').first('people')).toBe(1);
  });
});

describe('robots', () => {
  test('that fill in the hidden field are told that all is well', async () => {
    const honest = await subscribe(app, ADA, ['weekly']);
    app.jobs.length = 0;
    const robot = await subscribe(app, ADA, ['weekly'], { website: 'https://spam.example' });
    expect([robot.status, await robot.text()]).toEqual([200, await honest.text()]);
    expect(app.jobs).toEqual([]);
  });

  test.each<[string, () => Promise<string>, number]>([
    ['two seconds old', () => shownAgo(app, 2), 200],
    ['a day old', () => shownAgo(app, 86_400), 200],
    ['too young', () => shownAgo(app, 1), 422],
    ['from the future', () => shownAgo(app, -60), 422],
    ['changed', async () => `${(await shownAgo(app, 10)).slice(0, -4)}AAAA`, 422],
    ['of another purpose', () => app.deps.tokens.sign({ purpose: 'preferences', subject: NOW, scope: '' }), 422],
    ['of somebody else', () => stranger().sign({ purpose: 'form', subject: shift(NOW, -10), scope: '' }), 422],
  ])('and a form token that is %s', async (_name, token, status) => {
    const response = await subscribe(app, ADA, ['weekly'], { form: await token() });
    expect([response.status, app.jobs.length]).toEqual([status, status === 200 ? 1 : 0]);
  });

  const stranger = () => tokens([{ id: 'k2', secret: 'a secret that somebody else has made up' }]);

  test('fail at Turnstile, and nothing happens', async () => {
    app.deps.isHuman = async (response) => response === 'good';
    expect((await subscribe(app, ADA)).status).toBe(422);
    expect((await subscribe(app, ADA, ['weekly'], { 'cf-turnstile-response': 'bad' })).status).toBe(422);
    const refused = await json({ email: ADA, digests: ['weekly'] });
    expect([refused.status, (await refused.json<{ errors: { pointer: string }[] }>()).errors[0]?.pointer]).toEqual([
      422,
      '/turnstile',
    ]);
    expect(app.jobs).toEqual([]);
    expect((await subscribe(app, ADA, ['weekly'], { 'cf-turnstile-response': 'good' })).status).toBe(200);
    expect((await json({ email: ADA, digests: ['weekly'], turnstile: 'good' })).status).toBe(202);
    expect(app.jobs).toHaveLength(2);
  });

  test.each<[string, string | undefined, string, () => Promise<Response>, boolean]>([
    ['a good response', 'secret', 'r', async () => Response.json({ success: true }), true],
    ['a bad response', 'secret', 'r', async () => Response.json({ success: false }), false],
    ['an answer of another kind', 'secret', 'r', async () => Response.json({ success: 'true' }), false],
    ['an answer that is no JSON', 'secret', 'r', async () => new Response('<html>'), false],
    ['a server error', 'secret', 'r', async () => Response.json({ success: true }, { status: 500 }), false],
    ['no answer in time', 'secret', 'r', () => Promise.reject(new DOMException('slow', 'TimeoutError')), false],
    ['no response to ask about', 'secret', '', async () => Response.json({ success: true }), false],
    ['no key', undefined, '', () => Promise.reject(new Error('asked')), true],
  ])('Turnstile with %s', async (_name, secret, response, answer, human) => {
    const asked: { url: string; body: string; limited: boolean }[] = [];
    const send = async (url: unknown, init?: RequestInit) => {
      asked.push({ url: String(url), body: String(init?.body), limited: init?.signal instanceof AbortSignal });
      return answer();
    };
    expect(await turnstile(secret, send as typeof fetch)(response)).toBe(human);
    const expected = {
      url: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
      body: 'secret=secret&response=r',
      limited: true,
    };
    expect(asked).toEqual(secret && response ? [expected] : []);
  });

  test('meet Turnstile on the one page with its form, where its keys are set', async () => {
    const before = await app.fetch('/subscribe');
    expect(before.headers.get('content-security-policy')).not.toContain('challenges');
    app.deps.config = { ...app.deps.config, turnstileSiteKey: 'site-key-1', turnstileSecretKey: 'secret' };
    const page = await app.fetch('/subscribe');
    expect(page.headers.get('content-security-policy')).toContain('script-src https://challenges.cloudflare.com');
    expect(await page.text()).toContain('site-key-1');
    expect((await app.fetch('/')).headers.get('content-security-policy')).not.toContain('challenges');
  });
});

describe('limits', () => {
  test('a client that asks too often gets 429, and nothing happens', async () => {
    const asked: string[] = [];
    app.deps.allowsClient = async (client) => {
      asked.push(client);
      return false;
    };
    const form = await subscribe(app, ADA);
    expect([form.status, form.headers.get('cache-control')]).toEqual([429, 'no-store']);
    expect(await form.text()).toContain('There were too many tries');
    const program = await json({ email: ADA, digests: ['weekly'] });
    expect([program.status, program.headers.get('content-type')]).toEqual([
      429,
      'application/problem+json; charset=utf-8',
    ]);
    expect(asked).toEqual(['203.0.113.9', '2001:db8:77:1::5']);
    expect(app.jobs).toEqual([]);
  });

  test("Cloudflare's binding counts ten a minute for each client", async () => {
    const { allowsClient } = testApp().deps;
    const client = crypto.randomUUID();
    const answers = [];
    for (let count = 0; count < 11; count += 1) answers.push(await allowsClient(client));
    expect(answers).toEqual([...Array.from({ length: 10 }, () => true), false]);
    expect(await allowsClient(crypto.randomUUID())).toBe(true);
  });

  test('an address gets one mail an hour and three a day, whatever is asked for', async () => {
    const mailsAt: [number, number][] = [];
    const hours: [number, string, string[]][] = [
      [0, ADA, ['weekly']],
      [0.5, ADA, ['other']],
      [0.9, 'ADA@reader.example', ['weekly']],
      [1, ADA, ['weekly', 'other']],
      [2, ADA, ['weekly']],
      [3, ADA, ['weekly']],
      [23.9, ADA, ['other']],
      [24, ADA, ['other']],
    ];
    for (const [hour, email, digests] of hours) {
      app.clock.now = shift(NOW, hour * 3600);
      await ask(app, email, digests);
      mailsAt.push([hour, (await outbox(app)).length]);
    }
    expect(mailsAt).toEqual([
      [0, 1],
      [0.5, 1],
      [0.9, 1],
      [1, 2],
      [2, 3],
      [3, 3],
      [23.9, 3],
      [24, 4],
    ]);
  });
});

describe('the job behind a request', () => {
  test('that is done twice sends one mail and writes one line', async () => {
    await subscribe(app, ADA);
    const [job] = app.jobs;
    await workNext(app, job);
    await workNext(app, job);
    expect(await noticesTo(app, ADA)).toHaveLength(1);
    expect(await consentOf(await personOf(ADA))).toEqual(['requested weekly form']);
  });

  test('that comes again late does not undo what was done since', async () => {
    await subscribe(app, ADA);
    const [job] = app.jobs;
    await app.work();
    const path = await confirmPath(app, ADA);
    await post(app, path);
    await app.deps.subscriptions.unsubscribe(await personOf(ADA), ['weekly'], { way: 'mail' }, NOW);
    app.clock.now = shift(NOW, 600);
    await workNext(app, job);
    expect(await statusesOf(app, ADA)).toEqual({ weekly: 'unsubscribed' });
    expect((await app.fetch(path)).status).toBe(410);
  });

  test.each([
    ['before', stopBefore],
    ['after', stopAfter],
  ])('that dies %s the mail is sent is retried, mails once, and logs no address', async (_name, stop) => {
    app.deps.letters = sharing(app.deps.letters, (session) => stop(session, 'send'));
    await subscribe(app, ADA);
    const [job] = app.jobs;
    const first = await workNext(app);
    expect(first.retryMessages).toHaveLength(1);
    app.clock.now = shift(NOW, 30);
    const second = await workNext(app, job);
    expect(second.retryMessages).toEqual([]);
    expect(await noticesTo(app, ADA)).toHaveLength(1);
    expect(app.logged).toHaveLength(1);
    expect(loggedText(app)).not.toContain('reader.example');
  });
});

describe('whether an address is known', () => {
  const states: Record<string, (email: string) => Promise<unknown>> = {
    new: async () => undefined,
    pending: (email) => ask(app, email),
    active: (email) => join(app, email),
    unsubscribed: async (email) => {
      await app.deps.subscriptions.unsubscribe(await join(app, email), ['weekly'], { way: 'mail' }, NOW);
    },
    suppressed: (email) => operator(app, 'suppressions', { email }),
  };

  /** All that a stranger could tell of the answer, and the work behind it. */
  async function traces(email: string, request: (on: TestApp) => Promise<Response>) {
    const { counted, db } = countingDatabase();
    const watched = testApp({ db });
    watched.deps.allowsClient = async () => true;
    const response = await request(watched);
    const text = await response.text();
    return {
      statements: counted.statements,
      jobs: JSON.stringify(watched.jobs).replaceAll(email, 'EMAIL'),
      status: response.status,
      headers: [...response.headers],
      text: text.replaceAll(/v1\.k2\.form\.[\w.-]+/g, 'TOKEN').replaceAll(email, 'EMAIL'),
    };
  }

  test.each([
    ['the form', (email: string) => (on: TestApp) => subscribe(on, email)],
    ['JSON', (email: string) => (on: TestApp) => json({ email, digests: ['weekly'], consent: 1 }, on)],
  ])('%s does not tell: the same statements, the same queue work, the same answer', async (_name, request) => {
    const seen = [];
    for (const [state, prepare] of Object.entries(states)) {
      const email = `${state}@reader.example`;
      await prepare(email);
      seen.push(await traces(email, request(email)));
    }
    expect(seen).toHaveLength(5);
    for (const each of seen) expect(each).toEqual(seen[0]);
    expect(seen[0]).toMatchObject({ statements: 1, jobs: expect.stringContaining('"subscribe"') });
  });

  test.each([
    ['active', 'active', 0],
    ['suppressed', 'pending', 0],
    ['unsubscribed', 'pending', 1],
    ['new', 'pending', 1],
  ])('decides the mail: %s is %s afterwards and gets %i', async (state, after, mails) => {
    const email = `${state}@reader.example`;
    await states[state]?.(email);
    const before = (await noticesTo(app, email)).length;
    app.clock.now = shift(NOW, 2 * 3600);
    await ask(app, email);
    expect(await statusesOf(app, email)).toEqual({ weekly: after });
    expect((await noticesTo(app, email)).length - before).toBe(mails);
  });
});

describe('pages', () => {
  test('of the publication carry the box, with a token that works two seconds later', async () => {
    app = await readingRoom(['one']);
    await join(app, ADA);
    await app.tick(DUE);
    await app.work();
    for (const path of ['/', '/articles/letter-one', '/issues/weekly/1', '/subscribe']) {
      const html = await (await app.fetch(path)).text();
      const token = /name="form" value="([^"]+)"/.exec(html)?.[1] ?? '';
      expect(html).toContain('action="/subscribe"');
      app.jobs.length = 0;
      expect((await subscribe(app, ADA, ['weekly'], { form: token })).status).toBe(422);
      app.clock.now = shift(app.clock.now, 2);
      expect((await subscribe(app, ADA, ['weekly'], { form: token })).status).toBe(200);
      expect(app.jobs).toHaveLength(1);
    }
  });

  test('keep their ETag while the token changes, and answer 304', async () => {
    const first = await app.fetch('/');
    app.clock.now = shift(NOW, 60);
    const second = await app.fetch('/');
    expect(await second.text()).not.toBe(await first.text());
    const etag = first.headers.get('etag') ?? '';
    expect([etag.startsWith('W/"'), second.headers.get('etag')]).toEqual([true, etag]);
    const third = await app.fetch('/', { headers: { 'If-None-Match': etag } });
    expect([third.status, await third.text()]).toEqual([304, '']);
  });

  test('with forms take no long bodies', async () => {
    const long = 'x'.repeat(65_536);
    for (const path of ['/subscribe', '/confirm/x', '/unsubscribe/x', '/preferences/x'])
      expect((await post(app, path, [['email', long]])).status).toBe(413);
    expect((await json({ email: long, digests: ['weekly'] })).status).toBe(413);
    expect(app.jobs).toEqual([]);
  });

  test('with the form are private and set no cookie', async () => {
    for (const response of [await app.fetch('/subscribe'), await subscribe(app, ADA), await subscribe(app, '')]) {
      expect(Object.fromEntries(response.headers)).toMatchObject(PRIVATE_HEADERS);
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(response.headers.get('set-cookie')).toBeNull();
    }
  });

  test('have no form while there is nothing to subscribe to', async () => {
    await app.answer('publication.updated', publicationData({ digests: [] }));
    expect((await app.fetch('/subscribe')).status).toBe(404);
    expect((await json({ email: ADA, digests: ['weekly'] })).status).toBe(404);
    expect(app.jobs).toEqual([]);
  });
});
