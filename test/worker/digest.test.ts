import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { shift } from '../../src/domain/time.ts';
import { NOW, type TestApp } from '../support/app.ts';
import { articleData, digestData } from '../support/content.ts';
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
  occurrences,
  outbox,
  ownLinks,
  TICK_LATER,
  WEEK_LATER,
  workNext,
} from '../support/newsroom.ts';

function withDigest(changes: Record<string, unknown>) {
  return { settings: { editor: 'editor@news.example', digests: [digestData(changes)] } };
}

const APPROVE = withDigest({ mode: 'approve' });

async function publish(app: TestApp, key: string, changes: Record<string, unknown> = {}) {
  return app.answer('article.published', articleData(key, changes));
}

/** A refused call: its status, and what it says of each field. */
async function refusal(call: Promise<Response>): Promise<{ status: number; text: string }> {
  const response = await call;
  const { detail, errors = [] } = await response.json<{
    detail: string;
    errors?: { pointer: string; message: string }[];
  }>();
  const fields = errors.map(({ pointer, message }) => `${pointer} ${message}`);
  return { status: response.status, text: [detail, ...fields].join(' ') };
}

describe('what an issue takes', () => {
  test('back-dated and late articles are neither lost nor sent twice', async () => {
    const app = await newsroom({ articles: ['first'] });
    await app.tick(DUE);
    app.clock.now = shift(DUE, 3600);
    await publish(app, 'back-dated', { publishedAt: '2020-01-01T00:00:00Z' });
    await publish(app, 'just-before', { publishedAt: shift(DUE, -1) });
    await app.answer('article.updated', articleData('first', { title: 'Letter first, corrected' }));
    await app.tick(WEEK_LATER);
    await app.tick(shift(WEEK_LATER, 7 * 86_400));
    expect((await issues()).map(({ titles }) => titles)).toEqual([
      ['Letter first'],
      ['Letter just-before', 'Letter back-dated'],
    ]);
  });

  test('withdrawn, scheduled and foreign articles stay out; the scheduled one comes when its time has come', async () => {
    const app = await newsroom({ articles: ['kept', 'gone'] });
    await app.answer('article.withdrawn', { id: 'gone' });
    await publish(app, 'soon', { publishedAt: shift(DUE, 1) });
    await publish(app, 'on-time', { publishedAt: DUE });
    await publish(app, 'foreign', { topics: ['land'] });
    await app.tick(DUE);
    await app.tick(WEEK_LATER);
    expect((await issues()).map(({ titles }) => titles)).toEqual([['Letter on-time', 'Letter kept'], ['Letter soon']]);
  });

  test.each([
    { digest: { topics: [] }, titles: ['c', 'b', 'a'] },
    { digest: { topics: ['land', 'sky'] }, titles: ['c', 'b'] },
    { digest: { topics: ['nothing'] }, titles: undefined },
    { digest: { topics: [], order: 'oldest' }, titles: ['a', 'b', 'c'] },
    { digest: { topics: [], order: 'newest' }, titles: ['c', 'b', 'a'] },
    { digest: { topics: [], since: '2026-06-02T00:00:00Z' }, titles: ['c', 'b'] },
    { digest: { topics: [], since: '2026-06-02T00:00:01Z' }, titles: ['c'] },
  ])('of three articles, with $digest', async ({ digest, titles }) => {
    const app = await newsroom(withDigest(digest));
    await publish(app, 'b', { title: 'b', topics: ['land'], publishedAt: '2026-06-02T00:00:00Z' });
    await publish(app, 'c', { title: 'c', topics: ['sky', 'sea'], publishedAt: '2026-06-03T00:00:00Z' });
    await publish(app, 'a', { title: 'a', topics: ['sea'], publishedAt: '2026-06-01T00:00:00Z' });
    await app.tick(DUE);
    expect((await issues())[0]?.titles).toEqual(titles);
  });

  test('two digests each take the same article once', async () => {
    const second = digestData({ id: 'second', title: 'Second' });
    const app = await newsroom({ settings: { digests: [digestData(), second] }, articles: ['one'] });
    await app.tick(DUE);
    await app.tick(WEEK_LATER);
    expect(await issues()).toMatchObject([
      { digest: 'second', number: 1, titles: ['Letter one'] },
      { digest: 'weekly', number: 1, titles: ['Letter one'] },
    ]);
  });

  test('articles too big for one issue together wait for the next one', async () => {
    const app = await newsroom();
    const attachments = Array.from({ length: 45 }, (_, index) => ({
      url: `https://media.example/${'long/'.repeat(380)}${index}`,
      type: 'audio/mpeg',
      length: 1,
    }));
    for (const key of ['a', 'b', 'c', 'd']) await publish(app, key, { title: key, attachments });
    await app.tick(DUE);
    await app.tick(WEEK_LATER);
    const made = await issues();
    expect(made.length).toBeGreaterThan(1);
    expect(made.flatMap(({ titles }) => titles).sort()).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('what an issue shows', () => {
  test.each([
    ['summary', 'What letter one says', 'with a link'],
    ['full', 'with a link', undefined],
  ])('content: %s', async (content, shown, hidden) => {
    const app = await newsroom(withDigest({ content }));
    await addReaders(['ada']);
    await publish(app, 'one');
    await app.tick(DUE);
    await app.work();
    const { html = '', text = '' } = await mailTo(app, 'ada');
    for (const part of [html.replace(/<[^>]*>/g, ''), text]) {
      expect(part).toContain(shown);
      if (hidden !== undefined) expect(part).not.toContain(hidden);
    }
  });

  test('without a summary, the first sentences', async () => {
    const app = await newsroom();
    await addReaders(['ada']);
    const { summary: _, ...data } = articleData('one', { bodyMarkdown: 'The tide was late. Nobody minded.\n\nMore.' });
    await app.answer('article.published', data);
    await app.tick(DUE);
    await app.work();
    expect((await mailTo(app, 'ada')).text).toContain('The tide was late. Nobody minded.');
  });

  test('its own subject and intro; else a subject made of its titles', async () => {
    const app = await newsroom({ articles: ['one'] });
    await addReaders(['ada']);
    await app.answer('digest.run', { digest: 'weekly', subject: 'Storm “Bé” & after', intro: 'First.\n\nSecond <3' });
    await app.work();
    const mail = await mailTo(app, 'ada');
    expect(mail.subject).toBe('Storm “Bé” & after');
    expect(mail.text).toContain('First.\n\nSecond <3');
    expect(mail.html).toContain('Second &lt;3');
    const page = await (await app.fetch('/issues/weekly/1')).text();
    expect(page).toContain('Storm “Bé” &amp; after');
    expect(page).toContain('Second &lt;3');
    await publish(app, 'two');
    await app.tick(DUE);
    expect((await issues())[1]?.subject).toBe('The week: Letter two');
  });

  test('is frozen: later changes of its articles do not change it', async () => {
    const app = await newsroom(APPROVE);
    await addReaders(['ada']);
    await publish(app, 'one');
    await publish(app, 'two');
    await app.tick(DUE);
    await app.answer('article.updated', articleData('one', { title: 'Rewritten', summary: 'Rewritten too' }));
    await app.answer('article.withdrawn', { id: 'two' });
    await app.answer('issue.approve', { digest: 'weekly', number: 1 });
    await app.work();
    const mail = await mailTo(app, 'ada');
    const page = await (await app.fetch('/issues/weekly/1')).text();
    for (const shown of [mail.html, mail.text, page]) {
      expect(shown).toContain('Letter one');
      expect(shown).toContain('Letter two');
      expect(shown).not.toContain('Rewritten');
    }
  });

  test('of 25 articles with a limit of 20, all are in the issue and 20 in full', async () => {
    const app = await newsroom(withDigest({ limits: { articles: 20 } }));
    await addReaders(['ada']);
    const names = Array.from({ length: 25 }, (_, index) => `n${String(index + 1).padStart(2, '0')}`);
    for (const [index, name] of names.entries())
      await publish(app, name, { publishedAt: shift('2026-06-01T00:00:00Z', index * 60), bodyMarkdown: 'Short.' });
    await app.tick(DUE);
    await app.work();
    const newestFirst = names.map((name) => `Letter ${name}`).reverse();
    expect((await issues())[0]?.titles).toEqual(newestFirst);
    const { html = '', text = '' } = await mailTo(app, 'ada');
    for (const part of [html, text]) {
      expect(newestFirst.map((title) => part.includes(title))).toEqual(newestFirst.map(() => true));
      expect(names.filter((name) => part.includes(`What letter ${name} says`))).toEqual(names.slice(5));
    }
    await app.tick(WEEK_LATER);
    expect(await issues()).toHaveLength(1);
    const page = await (await app.fetch('/issues/weekly/1')).text();
    const feed = await (await app.fetch('/issues/atom.xml')).text();
    for (const title of newestFirst) {
      expect(page).toContain(title);
      expect(feed).toContain(title);
    }
  });

  test.each([
    ['a title with a line break', { title: 'The\nweek' }, 'The week'],
    ['an id of digits', { id: '2026' }, 'The week'],
    ['an id in another script', { id: 'неделя', title: 'Неделя' }, 'Неделя'],
    ['a long id', { id: 'x'.repeat(100) }, 'The week'],
    ['a long id in another script', { id: '週'.repeat(100) }, 'The week'],
  ])('%s is mailed all the same', async (_name, changes, title) => {
    const app = await newsroom(withDigest(changes));
    const digest = digestData(changes);
    await addReaders(['ada'], digest.id);
    await publish(app, 'one');
    await app.tick(DUE);
    await app.work();
    expect(app.logged).toEqual([]);
    expect(Object.values(await deliveries())).toEqual(['sent']);
    const mail = await mailTo(app, 'ada');
    expect(mail.headers.find(({ key }) => key === 'list-id')?.value).toContain('.news.example>');
    expect(mail.text).toContain(title);
    expect(headerValues(mail, 'Feedback-ID')[0]).toMatch(/^1:[A-Za-z0-9_-]+:digest:broadside$/);
    expect(Math.max(...mail.raw.split('\r\n').map((line) => line.length))).toBeLessThan(998);
  });

  test('a sender with an international domain is written as mail servers read it', async () => {
    const app = await newsroom({
      settings: { sender: { name: 'Gezeiten', email: 'post@Bücher.example' }, replyTo: 'leser@Bücher.example' },
      articles: ['one'],
    });
    await addReaders(['ada']);
    await app.tick(DUE);
    await app.work();
    const mail = await mailTo(app, 'ada');
    expect(mail.from).toMatchObject({ name: 'Gezeiten', address: 'post@xn--bcher-kva.example' });
    expect(mail.replyTo).toMatchObject([{ address: 'leser@xn--bcher-kva.example' }]);
    expect(headerValues(mail, 'List-Id')).toEqual(['"The week" <weekly.xn--bcher-kva.example>']);
    expect((await outbox(app))[0]?.from).toBe('post@xn--bcher-kva.example');
  });
});

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

  test('approved by two at once, it goes out once and one of them is told', async () => {
    const app = await held();
    const statuses = await Promise.all(
      [1, 2].map(async () => (await app.call('issue.approve', { digest: 'weekly', number: 1 })).status),
    );
    await app.work();
    expect(statuses.sort()).toEqual([200, 422]);
    expect((await outbox(app)).filter(({ kind }) => kind === 'digest')).toHaveLength(2);
  });

  test('cancelled, it goes nowhere and the next issue has its articles', async () => {
    const app = await held();
    expect(await app.answer('issue.cancel', { digest: 'weekly', number: 1 })).toMatchObject({ outcome: 'cancelled' });
    await publish(app, 'two');
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
    app.deps.transport = interrupted(app.deps.transport, 'send', async () => {
      await app.answer('issue.cancel', { digest: 'weekly', number: 1 });
      expect(await deliveries()).toEqual({ ada: 'unknown', bea: 'unknown' });
    });
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

describe('digest.run', () => {
  const RUN = { digest: 'weekly' };

  test('makes an issue at once, whatever the schedule says, and the due occurrence then finds nothing new', async () => {
    const app = await newsroom({ articles: ['one'] });
    await addReaders(['ada', 'bea']);
    expect(await app.answer('digest.run', RUN)).toEqual({
      id: 'weekly',
      outcome: 'issued',
      issue: { digest: 'weekly', number: 1, revision: 1, audience: 2 },
    });
    await app.work();
    expect((await outbox(app)).map(({ to }) => to).sort()).toEqual(['ada@reader.example', 'bea@reader.example']);
    await app.tick(DUE);
    expect(await occurrences(app)).toMatchObject([{ status: 'skipped' }]);
  });

  test('holds in mode approve, and skips with nothing new', async () => {
    const app = await newsroom(APPROVE);
    expect(await app.answer('digest.run', RUN)).toEqual({ id: 'weekly', outcome: 'skipped' });
    await publish(app, 'one');
    expect(await app.answer('digest.run', RUN)).toMatchObject({ outcome: 'held', issue: { number: 1 } });
    expect(await app.answer('digest.run', RUN)).toEqual({ id: 'weekly', outcome: 'skipped' });
    await app.work();
    expect((await outbox(app)).map(({ kind }) => kind)).toEqual(['notice']);
  });

  test('with testTo mails to that address alone and records nothing', async () => {
    const app = await newsroom({ articles: ['one'] });
    await addReaders(['ada']);
    const data = { ...RUN, testTo: 'Ana@News.example', subject: 'Trial' };
    expect(await app.answer('digest.run', data)).toEqual({ id: 'weekly', outcome: 'tested' });
    await app.work();
    const [mail, ...others] = await outbox(app);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: 'Ana@news.example', kind: 'test', subject: 'Trial' });
    expect(await issues()).toEqual([]);
    expect(await occurrences(app)).toEqual([]);
    expect((await app.fetch('/issues/weekly/1')).status).toBe(404);
    const links = ownLinks(await mailTo(app, 'Ana@news.example'));
    expect(links.filter((link) => link.includes('/unsubscribe/'))).toEqual(['http://localhost:8787/unsubscribe/test']);
    await app.tick(DUE);
    expect(await issues()).toMatchObject([{ number: 1, titles: ['Letter one'], subject: 'The week: Letter one' }]);
  });

  test.each(['a@b', 'a b@c.example', 'x@1.2.3.4', 'ü@c.example'])('with testTo %s is refused', async (testTo) => {
    const app = await newsroom({ articles: ['one'] });
    const { status, text } = await refusal(app.call('digest.run', { ...RUN, testTo }));
    expect(status).toBe(422);
    expect(text).toMatch(/\/data\/testTo must be an e-mail address/);
    expect(await outbox(app)).toEqual([]);
  });

  test('the same call again gets the same answer and mails nothing again', async () => {
    const app = await newsroom({ articles: ['one'] });
    await addReaders(['ada']);
    const first = await app.answer('digest.run', RUN, { id: 'run-1' });
    await app.work();
    await publish(app, 'two');
    expect(await app.answer('digest.run', RUN, { id: 'run-1' })).toEqual(first);
    await app.work();
    expect(await issues()).toHaveLength(1);
    expect(await outbox(app)).toHaveLength(1);
  });

  test('the same call twice at once makes one issue', async () => {
    const app = await newsroom({ articles: ['one'] });
    const answers = await Promise.all([1, 2].map(() => app.answer('digest.run', RUN, { id: 'run-1' })));
    expect(answers[0]).toEqual(answers[1]);
    expect(await issues()).toHaveLength(1);
  });

  test('at the same time as a tick makes one issue', async () => {
    const app = await newsroom({ articles: ['one'] });
    await addReaders(['ada']);
    app.clock.now = DUE;
    await Promise.all([app.tick(DUE), app.answer('digest.run', RUN)]);
    await app.tick(TICK_LATER);
    await app.work();
    expect(await issues()).toMatchObject([{ number: 1, titles: ['Letter one'] }]);
    expect(await outbox(app)).toHaveLength(1);
    expect(await occurrences(app)).toMatchObject([{ at: DUE, status: expect.stringMatching(/issued|skipped/) }]);
    expect(app.logged).toEqual([]);
  });

  test('while a tick composes: the tick gives way, and the next one records the occurrence', async () => {
    const app = await newsroom({ articles: ['one'] });
    app.clock.now = DUE;
    app.deps.issues = interrupted(app.deps.issues, 'freeze', () => app.answer('digest.run', RUN));
    await app.tick(DUE);
    await app.tick(TICK_LATER);
    expect(await issues()).toHaveLength(1);
    expect(await occurrences(app)).toEqual([{ at: DUE, status: 'skipped', reason: 'no article is new' }]);
  });

  test('of an unknown digest names those there are', async () => {
    const app = await newsroom();
    const { status, text } = await refusal(app.call('digest.run', { digest: 'daily' }));
    expect([status, text]).toEqual([422, 'Nothing was done. /data/digest no digest is called "daily"; known: weekly']);
  });

  test('takes what was published by now, not what is to come', async () => {
    const app = await newsroom();
    await publish(app, 'now', { publishedAt: NOW });
    await publish(app, 'soon', { publishedAt: shift(NOW, 1) });
    await app.answer('digest.run', RUN);
    expect((await issues())[0]?.titles).toEqual(['Letter now']);
  });
});
