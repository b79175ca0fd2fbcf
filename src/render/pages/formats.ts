import { direction } from '../../domain/publication.ts';

const DAY = { year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' } as const;

/** Making a formatter of `Intl` costs more than rendering a whole page does, so each is made once a language. */
function perLanguage<T>(make: (language: string) => T): (language: string) => T {
  const made = new Map<string, T>();
  return (language) => {
    const format = made.get(language) ?? make(language);
    made.set(language, format);
    return format;
  };
}

/** `direction`, of which the same holds. */
export const directions = perLanguage(direction);

/** Writes an instant's day, in UTC. */
export const days = perLanguage((language) => new Intl.DateTimeFormat(language, DAY));

/** Writes an instant to the minute, in UTC, and says that it is UTC. */
export const minutes = perLanguage(
  (language) =>
    new Intl.DateTimeFormat(language, { ...DAY, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }),
);

/** Joins names: "A, B and C". */
export const lists = perLanguage((language) => new Intl.ListFormat(language));

/** Writes a number of kilobytes (1,000 bytes). */
export const kilobytes = perLanguage((language) => new Intl.NumberFormat(language, bytes('kilobyte')));

/** Writes a number of megabytes (1,000,000 bytes). */
export const megabytes = perLanguage((language) => new Intl.NumberFormat(language, bytes('megabyte')));

function bytes(unit: string) {
  return { style: 'unit', unit, maximumSignificantDigits: 2 } as const;
}
