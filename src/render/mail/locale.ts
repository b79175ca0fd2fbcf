import { isUnset } from '../../domain/time.ts';

/** A language tag that `Intl` takes: the given one, or English when it is malformed. */
export function localeFor(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** A day in words, in a time zone, held together by no-break spaces: `May 6, 2026`. Empty when `text` is no time. */
export function formatDate(text: string, language: string, timezone: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) || isUnset(text)
    ? ''
    : dayFormat(language, timezone).format(date).replaceAll(' ', '\u00A0');
}

/** From the earliest to the latest day: `May 4 – 12, 2026`. Undefined when there is no readable time. */
export function dateRange(texts: string[], language: string, timezone: string): string | undefined {
  const times = texts
    .filter((text) => !isUnset(text))
    .map((text) => new Date(text).getTime())
    .filter((time) => !Number.isNaN(time));
  if (times.length === 0) return undefined;
  const range = dayFormat(language, timezone).formatRange(Math.min(...times), Math.max(...times));
  // Thin spaces, which ICU puts around the dash, are missing from many fonts.
  return range.replace(/[\u2009\u202F]/g, ' ');
}

export function formatNumber(number: number, language: string): string {
  return new Intl.NumberFormat(localeFor(language)).format(number);
}

/** `A, B and C`. */
export function formatList(items: string[], language: string): string {
  return items.length === 1 ? (items[0] ?? '') : new Intl.ListFormat(localeFor(language)).format(items);
}

let latest: { language: string; timeZone: string; format: Intl.DateTimeFormat } | undefined;

/** The formatter of the mail at hand is kept: making one costs as much as filling a whole digest. */
function dayFormat(language: string, timeZone: string): Intl.DateTimeFormat {
  if (latest?.language !== language || latest.timeZone !== timeZone) {
    const format = new Intl.DateTimeFormat(localeFor(language), {
      dateStyle: 'long',
      timeZone,
    });
    latest = { language, timeZone, format };
  }
  return latest.format;
}
