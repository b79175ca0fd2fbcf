import { milliseconds } from '../domain/time.ts';

/** What a representation is compared by. */
export interface Validators {
  /** With its quotes, and `W/` when weak. */
  etag: string;
  /** Unix seconds. */
  lastModified?: number;
}

/**
 * What the preconditions of a GET or HEAD ask for, in the order of RFC 9110 section 13.2.2: 412 when If-Match fails,
 * 304 when the client has the bytes, else 200. If-None-Match beats If-Modified-Since.
 */
export function evaluate(headers: Headers, { etag, lastModified }: Validators): 200 | 304 | 412 {
  const ifMatch = headers.get('if-match');
  if (ifMatch !== null && !matchesStrongly(ifMatch, etag)) return 412;
  const ifNoneMatch = headers.get('if-none-match');
  if (ifNoneMatch !== null) return matches(ifNoneMatch, etag) ? 304 : 200;
  const since = httpDate(headers.get('if-modified-since'));
  return since !== undefined && lastModified !== undefined && lastModified <= since ? 304 : 200;
}

/** An HTTP-date in IMF-fixdate form (RFC 9110 section 5.6.7). @param seconds Unix seconds */
export function imfFixdate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}

/**
 * Weak comparison (RFC 9110 section 8.8.3.2) with each tag of a list, or `*`. Apache appends `-gzip` to tags of what it
 * compresses, and clients behind it send that back.
 */
function matches(list: string, etag: string): boolean {
  if (list.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return tagsOf(list).some((tag) => tag.replace(/^W\//, '').replace(/-gzip"$/, '"') === opaque);
}

/** Strong comparison, as If-Match demands (RFC 9110 section 13.1.1): a weak tag is equal to none, itself included. */
function matchesStrongly(list: string, etag: string): boolean {
  return list.trim() === '*' || (!etag.startsWith('W/') && tagsOf(list).includes(etag));
}

function tagsOf(list: string): string[] {
  return list.match(/(?:W\/)?"[^"]*"/g) ?? [];
}

const MONTHS = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
const HTTP_DATE = new RegExp(
  `^(?:[A-Z][a-z]{2}, \\d\\d (?:${MONTHS}) \\d{4}|[A-Z][a-z]+, \\d\\d-(?:${MONTHS})-\\d\\d|[A-Z][a-z]{2} (?:${MONTHS}) [ \\d]\\d) \\d\\d:\\d\\d:\\d\\d(?: GMT| \\d{4})$`,
);

/** Unix seconds of an HTTP-date in any of the three forms of RFC 9110 section 5.6.7; undefined when it is none. */
function httpDate(value: string | null): number | undefined {
  if (value === null || !HTTP_DATE.test(value)) return undefined;
  // asctime has no zone; all HTTP-dates are UTC.
  const time = milliseconds(value.endsWith('GMT') ? value : `${value} GMT`);
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000);
}
