import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { recordingTransport, type TestApp } from '../support/app.ts';
import { digestData, publicationData } from '../support/content.ts';
import {
  addReaders,
  DUE,
  deliveries,
  issued,
  issues,
  namesOf,
  newsroom,
  occurrences,
  planned,
  refusal,
  withDigest,
  workNext,
} from '../support/newsroom.ts';

const REAL = { MAIL_TRANSPORT: 'smtp', SMTP_URL: 'smtp://127.0.0.1:9?tls=off', MAIL_DOMAIN: 'news.example' };
const NO_ADDRESS = 'the publication has no postalAddress, which bulk mail must show';
const OTHER_SENDER =
  "the sender must be at news.example or a domain above or below it, or MAIL_DOMAIN must name the sender's";

const sender = (email: string) => ({ sender: { name: 'Tide Notes', email } });

/** Settings that no bulk mail may go out with, and what is said of them. */
const REFUSED: [settings: Record<string, unknown>, why: string][] = [
  [{ postalAddress: undefined }, NO_ADDRESS],
  [sender('letters@elsewhere.example'), OTHER_SENDER],
  [{ postalAddress: undefined, ...sender('letters@elsewhere.example') }, `${NO_ADDRESS}; ${OTHER_SENDER}`],
];

/** Keeps what is sent, under a configuration that names a real transport. */
function record(app: TestApp) {
  const { sent, transport } = recordingTransport();
  app.deps.transport = transport;
  return sent;
}

describe('over a real transport', () => {
  test.each(REFUSED)('with %j digest.run makes no issue and says why', async (settings, why) => {
    const app = await newsroom({ settings, articles: ['one'], vars: REAL });
    await addReaders(['ada']);
    const sent = record(app);
    for (const extra of [{}, { testTo: 'editor@news.example' }]) {
      const { status, text } = await refusal(app.call('digest.run', { digest: 'weekly', ...extra }));
      expect([status, text]).toEqual([503, `No issue was made: ${why}.`]);
    }
    expect([await issues(), app.jobs, sent]).toEqual([[], [], []]);
  });

  test.each(REFUSED)('with %j a tick misses the occurrence and says why', async (settings, why) => {
    const app = await issued(['ada'], { settings, vars: REAL });
    expect(await occurrences(app)).toMatchObject([{ at: DUE, status: 'missed', reason: why }]);
    expect([await issues(), app.jobs]).toEqual([[], []]);
  });

  test.each(REFUSED)('with %j approval releases nothing and says why', async (settings, why) => {
    const digests = [digestData({ mode: 'approve' })];
    const app = await issued(['ada'], { ...withDigest({ mode: 'approve' }), vars: REAL });
    app.jobs.splice(0);
    await app.answer('publication.updated', publicationData({ digests, ...settings }));
    const approve = () => app.call('issue.approve', { digest: 'weekly', number: 1 }, { id: 'approve-1' });
    expect(await refusal(approve())).toEqual({ status: 503, text: `Nothing was released: ${why}.` });
    expect(await issues()).toMatchObject([{ status: 'held' }]);
    expect(app.jobs).toEqual([]);
    // The same call again, when what was missing is there.
    await app.answer('publication.updated', publicationData({ digests }));
    expect((await approve()).status).toBe(200);
  });

  test.each(REFUSED)('with %j a resumption does nothing and says why', async (settings, why) => {
    const app = await planned(['ada'], { vars: REAL });
    app.jobs.splice(0);
    await app.answer('issue.pause', { digest: 'weekly', number: 1 });
    await app.answer('publication.updated', publicationData(settings));
    const resume = () => app.call('issue.resume', { digest: 'weekly', number: 1 }, { id: 'resume-1' });
    expect(await refusal(resume())).toEqual({ status: 503, text: `Nothing was resumed: ${why}.` });
    expect(await issues()).toMatchObject([{ status: 'paused' }]);
    expect(app.jobs).toEqual([]);
    await app.answer('publication.updated', publicationData());
    expect((await resume()).status).toBe(200);
  });

  test.each(REFUSED)(
    'with %j an issue that is under way stands still, and goes on afterwards',
    async (settings, why) => {
      const app = await planned(['ada'], { vars: REAL });
      const sent = record(app);
      await app.answer('publication.updated', publicationData(settings));
      const [job] = app.jobs.splice(0);
      expect((await workNext(app, job)).retryMessages).toHaveLength(1);
      expect(app.logged).toMatchObject([{ context: { error: expect.objectContaining({ message: why }) } }]);
      expect([sent, await deliveries()]).toEqual([[], { ada: 'queued' }]);
      await app.answer('publication.updated', publicationData());
      await workNext(app, job);
      expect([namesOf(sent), await deliveries()]).toEqual([['ada'], { ada: 'sent' }]);
    },
  );

  test.each([
    ['news.example', 'letters@news.example', true],
    ['news.example', 'letters@mail.news.example', true],
    ['www.news.example', 'letters@news.example', true],
    ['NEWS.example', 'letters@News.Example', true],
    ['news.example', 'letters@badnews.example', false],
    ['news.example', 'letters@news.example.evil.test', false],
    ['news.example', 'letters@example.news', false],
    ['www.news.example', 'letters@shop.news.example', false],
    ['xn--bcher-kva.example', 'post@b\u00fccher.example', true],
  ])('at the domain %s mail from %s may go out: %s', async (MAIL_DOMAIN, email, allowed) => {
    const app = await newsroom({ settings: sender(email), articles: ['one'], vars: { ...REAL, MAIL_DOMAIN } });
    const response = await app.call('digest.run', { digest: 'weekly' });
    expect(response.status).toBe(allowed ? 200 : 503);
  });

  test('the domain is that of the base URL where nothing else is said', async () => {
    const vars = { MAIL_TRANSPORT: 'smtp', SMTP_URL: REAL.SMTP_URL };
    const run = async (baseUrl: string) => {
      const app = await newsroom({ articles: ['one'], vars, baseUrl });
      return (await app.call('digest.run', { digest: 'weekly' })).status;
    };
    expect(await run('https://other.example/')).toBe(503);
    expect(await run('https://www.news.example/')).toBe(200);
  });
});

describe('over the outbox', () => {
  test('nothing is wanting on this machine', async () => {
    const settings = { postalAddress: undefined, ...sender('letters@elsewhere.example') };
    const app = await planned(['ada'], { settings });
    await app.work();
    expect(await deliveries()).toEqual({ ada: 'sent' });
  });

  test('no digest is sent from any other', async () => {
    const app = await newsroom({ articles: ['one'], baseUrl: 'https://news.example/' });
    const why = 'MAIL_TRANSPORT outbox only stores mail, and BASE_URL is not on this machine';
    const run = app.call('digest.run', { digest: 'weekly' });
    expect(await refusal(run)).toEqual({ status: 503, text: `No issue was made: ${why}.` });
    await app.tick(DUE);
    expect(await occurrences(app)).toMatchObject([{ at: DUE, status: 'missed', reason: why }]);
    expect(await env.DB.prepare('SELECT count(*) AS count FROM issue').first('count')).toBe(0);
  });
});
