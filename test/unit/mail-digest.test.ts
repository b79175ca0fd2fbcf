import { describe, expect, test } from 'vitest';
import type { Entry } from '../../src/domain/article.ts';
import { type DigestMailInput, HTML_BYTES_MAX, renderDigest } from '../../src/render/mail/digest.ts';
import { collapse, digest, elements, entries, entry, hrefs, links, publication, visibleText } from '../support/mail.ts';

const issue: DigestMailInput = {
  publication,
  digest,
  number: 7,
  articles: entries(2),
  date: '2026-03-13T08:00:00Z',
  links,
};

function render(fields: Partial<DigestMailInput> = {}) {
  return renderDigest({ ...issue, ...fields });
}

function renderOne(fields: Partial<Entry>, more: Partial<DigestMailInput> = {}) {
  return render({ articles: [entry(1, fields)], ...more });
}

function bytes(html: string): number {
  return new TextEncoder().encode(html).length;
}

const FAMILY = '\u{1F469}\u200D\u{1F469}\u200D\u{1F466}';

describe('what an article says reaches the reader unchanged, in both parts', () => {
  test.each([
    ['markup characters', 'Salt & "Pepper" <raw> {{v}} [[dir]] $1 $& 5%', undefined],
    ['MJML', '</mj-column><mj-raw><script>bad()</script></mj-raw>', undefined],
    ['an apostrophe', "The pilot's log", undefined],
    ['an emoji of several code points', `Crew ${FAMILY} aboard`, undefined],
    ['the name of a font', 'font-family:Lato @import', undefined],
    ['a right-to-left title', 'نشرة الميناء', undefined],
    ['half an emoji', 'half \uD83D here', 'half here'],
    ['control characters', 'a\u0000b\u0007c', 'abc'],
    ['line breaks and tabs', 'one\r\ntwo\t three', 'one two three'],
  ])('%s', (_, given, shown = given) => {
    for (const mail of [renderOne({ title: given }), renderOne({ summary: given })]) {
      expect(visibleText(mail.html)).toContain(shown);
      expect(collapse(mail.text)).toContain(shown);
      expect(mail.html.isWellFormed()).toBe(true);
      expect(mail.text.isWellFormed()).toBe(true);
      expect(elements(mail.html, 'script')).toEqual([]);
      expect(mail.html).not.toContain('&apos;');
    }
  });

  test.each([
    ['https://harbour.example/read?x=1&y[2]=3&z=%C3%BC#part'],
    ['https://harbour.example/a"b<c>\'d'],
    [`https://harbour.example/${'long/'.repeat(60)}`],
  ])('the link %s', (url) => {
    const { html, text } = renderOne({ url });
    expect(hrefs(html)).toContain(url);
    expect(text.split('\n')).toContain(url);
  });

  test('a body in full, its line breaks single and its markup as it is', () => {
    const html = '<p>one<br>two</p><ul><li><strong>three</strong></li></ul>';
    const mail = renderOne({ html }, { digest: { ...digest, content: 'full' } });
    expect(mail.html).toContain(html);
    expect(collapse(mail.text)).toContain('one two - three');
    expect(mail.text).not.toContain('What happened on day 1.');
  });

  test.each([
    ['the summary', { summary: 'Short.' }, 'Short.'],
    ['else the first sentences', { summary: '  ', html: '<p>First one. Second one.</p>' }, 'First one. Second one.'],
    ['else, of an empty body, nothing', { summary: '', html: '' }, 'Read on'],
  ])('%s', (_, fields, shown) => {
    const { html, text } = renderOne(fields);
    expect(visibleText(html)).toContain(`Tides & Currents ${shown}`.replace('  ', ' '));
    expect(text).toContain(shown === 'Read on' ? 'https://harbour.example/articles/1' : shown);
  });

  test('a title that cleaning empties is replaced by the address', () => {
    expect(hrefs(renderOne({ title: '\u0000' }).html)).toContain('https://harbour.example/articles/1');
    expect(visibleText(renderOne({ title: '\u0000' }).html)).toContain('https://harbour.example/articles/1');
  });

  test('byline: authors, day in the digest’s time zone, topics by their titles', () => {
    const authors = [{ name: 'Ana\nRo' }, { name: ' ' }, { name: 'Bo Li' }];
    const zone = {
      ...digest,
      schedule: { cron: '0 8 * * 5', timezone: 'Pacific/Auckland' },
    };
    const { html, text } = renderOne({ authors, topics: ['tides', 'ropes'] }, { digest: zone });
    const said = 'By Ana Ro and Bo Li · March 1, 2026 · Tides & Currents, ropes';
    expect(visibleText(html).replaceAll(' · ', '·').replace(/ ?· ?/g, ' · ')).toContain(said);
    expect(collapse(text)).toContain(said);
    const late = renderOne({ publishedAt: '2026-03-01T12:00:00Z' }, { digest: zone });
    expect(collapse(late.text)).toContain('March 2, 2026');
  });

  test('a cover image, with its alternative text', () => {
    const image = { url: 'https://harbour.example/boat.jpg', alt: 'A "boat"' };
    const [cover] = elements(renderOne({ image }).html, 'img');
    expect(cover?.properties).toMatchObject({ src: image.url, alt: image.alt });
    expect(elements(render().html, 'img')).toEqual([]);
  });

  test('an unreadable date costs the date alone', () => {
    expect(visibleText(renderOne({ publishedAt: 'soon' }).html)).toContain('Mira Sol');
  });
});

