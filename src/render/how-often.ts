import type { Schedule } from '../domain/digest.ts';
import { stringsFor } from './strings.ts';

/** A pattern simple enough for a sentence; days of the week from Sunday, 0. */
type Rhythm = { kind: 'daily' } | { kind: 'weekly'; days: number[] } | { kind: 'monthly'; day: number };

const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
/** Every month has a day 28; later ones would make "every month" untrue. */
const LAST_DAY_OF_EVERY_MONTH = 28;

/**
 * A schedule in words: "Every Friday at 08:00, New York time". Empty when the pattern, or its zone, is none that a short
 * sentence tells rightly: several times a day, single months, the 29th to 31st, both kinds of day at once.
 *
 * @param language BCP 47; the words are English for a language we do not speak
 */
export function howOften({ cron, timezone }: Schedule, language = 'en'): string {
  const [minute = '', hour = '', day = '', month = '', weekday = '', more] = cron.trim().split(/\s+/);
  const rhythm = rhythmOf(day, weekday);
  const place = placeOf(timezone);
  if (!isNumber(minute, 59) || !isNumber(hour, 23) || month !== '*' || more !== undefined) return '';
  if (rhythm === undefined || place === undefined) return '';
  const words = stringsFor(language);
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  return words.due(inWords(rhythm, words), time, place);
}

function inWords(rhythm: Rhythm, words: ReturnType<typeof stringsFor>): string {
  if (rhythm.kind === 'daily') return words.everyDay;
  if (rhythm.kind === 'monthly') return words.everyMonth(rhythm.day);
  const format = new Intl.DateTimeFormat(words.locale, { weekday: 'long', timeZone: 'UTC' });
  // 4 January 1970 was a Sunday.
  const names = rhythm.days.map((day) => format.format(new Date(Date.UTC(1970, 0, 4 + day))));
  return words.everyWeek(new Intl.ListFormat(words.locale).format(names));
}

function rhythmOf(day: string, weekday: string): Rhythm | undefined {
  if (day === '*' && weekday === '*') return { kind: 'daily' };
  if (weekday === '*') {
    return isNumber(day, LAST_DAY_OF_EVERY_MONTH) && Number(day) > 0
      ? { kind: 'monthly', day: Number(day) }
      : undefined;
  }
  const days = weekdays(weekday);
  return day === '*' && days !== undefined ? { kind: 'weekly', days } : undefined;
}

/** Monday first, as a week is read; undefined for ranges with steps, `5L`, `5#1` and the like. */
function weekdays(field: string): number[] | undefined {
  const found = new Set<number>();
  for (const part of field.split(',')) {
    const [from = -1, to = from, more] = part.split('-').map(weekdayNumber);
    if (from < 0 || to < from || more !== undefined) return undefined;
    for (let day = from; day <= to; day++) found.add(day % 7);
  }
  return [...found].sort((a, b) => ((a + 6) % 7) - ((b + 6) % 7));
}

function weekdayNumber(text: string): number {
  return isNumber(text, 7) ? Number(text) : WEEKDAYS.indexOf(text.toUpperCase());
}

function isNumber(text: string, max: number): boolean {
  return /^\d{1,2}$/.test(text) && Number(text) <= max;
}

/** The city that an IANA zone is named for. `Etc/GMT+5` is west of Greenwich, which nobody would guess: undefined. */
function placeOf(timezone: string): { city: string } | { zone: 'UTC' } | undefined {
  if (/^(Etc\/)?(UTC|UCT|Universal|Zulu|GMT|Greenwich)$/.test(timezone)) return { zone: 'UTC' };
  const city = timezone.split('/').slice(1).at(-1)?.replaceAll('_', ' ');
  return city === undefined || timezone.startsWith('Etc/') ? undefined : { city };
}
