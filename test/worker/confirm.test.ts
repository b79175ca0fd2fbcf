import { env } from 'cloudflare:workers';
import PostalMime from 'postal-mime';
import { beforeEach, describe, expect, test } from 'vitest';
import { shift } from '../../src/domain/time.ts';
import { tokens } from '../../src/platform/tokens.ts';
import { NOW, type TestApp } from '../support/app.ts';
import { digestData, publicationData } from '../support/content.ts';
import { snapshot } from '../support/database.ts';
import { DUE, deliveries, outbox, ownLinks, WEEK_LATER } from '../support/newsroom.ts';
import {
  ask,
  confirmPath,
  consentOf,
  join,
  PRIVATE_HEADERS,
  personOf,
  post,
  preferencesPath,
  readingRoom,
  statusesOf,
} from '../support/readers.ts';

const ADA = 'ada@reader.example';
const WEEK = 7 * 86_400;

let app: TestApp;

beforeEach(async () => {
  app = await readingRoom(['one']);
});

test('a scanner that follows every link of every mail twice changes nothing; then a click works', async () => {
  const bea = await join(app, 'bea@reader.example');
  await app.tick(DUE);
  await app.work();
  await ask(app, ADA, ['weekly', 'other']);
  await post(app, await preferencesPath(app, 'bea@reader.example'), [
    ['action', 'address'],
    ['email', 'bea@new.example'],
  ]);
  const mails = await outbox(app);
  expect(mails.map(({ to }) => to).sort()).toEqual([
    ADA,
    'bea@new.example',
    'bea@reader.example',
    'bea@reader.example',
  ]);
  const links = (await Promise.all(mails.map(({ raw }) => PostalMime.parse(raw)))).flatMap(ownLinks);
  for (const kind of ['confirm', 'unsubscribe', 'preferences']) {
    expect(links.filter((link) => new URL(link).pathname.startsWith(`/${kind}/`))).not.toEqual([]);
  }
  const before = await snapshot();
  for (const link of [...links, ...links]) {
    for (const method of ['GET', 'HEAD']) expect((await app.fetch(link, { method })).status).toBe(200);
  }
  expect(await snapshot()).toEqual(before);
  expect(app.jobs).toEqual([]);

  expect((await post(app, await confirmPath(app, ADA))).status).toBe(200);
  expect(await statusesOf(app, ADA)).toEqual({ weekly: 'active', other: 'active' });
  expect((await post(app, await confirmPath(app, 'bea@new.example'))).status).toBe(200);
  expect(await personOf('bea@new.example')).toBe(bea);
});

describe('the link', () => {
  test('opens a page with one button that names what it is for', async () => {
    await ask(app, ADA, ['weekly', 'other']);
    const response = await app.fetch(await confirmPath(app, ADA));
    expect(Object.fromEntries(response.headers)).toMatchObject(PRIVATE_HEADERS);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('set-cookie')).toBeNull();
    const html = await response.text();
    expect(html).toContain('The week');
    expect(html).toContain('The other one');
    expect(html.match(/<form[^>]*method="post".*?<\/form>/gs)?.[0]).toMatch(/^<form method="post"><button/);
    expect(html).not.toContain(ADA);
  });

  test('confirms by POST, shows the latest issue, and is recorded', async () => {
    await join(app, 'bea@reader.example');
    await app.tick(DUE);
    await app.work();
    app.clock.now = DUE;
    await ask(app, ADA);
    const response = await post(app, await confirmPath(app, ADA));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject(PRIVATE_HEADERS);
    expect(await response.text()).toContain('http://localhost:8787/issues/weekly/1');
    expect(await consentOf(await personOf(ADA))).toEqual(['requested weekly form', 'confirmed weekly mail']);
    const row = await env.DB.prepare(
      `SELECT event, network, at FROM consent WHERE subscriberId = ? AND event = 'confirmed'`,
    )
      .bind(await personOf(ADA))
      .first();
    expect(row).toEqual({ event: 'confirmed', network: '203.0.113.0/24', at: DUE });
  });

  test('is harmless when it is used again, also at the same time', async () => {
    await ask(app, ADA);
    const path = await confirmPath(app, ADA);
    const both = await Promise.all([post(app, path), post(app, path)]);
    const rows = await snapshot();
    app.clock.now = shift(NOW, 2 * WEEK);
    const later = [await post(app, path), await app.fetch(path)];
    expect([...both, ...later].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await snapshot()).toEqual(rows);
    expect(await consentOf(await personOf(ADA))).toEqual(['requested weekly form', 'confirmed weekly mail']);
  });

  test('works for seven days, and then says kindly what to do', async () => {
    await ask(app, ADA);
    const path = await confirmPath(app, ADA);
    app.clock.now = shift(NOW, WEEK);
    expect((await app.fetch(path)).status).toBe(200);
    app.clock.now = shift(NOW, WEEK + 1);
    for (const response of [await app.fetch(path), await post(app, path)]) {
      expect(response.status).toBe(410);
      expect(Object.fromEntries(response.headers)).toMatchObject(PRIVATE_HEADERS);
      const html = await response.text();
      expect(html).toContain('This link is too old');
      expect(html).toContain('action="/subscribe"');
    }
    expect(await statusesOf(app, ADA)).toEqual({ weekly: 'pending' });
  });

  test('does not bring back who left after it was used, or before', async () => {
    const id = await join(app, ADA, ['weekly', 'other']);
    const path = await confirmPath(app, ADA);
    await app.deps.subscriptions.unsubscribe(id, ['weekly', 'other'], { way: 'one-click' }, NOW);
    expect((await post(app, path)).status).toBe(410);
    expect(await statusesOf(app, ADA)).toEqual({ weekly: 'unsubscribed', other: 'unsubscribed' });
  });

  test.each<[string, () => Promise<string>]>([
    ['changed', async () => `${(await confirmPath(app, ADA)).slice(0, -4)}AAAA`],
    ['for another person', async () => (await confirmPath(app, ADA)).replace(/confirm\.[^.]+/, 'confirm.YmVh')],
    ['for another digest', async () => (await confirmPath(app, ADA)).replace('.d2Vla2x5.', '.b3RoZXI.')],
    ['without its end', async () => (await confirmPath(app, ADA)).replace(/\.\d+\./, '.')],
    ['of another purpose', () => path('unsubscribe', 'weekly')],
    ['for the preferences', () => path('preferences', '')],
    ['for a form', () => path('form', '')],
    ['of somebody else', async () => `/confirm/${await forged()}`],
    ['garbage', async () => '/confirm/garbage'],
  ])('%s is nobody’s: 404, and nothing changes', async (_name, link) => {
    await ask(app, ADA);
    const before = await snapshot();
    const target = await link();
    for (const response of [await app.fetch(target), await post(app, target)]) {
      expect(response.status).toBe(404);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.text()).toContain('This link is not one of ours');
    }
    expect(await snapshot()).toEqual(before);
  });

  async function path(purpose: 'unsubscribe' | 'preferences' | 'form', scope: string): Promise<string> {
    return `/confirm/${await app.deps.tokens.sign({ purpose, subject: await personOf(ADA), scope })}`;
  }

  async function forged(): Promise<string> {
    const stranger = tokens([{ id: 'k2', secret: 'a secret that somebody else has made up' }]);
    return stranger.sign({ purpose: 'confirm', subject: await personOf(ADA), scope: 'weekly', expiresAt: DUE });
  }

  test('leaves out a digest that is gone', async () => {
    await ask(app, ADA, ['weekly', 'other']);
    const link = await confirmPath(app, ADA);
    await app.answer('publication.updated', publicationData({ digests: [digestData()] }));
    expect(await (await app.fetch(link)).text()).not.toContain('<li>other');
    expect((await post(app, link)).status).toBe(200);
    expect(await statusesOf(app, ADA)).toEqual({ weekly: 'active', other: 'pending' });
    await app.answer('publication.updated', publicationData({ digests: [digestData({ id: 'new' })] }));
    expect((await post(app, link)).status).toBe(410);
  });

  test('confirms, and mail still stays away from an address that is suppressed', async () => {
    await ask(app, ADA);
    await app.deps.suppressions.add(await app.deps.hashes.address(ADA), 'complaint', NOW);
    expect((await post(app, await confirmPath(app, ADA))).status).toBe(200);
    await app.tick(DUE);
    await app.work();
    expect((await outbox(app)).filter(({ kind }) => kind === 'digest')).toEqual([]);
  });
});

