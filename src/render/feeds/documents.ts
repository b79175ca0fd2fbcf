import type { Entry } from '../../domain/article.ts';
import { compose, type Draft } from './draft.ts';
import { type EntryError, guardEntries } from './guard.ts';
import { type FeedMeta, guardMeta } from './meta.ts';
import { toHtml } from './text.ts';

export type { FeedMeta } from './meta.ts';

/** The three documents, exact to the byte; `updatedAt` is the newest date in them. */
export interface FeedDocuments {
  rss: string;
  atom: string;
  json: string;
  updatedAt: string;
  /** What was repaired or left out, per entry. */
  errors: EntryError[];
}

/** Entries a feed lists at most. */
export const FEED_ENTRIES = 50;
/** Some readers refuse more than 500 KB. */
export const FEED_BYTES = 500_000;

/**
 * RSS 2.0, Atom 1.0 and JSON Feed 1.1 of the same entries: those published at `now`, the newest 50, less the oldest
 * that would make any of the documents larger than 500,000 bytes. Equal input gives equal bytes: nothing in them is
 * taken from the clock. A faulty entry is repaired or left out and named in `errors`; it never fails the feed.
 * @throws RangeError when `now` is no date or one of the feed's own addresses is none.
 */
export function renderFeeds(meta: FeedMeta, entries: Entry[], now: string): FeedDocuments {
  const guarded = guardEntries(entries, now);
  const { errors } = guarded;
  const listed = guarded.entries.slice(0, FEED_ENTRIES).flatMap((entry) => withContent(entry, errors));
  const { rss, atom, json, updatedAt } = choose(guardMeta(meta), listed, errors);
  return { rss, atom, json, updatedAt, errors };
}

/**
 * Drops entries from the oldest until each document fits. One that never could is replaced, and everything is chosen
 * anew. Bodies have at least as many bytes as characters, so entries after 500,000 characters are not even tried.
 */
function choose(meta: FeedMeta, listed: Entry[], errors: EntryError[]): Draft {
  const lengths = listed.map((entry) => entry.html.length);
  const entries = listed.slice(0, howMany(lengths, FEED_BYTES));
  const draft = compose(meta, entries);
  if ([draft.rss, draft.atom, draft.json].every(isSmall)) return draft;
  const sizes = draft.measure();
  const tooBig = entries.filter((_, index) => sizes.some(({ head, each }) => head + (each[index] ?? 0) > FEED_BYTES));
  if (tooBig.length > 0) {
    const kept = listed.flatMap((entry) => (tooBig.includes(entry) ? reduce(entry, errors) : [entry]));
    return choose(meta, kept, errors);
  }
  const counts = sizes.map(({ head, each }) => howMany(each, FEED_BYTES - head));
  return compose(meta, entries.slice(0, Math.min(...counts)));
}

const encoder = new TextEncoder();
const room = new Uint8Array(FEED_BYTES);

/** Encoding into a room that is there already takes half the time of making one. */
function isSmall(document: string): boolean {
  return encoder.encodeInto(document, room).read === document.length;
}

/** How many leading sizes have a sum of at most `most`. */
function howMany(sizes: number[], most: number): number {
  let sum = 0;
  const end = sizes.findIndex((size) => {
    sum += size;
    return sum > most;
  });
  return end === -1 ? sizes.length : end;
}

/** An entry without a body, or with one no feed could hold, shows its summary and a link. */
function withContent(entry: Entry, errors: EntryError[]): Entry[] {
  const full = entry.html.trim() === '' ? shorten(entry) : entry;
  return full.html.length > FEED_BYTES ? reduce(full, errors) : [full];
}

function reduce(entry: Entry, errors: EntryError[]): Entry[] {
  const short = shorten(entry);
  const helps = short.html.length < Math.min(entry.html.length, FEED_BYTES);
  const consequence = helps ? 'a link to the page stands in for it' : 'the entry is left out';
  errors.push({ id: entry.id, field: 'html', message: `is too large for a feed; ${consequence}` });
  return helps ? [short] : [];
}

function shorten(entry: Entry): Entry {
  const summary = entry.summary === undefined ? '' : `<p>${toHtml(entry.summary)}</p>\n`;
  const link = `<a href="${toHtml(entry.url)}">Read on: ${toHtml(entry.title)}</a>`;
  return { ...entry, html: `${summary}<p>${link}</p>` };
}
