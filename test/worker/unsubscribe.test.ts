import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { importPage } from '../../src/app/import.ts';
import { tokens } from '../../src/platform/tokens.ts';
import type { TestApp } from '../support/app.ts';
import { articleData, digestData, publicationData } from '../support/content.ts';
import {
  addReaders,
  DUE,
  deliveries,
  mailTo,
  newsroom,
  outbox,
  ownLinks,
  unsubscribePath,
  WEEK_LATER,
} from '../support/newsroom.ts';

const ONE_CLICK = 'List-Unsubscribe=One-Click';

let app: TestApp;
/** Ada's link out of her weekly mail. */
let link: string;

beforeEach(async () => {
  const digests = [
    digestData(),
    digestData({ id: 'other', title: 'The other one', schedule: { cron: '0 0 1 1 *', timezone: 'UTC' } }),
  ];
  app = await newsroom({ settings: { digests }, articles: ['one'] });
  await addReaders(['ada', 'bea']);
  await addReaders(['ada', 'bea'], 'other');
  await app.tick(DUE);
  await app.work();
  link = unsubscribePath(await mailTo(app, 'ada'));
});

/** Where everybody stands: `ada weekly` and so on. */
async function subscriptions(): Promise<Record<string, string>> {
  const { results } = await env.DB.prepare('SELECT subscriberId, digest, status FROM subscription').all<
    Record<'subscriberId' | 'digest' | 'status', string>
  >();
  return Object.fromEntries(results.map((row) => [`${row.subscriberId} ${row.digest}`, row.status]));
}

const ALL_ACTIVE = { 'ada weekly': 'active', 'ada other': 'active', 'bea weekly': 'active', 'bea other': 'active' };

function post(path: string, body: BodyInit | null = ONE_CLICK, headers: HeadersInit = FORM): Promise<Response> {
  return app.fetch(path, { method: 'POST', body, headers });
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('GET and HEAD', () => {
  test('of every link of the mail, twice, as a scanner does, change nothing', async () => {
    const mail = await mailTo(app, 'ada');
    const links = [...ownLinks(mail), link];
    expect(links.filter((url) => url.includes('/unsubscribe/'))).not.toEqual([]);
    for (const url of links) {
      for (const method of ['GET', 'HEAD', 'GET', 'HEAD']) expect((await app.fetch(url, { method })).status).toBe(200);
    }
    expect(await subscriptions()).toEqual(ALL_ACTIVE);
    expect(await deliveries()).toEqual({ ada: 'sent', bea: 'sent' });
  });

  test('show a button that posts to the same address, to nobody but the reader', async () => {
    const response = await app.fetch(link);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
    });
    const html = await response.text();
    const form = html.match(/<form.*?<\/form>/s)?.[0];
    expect(form).toMatch(/^<form[^>]* method="post"/);
    expect(form).not.toMatch(/ action=|<input/);
    expect(form).toMatch(/<button type="submit"/);
    expect(html).toContain('The week');
    expect(html).not.toContain('ada@reader.example');
    expect(response.headers.get('set-cookie')).toBeNull();
  });

  test('another method is told what is allowed', async () => {
    const response = await app.fetch(link, { method: 'DELETE' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, expect.stringContaining('POST')]);
    expect(await subscriptions()).toEqual(ALL_ACTIVE);
  });
});

