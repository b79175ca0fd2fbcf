import { expect, test } from 'vitest';
import type { Entry } from '../../src/domain/article.ts';
import { chooseArticles } from '../../src/domain/digest-selection.ts';
import { entry } from '../support/mail.ts';

const NOW = '2026-03-10T12:00:00Z';
const newest = { topics: [] as string[], order: 'newest' as const };

function idsOf(articles: Entry[]): string[] {
  return articles.map(({ id }) => id.replace('urn:example:', ''));
}

const days = [2, 9, 5, 11].map((day) => entry(day));
const at = (publishedAt: string) => ({ publishedAt, updatedAt: publishedAt });

test.each([
  ['the newest first, nothing from the future', newest, days, ['9', '5', '2']],
  ['the oldest first when the digest says so', { ...newest, order: 'oldest' as const }, days, ['2', '5', '9']],
  ['nothing before the digest began', { ...newest, since: '2026-03-05T10:00:00Z' }, days, ['9', '5']],
  ['what is published at this very second', newest, [entry(1, at(NOW))], ['1']],
  [
    'times compared as times, not as text',
    newest,
    [entry(1, at('2026-03-10T13:30:00+02:00')), entry(2, at('2026-03-10T11:00:00Z'))],
    ['1', '2'],
  ],
  ['of the same instant, by id', newest, [entry(2, at(NOW)), entry(1, at(NOW))], ['1', '2']],
  ['an unreadable date is left out', newest, [entry(1, at('soon')), entry(2)], ['2']],
  [
    'only its topics',
    { ...newest, topics: ['ropes', 'knots'] },
    [entry(1), entry(2, { topics: ['knots', 'tides'] })],
    ['2'],
  ],
  ['no article, no choice', newest, [], []],
] as const)('%s', (_, digest, articles, ids) => {
  expect(idsOf(chooseArticles({ ...digest, topics: [...digest.topics] }, [...articles], NOW))).toEqual(ids);
});

test('an article that comes twice is taken once, by its latest revision', () => {
  const old = entry(1, { title: 'Old' });
  const corrected = entry(1, {
    title: 'Corrected',
    updatedAt: '2026-03-04T00:00:00Z',
  });
  for (const articles of [
    [old, corrected],
    [corrected, old],
  ]) {
    expect(chooseArticles(newest, articles, NOW).map(({ title }) => title)).toEqual(['Corrected']);
  }
});

test('the list given is not changed', () => {
  const given = [...days];
  chooseArticles(newest, given, NOW);
  expect(given).toEqual(days);
});