describe('who does not confirm', () => {
  test('gets no issue', async () => {
    await join(app, 'bea@reader.example');
    await ask(app, ADA);
    await app.tick(DUE);
    await app.work();
    expect(await deliveries()).toEqual({ [await personOf('bea@reader.example')]: 'sent' });
  });

  test('is deleted after 30 days, with the record', async () => {
    await ask(app, ADA);
    await join(app, 'bea@reader.example');
    const before = await snapshot(['occurrence', 'feedDocument']);
    await app.tick(shift(NOW, 30 * 86_400));
    expect((await snapshot(['occurrence', 'feedDocument'])).subscriber).toEqual(before.subscriber);
    await app.tick(shift(NOW, 30 * 86_400 + 1));
    expect(app.logged).toEqual([]);
    const after = await snapshot();
    expect(after.subscriber).toEqual([expect.objectContaining({ email: 'bea@reader.example' })]);
    expect(after.subscription).toEqual([expect.objectContaining({ status: 'active' })]);
    expect(after.consent).toHaveLength(2);
    expect(after.confirmationMail).toEqual([]);
  });

  test('of one digest keeps the other', async () => {
    await join(app, ADA);
    app.clock.now = shift(NOW, 3600);
    await ask(app, ADA, ['other']);
    await app.tick(shift(NOW, 31 * 86_400));
    expect(await statusesOf(app, ADA)).toEqual({ weekly: 'active' });
    expect(await consentOf(await personOf(ADA))).toHaveLength(3);
  });

  test('but had left before has still left, and is not forgotten', async () => {
    const id = await join(app, ADA);
    await app.deps.subscriptions.unsubscribe(id, ['weekly'], { way: 'mail' }, NOW);
    app.clock.now = WEEK_LATER;
    await ask(app, ADA);
    expect(await statusesOf(app, ADA)).toEqual({ weekly: 'pending' });
    await app.tick(shift(WEEK_LATER, 31 * 86_400));
    expect(await statusesOf(app, ADA)).toEqual({ weekly: 'unsubscribed' });
    expect(await consentOf(id)).toEqual([
      'requested weekly form',
      'confirmed weekly mail',
      'unsubscribed weekly mail',
      'requested weekly form',
    ]);
  });
});

describe('the record', () => {
  test('cannot be changed, nor cut while its person is here', async () => {
    await join(app, ADA);
    for (const sql of [
      `UPDATE consent SET network = NULL`,
      `UPDATE consent SET event = 'imported' WHERE id = 1`,
      'DELETE FROM consent',
      'DELETE FROM consent WHERE id = 2',
    ]) {
      await expect(env.DB.prepare(sql).run()).rejects.toThrow('append-only');
    }
    expect(await consentOf(await personOf(ADA))).toEqual(['requested weekly form', 'confirmed weekly mail']);
  });
});