describe('POST', () => {
  const multipart = () => {
    const form = new FormData();
    form.set('List-Unsubscribe', 'One-Click');
    return form;
  };

  test.each<[string, () => BodyInit | null, HeadersInit]>([
    ['urlencoded', () => ONE_CLICK, FORM],
    ['multipart', multipart, {}],
    ['an empty form', () => '', FORM],
    ['no body', () => null, {}],
    ['something else', () => '{"List-Unsubscribe"', { 'Content-Type': 'application/json' }],
  ])('%s ends that one subscription without cookie, login or redirect', async (_name, body, headers) => {
    const response = await post(link, body(), headers);
    expect(response.status).toBe(200);
    expect(response.headers.get('location')).toBeNull();
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
    });
    expect(await response.text()).toContain('You are unsubscribed');
    expect(await subscriptions()).toEqual({ ...ALL_ACTIVE, 'ada weekly': 'unsubscribed' });
  });

  test('may be repeated, also at the same time, and keeps the first time', async () => {
    app.clock.now = DUE;
    const together = await Promise.all([post(link), post(link)]);
    app.clock.now = WEEK_LATER;
    const again = await post(link);
    expect([...together, again].map(({ status }) => status)).toEqual([200, 200, 200]);
    const row = await env.DB.prepare(
      `SELECT status, unsubscribedAt FROM subscription WHERE subscriberId = 'ada' AND digest = 'weekly'`,
    ).first();
    expect(row).toEqual({ status: 'unsubscribed', unsubscribedAt: DUE });
    expect(await (await app.fetch(link)).text()).toContain('You are unsubscribed');
  });

  test.each([
    ['one-click', ONE_CLICK, ['weekly']],
    ['mail', '', ['weekly']],
    ['mail', 'all=yes', ['other', 'weekly']],
  ])('is recorded as %s, once, for what it ends (%j)', async (way, body, digests) => {
    await post(link, body, { ...FORM, 'cf-connecting-ip': '203.0.113.9' });
    await post(link, body, { ...FORM, 'cf-connecting-ip': '198.51.100.1' });
    const { results } = await env.DB.prepare(
      'SELECT subscriberId, event, digest, way, network FROM consent ORDER BY digest',
    ).all();
    expect(results).toEqual(
      digests.map((digest) => ({
        subscriberId: 'ada',
        event: 'unsubscribed',
        digest,
        way,
        network: '203.0.113.0/24',
      })),
    );
  });

  test('by the button for all ends every digest of that reader', async () => {
    expect(await (await app.fetch(link)).text()).toContain('name="all" value="yes"');
    const response = await post(link, 'all=yes');
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Everything')]);
    expect(await subscriptions()).toEqual({
      ...ALL_ACTIVE,
      'ada weekly': 'unsubscribed',
      'ada other': 'unsubscribed',
    });
  });

  test('leads to the preferences of that reader', async () => {
    const html = await (await post(link)).text();
    const path = /href="(\/preferences\/[^"]+)"/.exec(html)?.[1] ?? '';
    const page = await app.fetch(path);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('ada@reader.example')]);
  });

  test('holds before the next mail, also when that is queued already', async () => {
    await app.answer('article.published', articleData('two'));
    await app.tick(WEEK_LATER);
    await post(link);
    await app.work();
    const second = (await outbox(app)).filter(({ issue }) => issue === 2);
    expect(second.map(({ to }) => to)).toEqual(['bea@reader.example']);
  });

  test('is not undone by adding the same person again', async () => {
    await post(link);
    const rows = [{ line: 1, email: 'ada@reader.example', status: 'active' as const }];
    await importPage(app.deps, { digest: 'weekly', dryRun: false, consent: 'she asked by phone', rows });
    expect(await subscriptions()).toEqual({ ...ALL_ACTIVE, 'ada weekly': 'unsubscribed' });
  });

  test('with the link of the other digest leaves the weekly one alone', async () => {
    await post(
      `/unsubscribe/${await app.deps.tokens.sign({ purpose: 'unsubscribe', subject: 'ada', scope: 'other' })}`,
    );
    expect(await subscriptions()).toEqual({ ...ALL_ACTIVE, 'ada other': 'unsubscribed' });
  });

  test('works after the digest was dropped from the settings', async () => {
    await app.answer('publication.updated', publicationData({ digests: [] }));
    expect((await post(link)).status).toBe(200);
    expect(await subscriptions()).toEqual({ ...ALL_ACTIVE, 'ada weekly': 'unsubscribed' });
  });
});

