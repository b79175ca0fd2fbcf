import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nextOccurrence, occurrences, scheduleFaults } from '../../src/domain/schedule.ts';

const ADAPTER = resolve(import.meta.dirname, '../adapters/schedule.ts');

function adapter(input: unknown) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [ADAPTER], {
    input: typeof input === 'string' ? input : JSON.stringify(input),
    encoding: 'utf8',
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
    timeout: 20_000,
  });
  return { status, stdout, stderr };
}

describe('occurrences', () => {
  test.each([
    {
      what: 'a morning stays the same morning when the clocks go forward',
      schedule: ['30 7 * * *', 'Europe/Paris'],
      window: ['2027-03-27T00:00:00Z', '2027-03-30T00:00:00Z'],
      due: ['2027-03-27T06:30:00Z', '2027-03-28T05:30:00Z', '2027-03-29T05:30:00Z'],
    },
    {
      what: 'and when they go back',
      schedule: ['30 7 * * *', 'Europe/Paris'],
      window: ['2027-10-30T00:00:00Z', '2027-11-02T00:00:00Z'],
      due: ['2027-10-30T05:30:00Z', '2027-10-31T06:30:00Z', '2027-11-01T06:30:00Z'],
    },
    {
      what: 'a time that the spring leaves out comes once, right after the gap',
      schedule: ['15 2 * * *', 'Europe/Paris'],
      window: ['2027-03-27T12:00:00Z', '2027-03-29T12:00:00Z'],
      due: ['2027-03-28T01:00:00Z', '2027-03-29T00:15:00Z'],
    },
    {
      what: 'a time that the autumn has twice comes once',
      schedule: ['15 2 * * *', 'Europe/Paris'],
      window: ['2027-10-30T12:00:00Z', '2027-11-01T12:00:00Z'],
      due: ['2027-10-31T00:15:00Z', '2027-11-01T01:15:00Z'],
    },
    {
      what: 'every half hour goes on through the hour that comes twice',
      schedule: ['*/30 * * * *', 'Europe/Paris'],
      window: ['2027-10-31T00:00:00Z', '2027-10-31T02:00:00Z'],
      due: ['2027-10-31T00:00:00Z', '2027-10-31T00:30:00Z', '2027-10-31T01:00:00Z', '2027-10-31T01:30:00Z'],
    },
    {
      what: 'a gap of half an hour',
      schedule: ['10 2 * * *', 'Australia/Lord_Howe'],
      window: ['2026-10-03T00:00:00Z', '2026-10-05T00:00:00Z'],
      due: ['2026-10-03T15:30:00Z', '2026-10-04T15:10:00Z'],
    },
    {
      what: 'a midnight that does not exist',
      schedule: ['0 0 * * *', 'America/Sao_Paulo'],
      window: ['2018-11-03T12:00:00Z', '2018-11-05T12:00:00Z'],
      due: ['2018-11-04T03:00:00Z', '2018-11-05T02:00:00Z'],
    },
    {
      what: 'a weekly Wednesday in another hemisphere',
      schedule: ['0 18 * * 3', 'America/Los_Angeles'],
      window: ['2027-03-08T00:00:00Z', '2027-03-26T00:00:00Z'],
      due: ['2027-03-11T02:00:00Z', '2027-03-18T01:00:00Z', '2027-03-25T01:00:00Z'],
    },
    {
      what: 'weekday 1 is Monday',
      schedule: ['0 6 * * 1', 'UTC'],
      window: ['2027-02-01T00:00:00Z', '2027-02-14T00:00:00Z'],
      due: ['2027-02-01T06:00:00Z', '2027-02-08T06:00:00Z'],
    },
    {
      what: 'weekday 0 is Sunday',
      schedule: ['0 6 * * 0', 'UTC'],
      window: ['2027-02-01T00:00:00Z', '2027-02-14T00:00:00Z'],
      due: ['2027-02-07T06:00:00Z'],
    },
    {
      what: 'weekday 7 is Sunday too',
      schedule: ['0 6 * * 7', 'UTC'],
      window: ['2027-02-01T00:00:00Z', '2027-02-14T00:00:00Z'],
      due: ['2027-02-07T06:00:00Z'],
    },
    {
      what: 'the last day of each month, of a leap year too',
      schedule: ['0 6 L * *', 'UTC'],
      window: ['2028-02-01T00:00:00Z', '2028-05-01T00:00:00Z'],
      due: ['2028-02-29T06:00:00Z', '2028-03-31T06:00:00Z', '2028-04-30T06:00:00Z'],
    },
    {
      what: 'the start of the window counts, its end does not',
      schedule: ['0 * * * *', 'UTC'],
      window: ['2027-01-01T06:00:00Z', '2027-01-01T08:00:00Z'],
      due: ['2027-01-01T06:00:00Z', '2027-01-01T07:00:00Z'],
    },
    {
      what: 'an empty window',
      schedule: ['0 * * * *', 'UTC'],
      window: ['2027-01-01T06:00:00Z', '2027-01-01T06:00:00Z'],
      due: [],
    },
  ] as const)('$what', ({ schedule: [cron, timezone], window: [from, to], due }) => {
    expect(occurrences({ cron, timezone }, from, to)).toEqual(due);
  });

  test('windows that follow each other lose and double nothing', () => {
    const schedule = { cron: '20 */3 * * *', timezone: 'Europe/Paris' };
    const days = Array.from({ length: 9 }, (_, day) => `2027-03-${String(day + 24).padStart(2, '0')}`);
    const whole = occurrences(schedule, '2027-03-24T00:00:00Z', '2027-04-01T00:00:00Z');
    const bounds = days.slice(0, 8).map((day) => `${day}T00:00:00Z`);
    const parts = bounds.flatMap((from, index) =>
      occurrences(schedule, from, bounds[index + 1] ?? '2027-04-01T00:00:00Z'),
    );
    expect(parts).toEqual(whole);
  });

  test('nextOccurrence is later than the given instant', () => {
    const schedule = { cron: '0 6 29 2 *', timezone: 'UTC' };
    expect(nextOccurrence(schedule, '2027-01-01T00:00:00Z')).toBe('2028-02-29T06:00:00Z');
    expect(nextOccurrence(schedule, '2028-02-29T06:00:00Z')).toBe('2032-02-29T06:00:00Z');
  });
});

