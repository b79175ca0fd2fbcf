import { beforeEach, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { articleData } from '../support/content.ts';
import { page, problemOf } from '../support/documents.ts';
import { addReaders, newsroom, outbox } from '../support/newsroom.ts';
import { TEST_SECRETS } from '../support/secrets.ts';

const SUBJECT = 'Où est « la mer » ? 海';
const ADMIN = { Authorization: `Bearer ${TEST_SECRETS.ADMIN_TOKEN}` };

let app: TestApp;

beforeEach(async () => {
  app = await newsroom({
    articles: ['one'],
    settings: { title: 'Té Notes', sender: { name: 'Té Notes', email: 'letters@news.example' } },
  });
  await addReaders(['ada']);
  await app.answer('digest.run', { digest: 'weekly', subject: SUBJECT });
  await app.work();
});

async function onlyId(): Promise<string> {
  const [mail] = await outbox(app);
  if (!mail) throw new Error('nothing was mailed');
  return mail.id;
}

async function paths(): Promise<string[]> {
  const id = await onlyId();
  return [
    '/outbox',
    '/outbox.json',
    `/outbox/${id}`,
    `/outbox/${id}.eml`,
    `/outbox/${id}/html`,
    '/outbox/nothing',
    '/outbox/',
  ];
}

test('the list as JSON', async () => {
  const response = await app.fetch('/outbox.json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toEqual({
    messages: [
      {
        id: expect.any(String),
        to: 'ada@reader.example',
        from: 'letters@news.example',
        subject: SUBJECT,
        messageId: '<weekly.1.1.ada@news.example>',
        kind: 'digest',
        digest: 'weekly',
        issue: 1,
        revision: 1,
        createdAt: app.clock.now,
      },
    ],
  });
});

test('newest first', async () => {
  app.clock.now = '2026-06-12T12:01:00Z';
  await app.answer('article.published', articleData('two'));
  await app.answer('digest.run', { digest: 'weekly', subject: 'Second' });
  await app.work();
  const { messages } = await (await app.fetch('/outbox.json')).json<{ messages: { subject: string }[] }>();
  expect(messages.map(({ subject }) => subject)).toEqual(['Second', SUBJECT]);
});

test('the raw message is exact to the byte', async () => {
  const [mail] = await outbox(app);
  const response = await app.fetch(`/outbox/${mail?.id}.eml`);
  expect(response.headers.get('content-type')).toBe('message/rfc822');
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(bytes).toEqual(new TextEncoder().encode(mail?.raw));
  const text = new TextDecoder().decode(bytes);
  expect(text).toMatch(/^[A-Za-z-]+: /);
  expect(text).not.toMatch(/[^\r]\n/);
});

test('a message page shows its header decoded, its text, and its HTML in a frame', async () => {
  const id = await onlyId();
  const { status, headers, text } = await page(app, `/outbox/${id}`);
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-robots-tag')).toBe('noindex');
  expect(headers.get('content-security-policy')).not.toContain('unsafe');
  expect(text).toContain('<dt>List-Unsubscribe-Post</dt><dd>List-Unsubscribe=One-Click</dd>');
  expect(text).toContain(`<dt>Subject</dt><dd>${SUBJECT}</dd>`);
  expect(text).toMatch(/<dt>From<\/dt><dd>(&quot;)?Té Notes(&quot;)? &lt;letters@news\.example&gt;<\/dd>/);
  expect(text).not.toContain('=?');
  expect(text).toContain(`src="/outbox/${id}/html"`);
  expect(text).toContain('sandbox=""');
  expect(text).toContain('Letter one');
});

test('the HTML part is served as it was mailed, running nothing', async () => {
  const { status, headers, text } = await page(app, `/outbox/${await onlyId()}/html`);
  expect(status).toBe(200);
  expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'self'/);
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(text).toContain('Letter one');
});

test.each(['/outbox/nothing', '/outbox/nothing.eml', '/outbox/nothing/html', '/outbox/%FF'])(
  '%s is not there',
  async (path) => {
    expect((await page(app, path)).status).toBe(404);
  },
);

test.each(['http://localhost:8787', 'http://127.0.0.1:8787', 'http://[::1]:8787'])('%s may look', async (origin) => {
  for (const path of await paths()) expect((await app.fetch(`${origin}${path}`)).status).not.toBe(401);
});

test.each([
  ['another host than this machine', 'http://localhost:8787/', 'http://192.168.1.7:8787'],
  ['a host that only begins like it', 'http://localhost:8787/', 'http://localhost.attacker.example'],
  ['a deployment', 'https://tide.example/', 'https://tide.example'],
  ['a deployment asked as localhost', 'https://tide.example/', 'http://localhost:8787'],
])('%s: only with the admin token', async (_, baseUrl, origin) => {
  const asked = await paths();
  app = testApp({ baseUrl });
  for (const path of asked) {
    expect((await problemOf(await app.fetch(`${origin}${path}`))).status).toBe(401);
    const wrong = await app.fetch(`${origin}${path}`, { headers: { Authorization: `${ADMIN.Authorization}x` } });
    expect(wrong.status).toBe(401);
    const publisher = await app.fetch(`${origin}${path}`, {
      headers: { Authorization: `Bearer ${TEST_SECRETS.PUBLISH_TOKEN}` },
    });
    expect(publisher.status).toBe(401);
    expect((await app.fetch(`${origin}${path}`, { headers: ADMIN })).status).not.toBe(401);
  }
});
