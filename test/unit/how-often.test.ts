import { describe, expect, test } from 'vitest';
import { howOften } from '../../src/render/how-often.ts';

const newYork = (cron: string) => howOften({ cron, timezone: 'America/New_York' });

describe('a simple pattern is told in words', () => {
  test.each([
    ['0 8 * * 5', 'Every Friday at 08:00, New York time'],
    ['5 17 * * 0', 'Every Sunday at 17:05, New York time'],
    ['05 07 * * 7', 'Every Sunday at 07:05, New York time'],
    ['0 8 * * mon', 'Every Monday at 08:00, New York time'],
    ['0 8 * * 4,MON', 'Every Monday and Thursday at 08:00, New York time'],
    ['0 8 * * 1-5', 'Every Monday, Tuesday, Wednesday, Thursday, and Friday at 08:00, New York time'],
    ['0 8 * * 6-7', 'Every Saturday and Sunday at 08:00, New York time'],
    ['0 0 * * *', 'Every day at 00:00, New York time'],
    ['30 9 1 * *', 'On the 1st of every month at 09:30, New York time'],
    ['30 9 2 * *', 'On the 2nd of every month at 09:30, New York time'],
    ['30 9 13 * *', 'On the 13th of every month at 09:30, New York time'],
    ['30 9 23 * *', 'On the 23rd of every month at 09:30, New York time'],
    [' 0  8 * *  5 ', 'Every Friday at 08:00, New York time'],
  ])('%s', (cron, words) => {
    expect(newYork(cron)).toBe(words);
  });
});

describe('no words rather than wrong ones', () => {
  test.each([
    ['several times a day', '0 8,20 * * *'],
    ['every so many hours', '0 */6 * * *'],
    ['several minutes', '0-30 8 * * 5'],
    ['single months', '0 8 1 1,7 *'],
    ['a day that not every month has', '0 8 31 * *'],
    ['no day of a month', '0 8 0 * *'],
    ['the last day', '0 8 L * *'],
    ['several days of the month', '0 8 1,15 * *'],
    ['both kinds of day', '0 8 1 * 5'],
    ['the first Friday', '0 8 * * 5#1'],
    ['a stepped week', '0 8 * * 1-5/2'],
    ['a week that ends before it begins', '0 8 * * 5-1'],
    ['a name of no day', '0 8 * * FRY'],
    ['an hour that is none', '0 24 * * 5'],
    ['a field too few', '0 8 * *'],
    ['a field too many', '0 0 8 * * 5'],
    ['nothing', ''],
  ])('%s', (_, cron) => {
    expect(newYork(cron)).toBe('');
  });
});

test.each([
  ['Europe/Lisbon', 'Every Friday at 08:00, Lisbon time'],
  ['America/Argentina/Buenos_Aires', 'Every Friday at 08:00, Buenos Aires time'],
  ['America/Port-au-Prince', 'Every Friday at 08:00, Port-au-Prince time'],
  ['UTC', 'Every Friday at 08:00 UTC'],
  ['Etc/UTC', 'Every Friday at 08:00 UTC'],
  ['Etc/GMT+5', ''],
  ['EST', ''],
])('whose clock it is: %s', (timezone, words) => {
  expect(howOften({ cron: '0 8 * * 5', timezone })).toBe(words);
});

test.each([
  ['de', 'Jeden Freitag um 08:00 Uhr (New York)', 'Am 1. jedes Monats um 13:30 Uhr (New York)'],
  ['fr-CA', 'Chaque vendredi à 08:00 (New York)', 'Le 1er de chaque mois à 13:30 (New York)'],
  ['es', 'Cada viernes a las 08:00 (New York)', 'El día 1 de cada mes a las 13:30 (New York)'],
  ['ar', 'أسبوعيًا، الجمعة، الساعة 08:00 (New\u00A0York)', 'في اليوم 1 من كل شهر الساعة 13:30 (New\u00A0York)'],
  ['tlh', 'Every Friday at 08:00, New York time', 'On the 1st of every month at 13:30, New York time'],
])('in the language of a mail: %s', (language, weekly, monthly) => {
  const timezone = 'America/New_York';
  expect(howOften({ cron: '0 8 * * 5', timezone }, language)).toBe(weekly);
  expect(howOften({ cron: '30 13 1 * *', timezone }, language)).toBe(monthly);
});