describe('scheduleFaults', () => {
  const FROM = '2027-01-01T00:00:00Z';

  test.each([
    ['0 6 * * 5', 'UTC'],
    ['*/5 * * * *', 'Asia/Kolkata'],
    ['58,3 * * * *', 'UTC'],
    ['58,2 6 * * *', 'UTC'],
    ['0 6 1,15 * MON-FRI', 'Pacific/Chatham'],
    ['0 6 * JAN,JUL FRI#2', 'Etc/GMT+2'],
    ['0 6 29 2 *', 'UTC'],
    ['  0   6 ? *  1 ', 'UTC'],
  ])('%s in %s can be used', (cron, timezone) => {
    expect(scheduleFaults({ cron, timezone }, FROM)).toEqual([]);
  });

  test.each([
    ['', /five fields/],
    ['0 6 * *', /five fields/],
    ['0 0 6 * * 1', /five fields/],
    ['0 6 1 1 * 2027', /five fields/],
    ['@weekly', /five fields/],
    ['@daily', /five fields/],
    ['a b c d e', /five fields/],
    ['61 6 * * *', /five fields/],
    ['0 24 * * *', /five fields/],
    ['0 6 0 * *', /five fields/],
    ['0 6 32 * *', /five fields/],
    ['0 6 * 13 *', /five fields/],
    ['0 6 * * 8', /five fields/],
    ['0 6 +1 * *', /five fields/],
    ['0 6 1-5/0 * *', /five fields/],
    ['0 6 30 2 *', /no occurrence in the next 4 years/],
    ['0 6 31 4,6,9,11 *', /no occurrence in the next 4 years/],
    ['* * * * *', /more often than every five minutes/],
    ['*/4 * * * *', /more often than every five minutes/],
    ['*/7 * * * *', /more often than every five minutes/],
    ['0,1 6 * * 1', /more often than every five minutes/],
    ['58,2 * * * *', /more often than every five minutes/],
    ['58,2 23,0 * * *', /more often than every five minutes/],
  ])('cron %j is refused by name', (cron, message) => {
    const faults = scheduleFaults({ cron, timezone: 'UTC' }, FROM);
    expect(faults).toEqual([{ field: 'cron', message: expect.stringMatching(message) }]);
    expect(faults[0]?.message).toContain(JSON.stringify(cron));
  });

  test.each(['', 'Moon/Tycho', '+02:00', '-05:00', 'UTC+2', 'Z', 'local', ' UTC', 'Europe/Paris\n', 'Europe'])(
    'zone %j is refused by name',
    (timezone) => {
      const faults = scheduleFaults({ cron: '0 6 * * *', timezone }, FROM);
      expect(faults).toEqual([{ field: 'timezone', message: expect.stringContaining('IANA name') }]);
      expect(faults[0]?.message).toContain(JSON.stringify(timezone));
    },
  );

  test('a day that comes every eight years is refused when it is too far away', () => {
    const leapDay = { cron: '0 6 29 2 *', timezone: 'UTC' };
    expect(scheduleFaults(leapDay, '2096-03-01T00:00:00Z')).toMatchObject([{ field: 'cron' }]);
    expect(scheduleFaults(leapDay, '2096-02-01T00:00:00Z')).toEqual([]);
  });

  test('occurrences throws what scheduleFaults says', () => {
    const schedule = { cron: '0 6 * * *', timezone: 'Moon/Tycho' };
    expect(() => occurrences(schedule, FROM, FROM)).toThrow(/^timezone: unknown time zone "Moon\/Tycho"/);
  });
});

describe('the adapter', () => {
  test('answers on stdout', () => {
    const schedule = { cron: '0 6 * * 1', timezone: 'UTC' };
    const { status, stdout } = adapter({ schedule, from: '2027-02-01T00:00:00Z', to: '2027-02-08T06:00:00Z' });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ occurrences: ['2027-02-01T06:00:00Z'] });
  });

  test.each([
    ['an unknown zone', { schedule: { cron: '0 6 * * *', timezone: 'Moon/Tycho' } }, /Moon\/Tycho/],
    ['no JSON', 'hello', /JSON/],
  ])('%s ends with 1 and a message on stderr', (_name, input, message) => {
    const { status, stdout, stderr } = adapter(
      typeof input === 'string' ? input : { ...input, from: '2027-02-01T00:00:00Z', to: '2027-02-08T00:00:00Z' },
    );
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
  });
});
