import type { Root } from 'hast';
import { describe, expect, test } from 'vitest';
import type { Article } from '../../src/domain/article.ts';
import { articlePage } from '../../src/render/pages/article.tsx';
import { article, BASE, elements, history, linksOf, ofClass, parse, site, textOf } from '../support/pages.ts';

function articleTree(change: Partial<Article>, revisions = history.slice(0, change.revision ?? 1)): Root {
  return parse(
    articlePage(site, {
      article: { ...article, ...change },
      history: revisions,
    }),
  );
}

describe('article', () => {
  test.each<[names: string, authors: string[], byline: string]>([
    ['none', [], 'May 5, 2026'],
    ['one', ['Ana'], 'By Ana May 5, 2026'],
    ['two', ['Ana', 'Bo'], 'By Ana and Bo May 5, 2026'],
    ['three', ['Ana', 'Bo', 'Cy'], 'By Ana, Bo, and Cy May 5, 2026'],
  ])('byline with %s', (_, names, byline) => {
    const [line] = ofClass(articleTree({ authors: names.map((name) => ({ name })) }), 'byline');
    expect(elements(line, 'time', 'span').map(textOf).join(' ')).toBe(byline);
  });

  test('an author’s name leads to the author, and to no mailbox', () => {
    expect(linksOf(ofClass(articleTree({}), 'byline')[0])).toEqual([['Ana Ro', 'https://ana.example/']]);
  });

  test.each([
    ['untouched', 1, history.slice(0, 1), ''],
    ['corrected, with the latest note', 3, history, 'Corrected on May 6, 2026: The fare is 2 euros, not 3.'],
    ['changed in silence', 2, history.slice(0, 1), 'Updated on May 7, 2026'],
  ])('%s', (_, revision, revisions, line) => {
    const tree = articleTree({ revision, updatedAt: '2026-05-07T10:00:00Z' }, revisions);
    const opening = ofClass(tree, 'opening')[0];
    const shown = elements(opening, 'p')
      .map(textOf)
      .filter((text) => /^(Corrected|Updated)/.test(text));
    expect(shown).toEqual(line === '' ? [] : [line]);
  });

  test('several revisions are listed, newest first', () => {
    const section = elements(articleTree({ revision: 3 }, [...history].reverse()), 'section').find(
      (element) => element.properties.ariaLabelledBy?.toString() === 'revisions',
    );
    expect(elements(section, 'li').map(textOf)).toEqual([
      'Revision 3 May 7, 2026 at 10:00 AM UTC',
      'Revision 2 May 6, 2026 at 8:05 AM UTC The fare is 2 euros, not 3.',
      'Revision 1 May 5, 2026 at 1:30 PM UTC',
    ]);
    expect(textOf(articleTree({}))).not.toContain('Revisions');
  });

  test.each([
    ['<pre><code>a &#x3C;pre> b</code></pre>', '<pre tabindex="0"><code>a &#x3C;pre> b</code></pre>'],
    ['<table border="1"></table>', '<table border="1" tabindex="0"></table>'],
    ['<p title="<pre>">x</p><pre>y</pre>', '<p title="<pre>">x</p><pre tabindex="0">y</pre>'],
    ['<p title="a > <table>">x</p>', '<p title="a > <table>">x</p>'],
    ['<p>No code.</p>', '<p>No code.</p>'],
  ])('what may scroll can be reached by keyboard: %s', (html, shown) => {
    expect(articlePage(site, { article: { ...article, html } })).toContain(`<div class="prose">${shown}</div>`);
  });

  test('Open Graph', () => {
    const metas = elements(articleTree({}), 'meta').flatMap(({ properties: { property, content } }) =>
      property === undefined ? [] : [[property, content]],
    );
    expect(Object.fromEntries(metas)).toEqual({
      'og:type': 'article',
      'og:site_name': 'The Tide Table',
      'og:title': 'The ferry leaves on time',
      'og:description': 'For the first time since spring, all four crossings ran.',
      'og:url': 'https://tide.example/articles/ferry',
      'og:image': article.image?.url,
      'og:image:alt': 'The ferry at the pier',
      'og:image:width': '1200',
      'og:image:height': '600',
      'article:published_time': '2026-05-05T13:30:00Z',
      'article:modified_time': '2026-05-05T13:30:00Z',
    });
  });

  test.each([
    [999, '1 kB'],
    [45_678, '46 kB'],
    [12_345_678, '12 MB'],
    [1_500_000, '1.5 MB'],
  ])('an attachment of %i bytes is shown as %s', (length, size) => {
    const tree = articleTree({
      attachments: [{ url: `${BASE}files/map.pdf`, type: 'application/pdf', length }],
    });
    const section = elements(tree, 'section').find(
      (element) => element.properties.ariaLabelledBy?.toString() === 'attachments',
    );
    expect(textOf(elements(section, 'li')[0])).toBe(`map.pdf application/pdf · ${size}`);
  });

  test('shows the sanitised body as it is, topics, source and picture', () => {
    const html = articlePage(site, { article });
    expect(html).toContain('<blockquote><p>Mind the step.</p></blockquote>');
    expect(linksOf(parse(html))).toEqual(
      expect.arrayContaining([
        ['Boats & Ferries', '/topics/boats'],
        ['timetables', '/topics/timetables'],
        ['Harbour Office', 'https://office.example/'],
      ]),
    );
    expect(elements(parse(html), 'img')[0]?.properties).toMatchObject({
      alt: 'The ferry at the pier',
      width: 1200,
      height: 600,
    });
  });
});
