import { direction } from '../../domain/publication.ts';

const DAY = { year: 'numeric', month: 'long', day: 'numeric' } as const;

/** Making a formatter of `Intl` costs more than rendering a whole page does, so each is made once. */
function perLanguage<T>(make: (language: string, timeZone: string) => T): (language: string, timeZone?: string) => T {
  const made = new Map<string, T>();
  return (language, timeZone = 'UTC') => {
    const key = `${language} ${timeZone}`;
    const format = made.get(key) ?? make(language, timeZone);
    made.set(key, format);
    return format;
  };
}

/** `direction`, of which the same holds. */
export const directions = perLanguage(direction);

/** Writes an instant's day, in a time zone. */
export const days = perLanguage((language, timeZone) => new Intl.DateTimeFormat(language, { ...DAY, timeZone }));

/** Writes an instant to the minute, and in which time zone that is. */
export const minutes = perLanguage((language, timeZone) => {
  const options = {
    ...DAY,
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  } as const;
  return new Intl.DateTimeFormat(language, options);
});

/** Joins names: "A, B and C". */
export const lists = perLanguage((language) => new Intl.ListFormat(language));

/** Writes a number of kilobytes (1,000 bytes). */
export const kilobytes = perLanguage((language) => new Intl.NumberFormat(language, bytes('kilobyte')));

/** Writes a number of megabytes (1,000,000 bytes). */
export const megabytes = perLanguage((language) => new Intl.NumberFormat(language, bytes('megabyte')));

function bytes(unit: string) {
  return { style: 'unit', unit, maximumSignificantDigits: 2 } as const;
}
