import { createHash } from 'node:crypto';
import type { Element } from 'hast';
import { describe, expect, test } from 'vitest';
import { articlePage } from '../../src/render/pages/article.tsx';
import { homePage } from '../../src/render/pages/home.tsx';
import { issuePage } from '../../src/render/pages/issue.tsx';
import { topicPage } from '../../src/render/pages/topic.tsx';
import { pageCss, pageCssHash } from '../../src/render/templates.gen.ts';
import {
  article,
  BASE,
  digest,
  elements,
  everyPage,
  feedLinks,
  issue,
  ofClass,
  parse,
  READER,
  site,
  siteIn,
  textOf,
} from '../support/pages.ts';

const pages = everyPage(site);
const pageNamed = new Map(pages);

function links(html: string, rel: string): Element['properties'][] {
  return elements(parse(html), 'link')
    .map((link) => link.properties)
    .filter((properties) => [properties.rel].flat().includes(rel));
}

describe('every page', () => {
  test.each(pages)('%s is a document with one heading, one main part and a skip link to it', (_, html) => {
    const tree = parse(html);
    expect(html.startsWith('<!doctype html>\n<html ')).toBe(true);
    expect(elements(tree, 'h1')).toHaveLength(1);
    expect(elements(tree, 'main').map((main) => main.properties.id)).toEqual(['main']);
    expect(elements(tree, 'a')[0]?.properties.href).toBe('#main');
    expect(elements(tree, 'title')).toHaveLength(1);
  });

  test.each(pages)('%s needs no more than its own stylesheet', (_, html) => {
    const tree = parse(html);
    const names = elements(tree).flatMap((element) => Object.keys(element.properties));
    expect(names.filter((name) => /^(on|style$)/i.test(name))).toEqual([]);
    expect(elements(tree, 'script', 'base', 'object', 'embed')).toEqual([]);
    expect(elements(tree, 'style').map((style) => style.children)).toMatchObject([[{ type: 'text', value: pageCss }]]);
    expect(elements(tree, 'link').map((link) => link.properties.rel)).not.toContainEqual(['stylesheet']);
  });

  test('the hash for the policy is that of the stylesheet in the page', () => {
    expect(`sha256-${createHash('sha256').update(pageCss).digest('base64')}`).toBe(pageCssHash);
  });

  test.each(pages)('%s has a form only where somebody may act on their subscription', (name, html) => {
    const controls = elements(parse(html), 'form', 'button', 'input', 'select', 'textarea');
    expect(controls.length > 0).toBe(/^(unsubscribe, ask|confirm, ask.*|preferences(, s.*)?)$/.test(name));
  });

  test.each(pages.filter(([name]) => name !== 'welcome'))('%s leads home and to the imprint', (_, html) => {
    const hrefs = elements(parse(html), 'a').map((link) => link.properties.href);
    expect(hrefs).toContain('https://about.example/imprint');
    expect(hrefs).toContain('https://about.example/privacy');
    expect(hrefs).toContain('/feeds');
    expect(hrefs).toContain('/issues');
  });

  test.each(pages)('%s shows nobody’s e-mail address but on the outbox and to its owner', (name, html) => {
    expect(html.includes('ana@tide.example')).toBe(false);
    expect(html.includes('reader@example.com')).toBe(name === 'outbox');
    expect(html.includes(READER)).toBe(/^preferences(, s.*)?$/.test(name));
  });
});

describe('what publishers write is text', () => {
  const hostile = `</title></style>"><script>alert(1)</script><img src=x onerror='alert(1)'>&amp;`;
  const entry = {
    ...article,
    title: hostile,
    summary: hostile,
    html: '<p>Safe.</p>',
    authors: [{ name: hostile }],
    topics: ['boats'],
    source: { name: hostile },
    attachments: [
      {
        url: 'https://x.example/a',
        type: 'text/plain',
        length: 1,
        title: hostile,
      },
    ],
    image: { url: 'https://x.example/a.png', alt: hostile },
  };
  const publication = {
    ...site.publication,
    title: hostile,
    description: hostile,
    topics: [{ slug: 'boats', title: hostile, description: hostile }],
  };
  const hostileSite = {
    publication,
    feeds: [{ ...feedLinks(hostile)[0], title: hostile }] as typeof site.feeds,
  };
  const topic = { slug: 'boats', title: hostile };

  test.each([
    [
      'home',
      homePage(hostileSite, {
        articles: [entry, entry],
        issues: [],
        topics: [topic],
      }),
    ],
    [
      'article',
      articlePage(hostileSite, {
        article: entry,
        history: [{ revision: 2, updatedAt: entry.updatedAt, note: hostile }],
      }),
    ],
    ['topic', topicPage(hostileSite, { topic, articles: [entry], feeds: [] })],
    [
      'issue',
      issuePage(hostileSite, {
        issue: {
          ...issue,
          subject: hostile,
          intro: hostile,
          articles: [entry],
        },
        digest,
      }),
    ],
  ])('%s', (_, html) => {
    const tree = parse(html);
    expect(elements(tree, 'script')).toEqual([]);
    expect(elements(tree, 'img').map((image) => image.properties.src)).not.toContain('x');
    expect(textOf(elements(tree, 'h1')[0])).toBe(hostile);
    expect(textOf(elements(tree, 'title')[0])).toContain(hostile);
  });
});

