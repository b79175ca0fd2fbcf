import { days, minutes } from './formats.ts';
import type { Site } from './views.ts';

interface TimeProps {
  site: Site;
  at: string;
  precision?: 'day' | 'minute';
  /** IANA name. */
  zone?: string | undefined;
}

/** An instant in the publication's language, to the day or to the minute, in UTC unless a zone is given. */
export function Time({ site, at, precision = 'day', zone }: TimeProps) {
  const format = (precision === 'day' ? days : minutes)(site.publication.language, zone);
  return <time datetime={at}>{format.format(new Date(at))}</time>;
}