describe('both parts', () => {
  test.each([1, 3, 9])('show the same %i articles once, in the same order, with the same links', (count) => {
    const articles = entries(count, { topics: [] }).reverse();
    const { html, text } = render({ articles });
    for (const part of [visibleText(html), text]) {
      const places = articles.map(({ title }) => part.indexOf(title));
      expect(places).toEqual([...places].sort((a, b) => a - b));
      for (const { title } of articles) expect(part.split(title)).toHaveLength(2);
    }
    expect(text.split('\n').filter((line) => line.includes('/articles/'))).toEqual(articles.map(({ url }) => url));
  });

  test('end in the reason, the links and the address', () => {
    const { html, text } = render();
    const lines = ['Unsubscribe', 'Read on the web', 'Imprint', 'Privacy', '1 Quay Street'];
    for (const part of [visibleText(html), text]) {
      expect(part).toContain('You get this because you subscribed to The Week at Sea at Harbour Letters.');
      for (const line of lines) expect(part).toContain(line);
    }
    const targets = [
      links.unsubscribe,
      links.web,
      'https://harbour.example/imprint',
      'https://harbour.example/privacy',
    ];
    expect(hrefs(html).slice(-4)).toEqual(targets);
    expect(text.split('\n').filter((line) => targets.includes(line))).toEqual(targets);
  });

  test('lead to the reader’s own page, when it is given, right after the way out', () => {
    const preferences = 'https://harbour.example/preferences/sample';
    const { html, text } = render({ links: { ...links, preferences } });
    expect(hrefs(html)).toContain(preferences);
    expect(visibleText(html)).toContain('Unsubscribe Manage your subscription Read on the web');
    expect(text).toContain(`${links.unsubscribe}\n\nManage your subscription:\n${preferences}\n\nRead on the web:`);
  });

  test('leave out what the publication has not set', () => {
    const { postalAddress: _, ...bare } = { ...publication, links: {} };
    const { html, text } = render({ publication: bare });
    expect(hrefs(html).slice(-2)).toEqual([links.unsubscribe, links.web]);
    expect(text).not.toMatch(/Imprint|Privacy|Quay Street/);
  });

  test('carry the intro as paragraphs and the reason of a reissue', () => {
    const { html, text, subject } = render({
      intro: 'Dear <all>,\n\nhere it\nis.',
      reason: 'A wrong date.',
    });
    for (const part of [visibleText(html), collapse(text)]) {
      expect(part).toMatch(/Correction:? A wrong date\. Dear <all>, here it is\. .*Dispatch <1>/);
    }
    expect(subject).toBe('Corrected: The Week at Sea: Dispatch <1>');
    expect(text).toContain('Dear <all>,\n\nhere it is.');
  });

  test('say so when there is no article', () => {
    const { html, text, subject, preheader, shown } = render({ articles: [] });
    for (const part of [visibleText(html), text]) expect(part).toContain('There is nothing new this time.');
    expect([subject, preheader]).toEqual(['The Week at Sea', 'No new articles']);
    expect(shown).toEqual({ full: 0, lines: 0, more: 0 });
  });
});

describe('the preheader', () => {
  test.each([
    [1, '1 new article, March 1, 2026'],
    [2, '2 new articles, March 1 – 2, 2026'],
  ])('of %i articles', (count, preheader) => {
    expect(render({ articles: entries(count) }).preheader).toBe(preheader);
  });

  test('is the first thing in the body, dark, and nowhere else', () => {
    const { html, text, preheader } = render();
    expect(visibleText(html).indexOf(preheader)).toBe(0);
    expect(visibleText(html).split(preheader)).toHaveLength(2);
    expect(html).toContain(`color:#22201c;">${preheader}</div>`);
    expect(collapse(text)).not.toContain(preheader);
  });
});

describe('the subject', () => {
  test.each([
    ['the digest and the first article', {}, 'The Week at Sea: Dispatch <1>'],
    ['the editor’s own', { subject: ' Calm\r\nagain ' }, 'Calm again'],
    ['made when the editor’s is empty', { subject: ' ' }, 'The Week at Sea: Dispatch <1>'],
    ['on one line', { digest: { ...digest, title: 'News\r\nCc: x@y.example' } }, 'News Cc: x@y.example: Dispatch <1>'],
  ])('is %s', (_, fields, subject) => {
    expect(render(fields).subject).toBe(subject);
  });

  test('is cut between graphemes', () => {
    const { subject } = renderOne({ title: FAMILY.repeat(40) });
    expect(subject.length).toBeLessThanOrEqual(120);
    expect(subject).toMatch(new RegExp(`^The Week at Sea: (${FAMILY}){5,}…$`, 'u'));
  });
});

