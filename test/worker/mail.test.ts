import { describe, expect, test } from 'vitest';
import { shift } from '../../src/domain/time.ts';
import { articleData, digestData } from '../support/content.ts';
import {
  addReaders,
  DUE,
  deliveries,
  headerValues,
  issues,
  mailTo,
  newsroom,
  outbox,
  ownLinks,
  publish,
  unsubscribePath,
  WEEK_LATER,
  withDigest,
} from '../support/newsroom.ts';

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
    const app = await newsroom(withDigest({ mode: 'approve' }));
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

  test('of 25 articles with a limit of 20, all are in the issue and 20 in full', { timeout: 60_000 }, async () => {
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

describe('the delivered message', () => {
  async function delivered() {
    const app = await newsroom({ articles: ['one'] });
    await addReaders(['ada', 'bea']);
    await app.tick(DUE);
    await app.work();
    return { ada: await mailTo(app, 'ada'), bea: await mailTo(app, 'bea'), app };
  }

  test('has exactly these headers, each once', async () => {
    const { ada } = await delivered();
    const link = headerValues(ada, 'List-Unsubscribe')[0] ?? '';
    expect(link).toMatch(/^<http:\/\/localhost:8787\/unsubscribe\/[A-Za-z0-9._-]+>$/);
    expect(Object.fromEntries(ada.headers.map(({ key, value }) => [key, value]))).toEqual({
      from: 'Tide Notes <letters@news.example>',
      to: '<ada@reader.example>',
      'reply-to': 'desk@news.example',
      subject: 'The week: Letter one',
      date: 'Tue, 16 Jun 2026 06:00:00 +0000',
      'message-id': '<weekly.1.1.ada@news.example>',
      'list-id': '"The week" <weekly.news.example>',
      'list-unsubscribe': link,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'list-archive': '<http://localhost:8787/issues>',
      precedence: 'bulk',
      'auto-submitted': 'auto-generated',
      'feedback-id': '1:weekly:digest:broadside',
      'mime-version': '1.0',
      'content-type': expect.stringMatching(/^multipart\/alternative; *boundary=/),
    });
    expect(ada.headers).toHaveLength(15);
  });

  test('is text and HTML, in this order, on lines that end in CRLF and have less than 998 characters', async () => {
    const { ada } = await delivered();
    const types = [...ada.raw.matchAll(/^Content-Type: ([a-z/]+)/gim)].map(([, type]) => type);
    expect(types).toEqual(['multipart/alternative', 'text/plain', 'text/html']);
    expect(ada.raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(Math.max(...ada.raw.split('\r\n').map((line) => line.length))).toBeLessThan(998);
    expect(ada.raw).toMatch(/^[\t\r\n -~]*$/);
  });

  test('has the reader’s own unsubscribe link in both parts and the header, and nobody else’s', async () => {
    const { ada, bea } = await delivered();
    const own = { ada: unsubscribePath(ada), bea: unsubscribePath(bea) };
    expect(own.ada).not.toBe(own.bea);
    for (const [mail, path] of [
      [ada, own.ada],
      [bea, own.bea],
    ] as const) {
      for (const part of [mail.html, mail.text]) {
        const links = part?.match(/\/unsubscribe\/[A-Za-z0-9._-]+/g);
        expect(new Set(links)).toEqual(new Set([path]));
      }
      expect(ownLinks(mail)).toContain('http://localhost:8787/issues/weekly/1');
    }
    expect(bea.raw).not.toMatch(/ada@|\.ada@|preferences\.YWRh/);
  });

  test('names no reader in the issue on the web', async () => {
    const { app } = await delivered();
    const page = await (await app.fetch('/issues/weekly/1')).text();
    expect(page).toContain('Letter one');
    expect(page).not.toMatch(/unsubscribe\/v1|reader\.example/);
  });
});
