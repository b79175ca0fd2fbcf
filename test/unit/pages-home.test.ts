import { describe, expect, test } from 'vitest';
import { homePage } from '../../src/render/pages/home.tsx';
import {
  article,
  BASE,
  digest,
  elements,
  linksOf,
  longTitle,
  ofClass,
  parse,
  site,
  summary,
  textOf,
} from '../support/pages.ts';

describe('home', () => {
  const tree = parse(
    homePage(site, {
      articles: [article, longTitle],
      issues: [summary],
      topics: [{ slug: 'boats', title: 'x' }],
    }),
  );

  test('lists articles in order, each heading a link to its own address', () => {
    const headings = ofClass(tree, 'headline').filter((element) => element.tagName === 'h2');
    expect(headings.flatMap(linksOf)).toEqual([
      [article.title, article.url],
      [longTitle.title, longTitle.url],
    ]);
    expect(textOf(ofClass(tree, 'lead')[0])).toContain(article.title);
  });

  test('leads to feeds, issues and topics', () => {
    const side = ofClass(tree, 'side')[0];
    expect(linksOf(side)).toEqual([
      ['Four crossings and a storm', '/issues/weekly/12'],
      ['All issues', '/issues'],
      ['Boats & Ferries', '/topics/boats'],
      ['RSS', `${BASE}rss.xml`],
      ['Atom', `${BASE}atom.xml`],
      ['JSON Feed', `${BASE}feed.json`],
      ['All feeds, and how to use them', '/feeds'],
    ]);
  });

  test('names the digest of an issue only where there are several', () => {
    const digests = [digest, { ...digest, id: 'monthly', title: 'The Monthly Tide' }];
    const several = { ...site, publication: { ...site.publication, digests } };
    const line = (of: typeof site) => {
      const page = parse(
        homePage(of, {
          articles: [],
          issues: [{ ...summary, revision: 2 }],
          topics: [],
        }),
      );
      return textOf(elements(page, 'li').find((item) => textOf(item).includes('Four crossings')));
    };
    expect(line(site)).toBe('No. 12 · May 9, 2026 · corrected Four crossings and a storm');
    expect(line(several)).toBe('The Weekly Tide No. 12 · May 9, 2026 · corrected Four crossings and a storm');
  });

  test('says kindly that there is nothing yet', () => {
    const empty = parse(homePage(site, { articles: [], issues: [], topics: [] }));
    expect(textOf(ofClass(empty, 'empty')[0])).toContain('Nothing has been published here yet.');
    expect(elements(empty, 'h2').map(textOf)).toEqual(['Feeds']);
  });
});