describe('languages', () => {
  test.each([
    ['en', 'ltr', 'left', 'Read on'],
    ['de-AT', 'ltr', 'left', 'Weiterlesen'],
    ['fr', 'ltr', 'left', 'Lire la suite'],
    ['es-MX', 'ltr', 'left', 'Seguir leyendo'],
    ['ar', 'rtl', 'right', 'تابع القراءة'],
    ['he', 'rtl', 'right', 'Read on'],
    ['not a tag', 'ltr', 'left', 'Read on'],
  ])('%s runs %s', (language, dir, align, words) => {
    const { html } = render({ publication: { ...publication, language } });
    expect(elements(html, 'html')[0]?.properties).toMatchObject({
      lang: language,
      dir,
    });
    const cells = elements(html, 'td').map(({ properties }) => properties.align);
    expect(new Set(cells.filter((cell) => cell !== undefined && cell !== 'center'))).toEqual(new Set([align]));
    expect(visibleText(html)).toContain(words);
  });

  test('an article in another language keeps its own direction', () => {
    const { html } = renderOne({ language: 'ar', title: 'رسالة' });
    expect(html).toMatch(/<div lang="ar" dir="rtl"[^>]*>[\s\S]*رسالة/);
  });
});

describe('size', () => {
  const long = 'A sentence that goes on for a while. '.repeat(12);

  test.each([
    ['all fit', entries(3), 20, { full: 3, lines: 0, more: 0 }],
    ['more than the digest’s limit', entries(5), 2, { full: 2, lines: 3, more: 0 }],
    ['one', entries(1), 20, { full: 1, lines: 0, more: 0 }],
  ])('%s', (_, articles, limit, shown) => {
    expect(render({ articles, digest: { ...digest, limits: { articles: limit } } }).shown).toEqual(shown);
  });

  test.each([
    ['80 with long summaries', 80, { summary: long }, 100],
    ['500 with long titles', 500, { title: 'ü'.repeat(300) }, 20],
    ['30 with long bodies', 30, { html: `<p>${long.repeat(12)}</p>` }, 100],
    ['3 with a body that is too large alone', 3, { html: `<p>${long.repeat(400)}</p>` }, 100],
    ['3 with a body that only UTF-8 makes too large', 3, { html: `<p>${'海'.repeat(40_000)}</p>` }, 100],
  ])('%s: the footer is there, and what is left out is counted', (_, count, fields, limit) => {
    const articles = entries(count, fields).map((article, n) => ({
      ...article,
      title: `${n} ${article.title}`,
    }));
    const mail = render({
      articles,
      digest: { ...digest, content: 'full', limits: { articles: limit } },
    });
    const { full, lines, more } = mail.shown;
    expect(full + lines + more).toBe(count);
    expect(full).toBeGreaterThan(0);
    expect(bytes(mail.html)).toBeLessThanOrEqual(HTML_BYTES_MAX);
    expect(hrefs(mail.html)).toContain(links.unsubscribe);
    expect(elements(mail.html, 'h2').length).toBe(full + (lines > 0 ? 1 : 0));
    expect(hrefs(mail.html).filter((url) => url === links.web)).toHaveLength(more > 0 ? 2 : 1);
    expect(mail.text.includes(`and ${more} more\n${links.web}`)).toBe(more > 0);
    expect(mail.text.split('/articles/')).toHaveLength(full + lines + 1);
  });

  test('one more article in full would be too much', () => {
    const articles = entries(80, { summary: long });
    const { shown, html } = render({
      articles,
      digest: { ...digest, limits: { articles: 100 } },
    });
    expect(shown.lines).toBeGreaterThanOrEqual(10);
    expect(bytes(html)).toBeGreaterThan(HTML_BYTES_MAX - 2000);
  });
});

test('equal input gives equal bytes', () => {
  expect(render()).toEqual(render());
});

test('nothing is fetched but the links: no font, import, script, form or picture of ours', () => {
  const { html } = render();
  expect(html).not.toMatch(/fonts\.googleapis|@import|<script|<form|<img|http-equiv="refresh"|url\(/);
});

describe('what a caller should have checked', () => {
  test.each(['javascript:alert(1)', ' JavaScript:alert(1)', 'data:text/html,x', '//evil.example', 'not a url'])(
    'an address of %s is no link, in either part',
    (url) => {
      const { html, text } = renderOne({ url, title: 'The pilot', image: { url, alt: 'A boat' } });
      for (const part of [html, text]) {
        expect(part).not.toContain(url.trim());
        expect(part).toContain('The pilot');
      }
    },
  );

  test.each(['0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z', 'yesterday'])(
    'a date of %s is not shown',
    (publishedAt) => {
      const { html, text, preheader } = renderOne({ publishedAt, updatedAt: publishedAt });
      for (const part of [html, text, preheader]) expect(part).not.toMatch(/January|1970|Invalid|yesterday/);
    },
  );
});
