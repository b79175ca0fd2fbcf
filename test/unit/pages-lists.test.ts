import { describe, expect, test } from 'vitest';
import { feedsPage } from '../../src/render/pages/feeds.tsx';
import { issuePage } from '../../src/render/pages/issue.tsx';
import { issuesPage } from '../../src/render/pages/issues.tsx';
import { topicPage } from '../../src/render/pages/topic.tsx';
import {
  article,
  BASE,
  digest,
  elements,
  feedLinks,
  group,
  issue,
  linksOf,
  ofClass,
  parse,
  site,
  summary,
  textOf,
} from '../support/pages.ts';

test.each([
  ['articles', [article], []],
  ['none', [], ['There is nothing on this topic at the moment. Its feeds will carry the next article on it.']],
])('topic with %s', (_, articles, notes) => {
  const topic = { slug: 'boats', title: 'Boats' };
  const tree = parse(
    topicPage(site, {
      topic,
      articles,
      feeds: feedLinks('Boats', 'topics/boats/'),
    }),
  );
  expect(ofClass(tree, 'headline').flatMap(linksOf)).toEqual(articles.map(({ title, url }) => [title, url]));
  expect(linksOf(ofClass(tree, 'follow')[0])[0]).toEqual(['RSS', `${BASE}topics/boats/rss.xml`]);
  expect(ofClass(tree, 'empty').map(textOf)).toEqual(notes);
});

test('issues stand under their digest, also when it is no more', () => {
  const issues = ['weekly', 'monthly', 'daily'].map((id) => ({
    ...summary,
    digest: id,
  }));
  const digests = [digest, { ...digest, id: 'monthly', title: 'The Monthly Tide' }];
  const tree = parse(issuesPage(site, { digests, issues }));
  expect(
    elements(tree, 'section').map((section) => [textOf(elements(section, 'h2')[0]), linksOf(section)[0]?.[1]]),
  ).toEqual([
    ['The Weekly Tide', '/issues/weekly/12'],
    ['The Monthly Tide', '/issues/monthly/12'],
    ['daily', '/issues/daily/12'],
  ]);
});

describe('issue', () => {
  test.each([
    ['summaries', '', 0, 2],
    ['whole articles', '<p>The whole text.</p>', 2, 0],
  ])('shows %s where those were frozen', (_, html, bodies, summaries) => {
    const articles = issue.articles.map((entry) => ({ ...entry, html }));
    const tree = parse(issuePage(site, { issue: { ...issue, articles }, digest }));
    expect(ofClass(tree, 'headline').flatMap(linksOf)).toEqual(articles.map(({ title, url }) => [title, url]));
    expect(ofClass(tree, 'prose').map(textOf)).toEqual(Array(bodies).fill('The whole text.'));
    expect(ofClass(tree, 'summary').map(textOf)).toEqual(Array(summaries).fill(article.summary));
  });

  test.each([
    ['sent', issue, 'Sent on May 9, 2026'],
    [
      'sent late in the day, by the digest’s own clock',
      { ...issue, releasedAt: '2026-05-09T23:30:00Z' },
      'Sent on May 10, 2026',
    ],
    ['held', withoutRelease(), 'Not sent yet'],
  ])('%s', (_, view, line) => {
    const [byline] = ofClass(parse(issuePage(site, { issue: view, digest })), 'byline');
    expect(elements(byline, 'span').map(textOf).join(' ')).toBe(line);
  });

  const first = { revision: 1, releasedAt: '2026-05-09T07:00:00Z' };
  const second = { revision: 2, releasedAt: '2026-05-10T07:00:00Z', reason: 'The tides were wrong.' };
  const revisions = [second, first];

  test.each([
    ['corrected', { ...issue, revision: 2, reason: second.reason }, ['Corrected: The tides were wrong.'], '2'],
    ['before it was corrected', issue, ['This is an earlier version. Read the corrected issue'], '1'],
  ])('%s', (_, view, said, current) => {
    const tree = parse(issuePage(site, { issue: view, digest, revisions }));
    expect(ofClass(tree, 'correction').map(textOf)).toEqual(said);
    const links = elements(tree, 'a').filter(({ properties }) => /revisions/.test(String(properties.href)));
    expect(links.flatMap(linksOf)).toEqual([
      ['Revision 2', '/issues/weekly/12/revisions/2'],
      ['Revision 1', '/issues/weekly/12/revisions/1'],
    ]);
    expect(links.filter(({ properties }) => properties.ariaCurrent).map(textOf)).toEqual([`Revision ${current}`]);
  });

  function withoutRelease() {
    const { releasedAt: _, ...held } = issue;
    return { ...held, status: 'held' as const };
  }

  test.each([
    [{}, [['All issues', '/issues']]],
    [
      { previous: 11 },
      [
        ['Previous: No. 11', '/issues/weekly/11'],
        ['All issues', '/issues'],
      ],
    ],
    [
      { next: 13 },
      [
        ['Next: No. 13', '/issues/weekly/13'],
        ['All issues', '/issues'],
      ],
    ],
  ])('neighbours of %o', (neighbours, expected) => {
    const tree = parse(issuePage(site, { issue, digest, ...neighbours }));
    expect(linksOf(elements(tree, 'nav')[1])).toEqual(expected);
  });

  test('an intro’s paragraphs stay apart', () => {
    const [intro] = ofClass(parse(issuePage(site, { issue, digest })), 'intro');
    expect(elements(intro, 'p').map(textOf)).toEqual(['Dear readers,', 'it was a calm week.']);
  });
});

test('feeds are written out so that they can be copied', () => {
  const tree = parse(feedsPage(site, { groups: [group], opml: '/opml.xml' }));
  const main = elements(tree, 'main')[0];
  expect(linksOf(main)).toEqual([
    [group.rss, group.rss],
    [group.atom, group.atom],
    [group.json, group.json],
    ['OPML', '/opml.xml'],
  ]);
});