describe('the head', () => {
  const topicFeeds = feedLinks('Boats', 'topics/boats/');

  test.each([
    ['home', site.feeds],
    ['article', site.feeds],
    ['topic', [...topicFeeds, ...site.feeds]],
    ['not found', site.feeds],
    ['welcome', []],
  ])('of %s announces its feeds in order', (name, feeds) => {
    const announced = links(pageNamed.get(name) ?? '', 'alternate').map(({ type, title, href }) => ({
      type,
      title,
      href,
    }));
    expect(announced).toEqual(feeds.map(({ type, title, url }) => ({ type, title, href: url })));
  });

  test.each([
    ['home', BASE],
    ['article', `${BASE}articles/ferry`],
    ['topic', `${BASE}topics/boats`],
    ['issues', `${BASE}issues`],
    ['issue', `${BASE}issues/weekly/12`],
    ['feeds', `${BASE}feeds`],
  ])('of %s names its canonical address', (name, address) => {
    const html = pageNamed.get(name) ?? '';
    expect(links(html, 'canonical').map((link) => link.href)).toEqual([address]);
    expect(html).not.toContain('noindex');
  });

  const hidden = pages.filter(([name]) => /^(not found|gone|outbox|unsub|subscribe|confirm|preferences)/.test(name));
  test.each(hidden)('of %s keeps search engines away', (_, html) => {
    expect(links(html, 'canonical')).toEqual([]);
    expect(html).toContain('<meta name="robots" content="noindex">');
  });

  test('an article published elsewhere keeps that address, letter by letter', () => {
    const url = 'https://bücher.example/a?b=1&c=2';
    const html = articlePage(site, { article: { ...article, url } });
    expect(links(html, 'canonical').map((link) => link.href)).toEqual([url]);
  });

  test.each([
    ['home', 'The Tide Table'],
    ['article', 'The ferry leaves on time · The Tide Table'],
    ['issue', 'Four crossings and a storm · The Weekly Tide · The Tide Table'],
  ])('of %s has the title %s', (name, title) => {
    expect(textOf(elements(parse(pageNamed.get(name) ?? ''), 'title')[0])).toBe(title);
  });

  test.each([
    ['home', 'News from a small harbour.'],
    ['article', 'For the first time since spring, all four crossings ran.'],
    ['topic', 'Whatever floats.'],
    ['feeds', 'News from a small harbour.'],
  ])('of %s describes it', (name, description) => {
    const metas = elements(parse(pageNamed.get(name) ?? ''), 'meta').map((meta) => meta.properties);
    expect(metas.find((meta) => meta.name === 'description')?.content).toBe(description);
    expect(metas.map((meta) => meta.name)).toEqual(expect.arrayContaining(['viewport', 'color-scheme']));
  });
});

describe('language', () => {
  test.each([
    ['en', 'ltr'],
    ['pt-BR', 'ltr'],
    ['ar', 'rtl'],
    ['he', 'rtl'],
    ['fa-IR', 'rtl'],
  ])('%s runs %s', (language, dir) => {
    for (const [name, html] of everyPage(siteIn(language)).filter(([name]) => name !== 'welcome')) {
      expect([name, elements(parse(html), 'html')[0]?.properties]).toEqual([name, { lang: language, dir }]);
    }
  });

  test('what the pages say themselves is marked as English elsewhere', () => {
    const [, html] = everyPage(siteIn('ar'))[0] ?? [];
    const marked = elements(parse(html ?? ''), 'span').filter((span) => span.properties.lang === 'en');
    expect(marked.every((span) => span.properties.dir === 'ltr')).toBe(true);
    expect(marked.map(textOf)).toContain('Latest issues');
    expect(pageNamed.get('home')).not.toContain('<span lang');
  });

  test.each([
    ['the publication’s own', 'en', {}],
    ['another', 'de', { lang: 'de', dir: 'ltr' }],
    ['one from right to left', 'ar', { lang: 'ar', dir: 'rtl' }],
  ])('an article in %s says so where its words are', (_, language, marks) => {
    const tree = parse(articlePage(site, { article: { ...article, language } }));
    const own = [elements(tree, 'h1')[0], ofClass(tree, 'prose')[0]];
    for (const element of own) {
      const { lang, dir } = element?.properties ?? {};
      expect({
        ...(lang !== undefined && { lang }),
        ...(dir !== undefined && { dir }),
      }).toEqual(marks);
    }
  });

  test.each([
    ['en', 'May 5, 2026'],
    ['de', '5. Mai 2026'],
    ['pt-BR', '5 de maio de 2026'],
    ['ja', '2026年5月5日'],
  ])('dates are written in %s', (language, text) => {
    const [time] = elements(parse(articlePage(siteIn(language), { article })), 'time');
    expect([time?.properties.dateTime, textOf(time)]).toEqual(['2026-05-05T13:30:00Z', text]);
  });
});

test('a publication below a path stays below it', () => {
  const below = {
    ...site,
    publication: { ...site.publication, baseUrl: 'https://host.example/tide/' },
  };
  const tree = parse(
    homePage(below, {
      articles: [],
      issues: [],
      topics: [{ slug: 'été', title: 'Été' }],
    }),
  );
  const own = elements(tree, 'a')
    .map((link) => String(link.properties.href))
    .filter((href) => href.startsWith('/'));
  expect(own).toEqual(['/tide/issues', '/tide/feeds', '/tide/topics/%C3%A9t%C3%A9', '/tide/feeds', '/tide/feeds']);
});