describe('a link that is not ours', () => {
  /** A field of Ada's token replaced. */
  const changed = (index: number, value: string) => () => {
    const parts = link.split('.');
    parts[index] = value;
    return parts.join('.');
  };

  test.each<[string, () => string | Promise<string>]>([
    ['another person in the claims', changed(3, btoa('bea').replaceAll('=', ''))],
    ['another digest in the claims', changed(4, btoa('other').replaceAll('=', ''))],
    ['another purpose in the claims', changed(2, 'preview')],
    ['another key', changed(1, 'k1')],
    ['an unknown key', changed(1, 'k9')],
    ['another version', () => link.replace('/v1.', '/v2.')],
    ['no signature', () => link.slice(0, link.lastIndexOf('.'))],
    ['an empty signature', changed(5, '')],
    ['a short signature', () => link.slice(0, -8)],
    ['one letter more', () => `${link}A`],
    ['one field more', () => `${link}.x`],
    ['capitals', () => link.toUpperCase().replace('/UNSUBSCRIBE', '/unsubscribe')],
    ['a token of another purpose', previewLink],
    ['a token for somebody unknown', () => signed('nobody', 'weekly')],
    ['a token for an unknown digest', () => signed('ada', 'nothing')],
    ['a token signed by somebody else', forged],
    ['garbage', () => '/unsubscribe/%F0%9F%8C%8A'],
    ['broken percent-encoding', () => '/unsubscribe/%E0%A4%A'],
    ['a NUL', () => '/unsubscribe/%00'],
    ['a slash inside', () => `${link}%2F..`],
    ['an SQL quote', () => "/unsubscribe/v1.k2.unsubscribe.'.'.'"],
    ['10 KB', () => `/unsubscribe/${'v1.k2.'.repeat(1700)}`],
    ['no token', () => '/unsubscribe/'],
  ])('%s: 404, and nothing changes', async (_name, path) => {
    const target = await path();
    for (const method of ['GET', 'HEAD', 'POST']) {
      const response = await app.fetch(target, { method });
      expect(response.status).toBe(404);
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
    expect(await subscriptions()).toEqual(ALL_ACTIVE);
    expect(app.logged).toEqual([]);
  });

  async function previewLink(): Promise<string> {
    return `/unsubscribe/${await app.deps.tokens.sign({ purpose: 'preview', subject: 'ada', scope: 'weekly' })}`;
  }

  async function signed(subject: string, digest: string): Promise<string> {
    return `/unsubscribe/${await app.deps.tokens.sign({ purpose: 'unsubscribe', subject, scope: digest })}`;
  }

  async function forged(): Promise<string> {
    const stranger = tokens([{ id: 'k2', secret: 'a secret that somebody else has made up' }]);
    return `/unsubscribe/${await stranger.sign({ purpose: 'unsubscribe', subject: 'ada', scope: 'weekly' })}`;
  }

  test('says kindly what to do', async () => {
    const html = await (await app.fetch(`${link}x`)).text();
    expect(html).toContain('This link is not one of ours');
    expect(html).not.toContain('<form');
  });
});

test('percent-encoding by a mail program does no harm to a good link', async () => {
  const encoded = link.replaceAll('.', '%2E').replaceAll('-', '%2D').replaceAll('_', '%5F');
  expect((await post(encoded)).status).toBe(200);
  expect(await subscriptions()).toEqual({ ...ALL_ACTIVE, 'ada weekly': 'unsubscribed' });
});

test('a link that was signed before the secrets were rotated still works', async () => {
  const older = tokens([{ id: 'k1', secret: 'the-older-token-secret-of-the-tests' }]);
  const token = await older.sign({ purpose: 'unsubscribe', subject: 'bea', scope: 'weekly' });
  expect(link).toContain('/v1.k2.');
  expect(token).toContain('v1.k1.');
  expect((await post(`/unsubscribe/${token}`)).status).toBe(200);
  expect(await subscriptions()).toEqual({ ...ALL_ACTIVE, 'bea weekly': 'unsubscribed' });
});

test.each(['GET', 'HEAD', 'POST'])('the link of tests and previews explains itself (%s)', async (method) => {
  const response = await app.fetch('/unsubscribe/test', { method });
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const html = await response.text();
  if (method !== 'HEAD') {
    expect(html).toContain('There is nothing to unsubscribe from');
    expect(html).not.toContain('<form');
  }
  expect(await subscriptions()).toEqual(ALL_ACTIVE);
});
