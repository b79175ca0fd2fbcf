import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { shift } from '../../src/domain/time.ts';
import type { TestApp } from '../support/app.ts';
import { digestData } from '../support/content.ts';
import {
  addReaders,
  balance,
  DUE,
  deliveries,
  headerValues,
  interrupted,
  issues,
  mailTo,
  newsroom,
  outbox,
  ownLinks,
  publish,
  refusal,
  sharing,
  stopBefore,
  TICK_LATER,
  WEEK_LATER,
  withDigest,
  workNext,
} from '../support/newsroom.ts';

const APPROVE = withDigest({ mode: 'approve' });

describe('an issue that waits for approval', () => {
  async function held() {
    const app = await newsroom(APPROVE);
    await addReaders(['ada', 'bea']);
    await publish(app, 'one');
    await app.tick(DUE);
    await app.work();
    return app;
  }

  test('is nobody’s to read, and the editor is told once where to preview it', async () => {
    const app = await held();
    await app.tick(TICK_LATER);
    const mails = await outbox(app);
    expect(mails.map(({ kind, to }) => [kind, to])).toEqual([['notice', 'editor@news.example']]);
    expect((await app.fetch('/issues/weekly/1')).status).toBe(404);
    for (const path of ['/', '/issues', '/issues/rss.xml', '/issues/feed.json', '/sitemap.xml'])
      expect(await (await app.fetch(path)).text()).not.toContain('/issues/weekly/1');
    expect(await deliveries()).toEqual({});
  });

  test('the notice links to a preview that shows the mail, to nobody else and without anybody’s links', async () => {
    const app = await held();
    const notice = await mailTo(app, 'editor@news.example');
    expect(headerValues(notice, 'List-Unsubscribe')).toEqual([]);
    const link = ownLinks(notice).find((url) => url.includes('/preview/')) ?? '';
    const preview = await app.fetch(link);
    expect(preview.status).toBe(200);
    expect(Object.fromEntries(preview.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
    const html = await preview.text();
    expect(html).toContain('Letter one');
    expect(html).toContain('http://localhost:8787/unsubscribe/test');
    expect((await app.fetch(`${link}x`)).status).toBe(404);
    expect((await app.fetch(link.replace('/preview/', '/unsubscribe/'), { method: 'POST' })).status).toBe(404);
  });

  test('approved, it goes out once', async () => {
    const app = await held();
    app.clock.now = shift(DUE, 3600);
    const id = 'approval-1';
    const answer = await app.answer('issue.approve', { digest: 'weekly', number: 1 }, { id });
    expect(answer).toMatchObject({
      outcome: 'approved',
      issue: { digest: 'weekly', number: 1, revision: 1, audience: 2 },
    });
    expect(await app.answer('issue.approve', { digest: 'weekly', number: 1 }, { id })).toEqual(answer);
    await app.work();
    expect((await outbox(app)).map(({ kind }) => kind).sort()).toEqual(['digest', 'digest', 'notice']);
    expect(await issues()).toMatchObject([{ status: 'sent' }]);
    expect((await app.fetch('/issues/weekly/1')).status).toBe(200);
    expect(await (await app.fetch('/issues/rss.xml')).text()).toContain('/issues/weekly/1');
  });

  test('approved days later, its Date is that of its release', async () => {
    const app = await held();
    app.clock.now = shift(DUE, 3 * 86_400 + 5);
    await app.answer('issue.approve', { digest: 'weekly', number: 1 });
    await app.work();
    const mail = await mailTo(app, 'ada');
    expect(headerValues(mail, 'Date')).toEqual(['Fri, 19 Jun 2026 06:00:05 +0000']);
    expect(mail.html).toMatch(/June\s16,\s2026/);
  });

  test('approved by two at once, it goes out once and one of them is told', async () => {
    const app = await held();
    const statuses = await Promise.all(
      [1, 2].map(async () => (await app.call('issue.approve', { digest: 'weekly', number: 1 })).status),
    );
    await app.work();
    expect(statuses.sort()).toEqual([200, 422]);
    expect((await outbox(app)).filter(({ kind }) => kind === 'digest')).toHaveLength(2);
  });

  test('approved while the queue is away, it goes out when the call is repeated', async () => {
    const app = await held();
    app.deps.queue = stopBefore(app.deps.queue, 'send');
    const approval = ['issue.approve', { digest: 'weekly', number: 1 }, { id: 'approval-1' }] as const;
    expect((await app.call(...approval)).status).toBe(500);
    expect(await app.answer(...approval)).toMatchObject({ outcome: 'approved' });
    await app.work();
    expect((await outbox(app)).filter(({ kind }) => kind === 'digest')).toHaveLength(2);
  });

  test('approved while the queue is away, it goes out by the sweep when nobody repeats the call', async () => {
    const app = await held();
    app.clock.now = TICK_LATER;
    app.deps.queue = stopBefore(app.deps.queue, 'send');
    await app.call('issue.approve', { digest: 'weekly', number: 1 });
    await app.tick(shift(TICK_LATER, 900));
    await app.work();
    expect((await outbox(app)).filter(({ kind }) => kind === 'digest')).toHaveLength(2);
  });

  test.each([
    [
      'the transport refused the notice',
      (app: TestApp) => {
        let refusals = 1;
        app.deps.letters = sharing(app.deps.letters, ({ send, ...session }) => ({
          ...session,
          async send(mails, key) {
            refusals -= 1;
            return refusals < 0 ? send(mails, key) : mails.map(() => ({ status: 'failed', error: '451 later' }));
          },
        }));
      },
    ],
    [
      'it was not recorded that the notice went out',
      (app: TestApp) => {
        app.deps.issues = stopBefore(app.deps.issues, 'markTold');
      },
    ],
  ])('when %s, the next tick tells the editor, once', async (_name, breakStep) => {
    const app = await newsroom({ ...APPROVE, articles: ['one'] });
    breakStep(app);
    for (const minutes of [0, 5, 10]) await app.tick(shift(DUE, minutes * 60));
    expect((await outbox(app)).map(({ kind }) => kind)).toEqual(['notice']);
    expect(await app.deps.issues.untold()).toEqual([]);
  });

  test('cancelled, it goes nowhere and the next issue has its articles', async () => {
    const app = await held();
    expect(await app.answer('issue.cancel', { digest: 'weekly', number: 1 })).toMatchObject({ outcome: 'cancelled' });
    await publish(app, 'two', { publishedAt: '2026-06-11T09:00:00Z' });
    await app.tick(WEEK_LATER);
    await app.work();
    expect(await issues()).toMatchObject([
      { number: 1, status: 'cancelled' },
      { number: 2, status: 'held', titles: ['Letter two', 'Letter one'] },
    ]);
    expect((await outbox(app)).map(({ kind }) => kind)).toEqual(['notice', 'notice']);
  });

  test('an editor whose address has an international domain is told', async () => {
    const app = await newsroom({
      settings: { editor: 'chefin@Bücher.example', digests: [digestData({ mode: 'approve' })] },
      articles: ['one'],
    });
    await app.tick(DUE);
    expect((await outbox(app)).map(({ to }) => to)).toEqual(['chefin@xn--bcher-kva.example']);
  });

  test.each([
    ['issue.approve', 'sent', 'is sent; only a held issue can be approved'],
    ['issue.approve', 'cancelled', 'is cancelled; only a held issue can be approved'],
    ['issue.approve', 'sending', 'is sending; only a held issue can be approved'],
    ['issue.cancel', 'sent', 'is sent; there is nothing left to stop'],
    ['issue.cancel', 'cancelled', 'is cancelled; there is nothing left to stop'],
  ])('%s of an issue that is %s is refused', async (type, status, message) => {
    const app = await held();
    await env.DB.prepare('UPDATE issue SET status = ?').bind(status).run();
    expect(await refusal(app.call(type, { digest: 'weekly', number: 1 }))).toEqual({
      status: 422,
      text: `Nothing was done. /data/number ${message}`,
    });
  });

  test.each(['issue.approve', 'issue.cancel'])('%s of an unknown issue names it', async (type) => {
    const app = await held();
    const { status, text } = await refusal(app.call(type, { digest: 'weekly', number: 7 }));
    expect([status, text]).toEqual([422, 'Nothing was done. /data/number digest "weekly" has no issue 7']);
  });
});

describe('an issue that is cancelled while it is sent', () => {
  async function planned() {
    const app = await newsroom({ articles: ['one'] });
    await addReaders(['ada', 'bea']);
    await app.tick(DUE);
    await workNext(app);
    return app;
  }

  test('is mailed to nobody who was still queued', async () => {
    const app = await planned();
    await app.answer('issue.cancel', { digest: 'weekly', number: 1 });
    await app.work();
    for (const minutes of [15, 30, 60]) {
      await app.tick(shift(DUE, minutes * 60));
      await app.work();
    }
    expect(await deliveries()).toEqual({ ada: 'cancelled', bea: 'cancelled' });
    expect(await outbox(app)).toEqual([]);
    expect(await balance(app)).toMatchObject({ status: 'cancelled', audience: 2, deliveries: { cancelled: 2 } });
  });

  test('what a consumer had in its hands is recorded as what became of it', async () => {
    const app = await planned();
    const cancel = async () => {
      await app.answer('issue.cancel', { digest: 'weekly', number: 1 });
      expect(await deliveries()).toEqual({ ada: 'unknown', bea: 'unknown' });
    };
    app.deps.transport = sharing(app.deps.transport, (session) => interrupted(session, 'send', cancel));
    await app.work();
    expect(await deliveries()).toEqual({ ada: 'sent', bea: 'sent' });
    expect(await issues()).toMatchObject([{ status: 'cancelled' }]);
  });

  test('while it is planned, nobody else is planned', async () => {
    const app = await newsroom({ articles: ['one'] });
    await addReaders(['ada']);
    await app.tick(DUE);
    await app.answer('issue.cancel', { digest: 'weekly', number: 1 });
    await app.work();
    expect(await deliveries()).toEqual({});
    expect(await outbox(app)).toEqual([]);
  });
});
