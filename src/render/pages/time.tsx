import { days, minutes } from './formats.ts';
import type { Site } from './views.ts';

/** An instant in the publication's language, in UTC, to the day or to the minute. */
export function Time({ site, at, precision = 'day' }: { site: Site; at: string; precision?: 'day' | 'minute' }) {
  const format = (precision === 'day' ? days : minutes)(site.publication.language);
  return <time datetime={at}>{format.format(new Date(at))}</time>;
}
