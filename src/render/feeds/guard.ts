import type { Entry } from '../../domain/article.ts';
import type { Person } from '../../domain/publication.ts';
import { instant, milliseconds } from '../../domain/time.ts';
import { cleanText } from '../body/characters.ts';
import { firstSentences } from '../body/sentences.ts';
import { htmlToText } from '../body/text.ts';
import { isEmail, isIri, webUrl } from './address.ts';
import { guardAttachment, guardImage } from './media.ts';
import { fitForXml } from './text.ts';

/** What was wrong with an entry and what became of it. `field` is a field's name in `Entry`. */
export interface EntryError {
  id: string;
  field: string;
  message: string;
}
type Report = (field: keyof Entry, message: string) => void;

const TITLE_CHARACTERS = 80;
const LANGUAGE = /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i;
/** ISO 8601 as RFC 3339 narrows it, with seconds, zone and even the time of day left out where people leave them out. */
const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:\d\d)?)?$/i;

/**
 * Entries that can go into any feed: published at `now`, newest first, each id once, every text fit for XML, every
 * address absolute, every date an instant. What cannot be repaired is left out, and `errors` says so.
 */
export function guardEntries(entries: Entry[], now: string): { entries: Entry[]; errors: EntryError[] } {
  const errors: EntryError[] = [];
  const byId = new Map<string, Entry>();
  const present = guardInstant(now);
  if (present === undefined) throw new RangeError(notADate(now, 'nothing can be listed'));
  for (const raw of entries) {
    const report: Report = (field, message) => errors.push({ id: fitForXml(raw.id), field, message });
    const entry = guardEntry(raw, report);
    if (!entry || entry.publishedAt > present) continue;
    const known = byId.get(entry.id);
    if (known) report('id', 'is there more than once; the version updated last is kept');
    if (!known || known.updatedAt < entry.updatedAt) byId.set(entry.id, entry);
  }
  return { entries: [...byId.values()].sort(newestFirst), errors };
}

function newestFirst(a: Entry, b: Entry): number {
  if (a.publishedAt !== b.publishedAt) return a.publishedAt < b.publishedAt ? 1 : -1;
  return a.id < b.id ? -1 : 1;
}

function guardEntry(raw: Entry, report: Report): Entry | undefined {
  const id = raw.id.trim();
  const url = webUrl(raw.url);
  const publishedAt = guardInstant(raw.publishedAt);
  if (!isIri(id) || fitForXml(id) !== id) return void report('id', 'is no absolute IRI; the entry is left out');
  if (url === undefined) return void report('url', 'is no absolute http or https URL; the entry is left out');
  if (publishedAt === undefined) return void report('publishedAt', notADate(raw.publishedAt, 'the entry is left out'));
  const summary = fitForXml(raw.summary ?? '').trim();
  return {
    id,
    url,
    title: guardTitle(raw, report),
    ...(summary === '' ? {} : { summary }),
    html: fitForXml(raw.html),
    authors: raw.authors.flatMap((person) => guardPerson(person, report) ?? []),
    topics: [...new Set(raw.topics.map(cleanText))].filter((topic) => topic !== ''),
    ...guardLanguage(raw.language, report),
    ...guardMedia(raw, report),
    publishedAt,
    updatedAt: guardUpdate(raw.updatedAt, publishedAt, report),
  };
}

/** Atom demands a title, readers list by it. */
function guardTitle(raw: Entry, report: Report): string {
  const title = cleanText(raw.title);
  if (title !== '') return title;
  report('title', 'is empty; the first words or the address stand in for it');
  const text = cleanText(raw.summary ?? '') || htmlToText(fitForXml(raw.html));
  return cleanText(firstSentences(text, raw.language ?? 'en', TITLE_CHARACTERS)) || raw.url;
}

/** An update before the publication counts as none, so that a feed's date moves when a scheduled entry appears. */
function guardUpdate(raw: string, publishedAt: string, report: Report): string {
  const updatedAt = guardInstant(raw);
  if (updatedAt === undefined) report('updatedAt', notADate(raw, 'the time of publication is used'));
  return updatedAt === undefined || updatedAt < publishedAt ? publishedAt : updatedAt;
}

function guardMedia(raw: Entry, report: Report): Pick<Entry, 'image' | 'attachments'> {
  const image = raw.image && guardImage(raw.image, (message) => report('image', message));
  const attachments = raw.attachments.flatMap(
    (file) => guardAttachment(file, (message) => report('attachments', message)) ?? [],
  );
  return { ...(image ? { image } : {}), attachments };
}

export function isLanguage(tag: string): boolean {
  return LANGUAGE.test(tag);
}

function guardLanguage(raw: string | undefined, report: Report): Pick<Entry, 'language'> {
  if (raw === undefined) return {};
  if (isLanguage(raw)) return { language: raw };
  report('language', `${JSON.stringify(raw)} is no BCP 47 language tag; the feed's own language holds`);
  return {};
}

/** A person with a name (the address or URL where none was given), or undefined when nothing at all is known. */
export function guardPerson(raw: Person, report: Report = () => undefined): Person | undefined {
  const email = raw.email === undefined ? '' : cleanText(raw.email);
  const url = raw.url === undefined ? undefined : webUrl(raw.url);
  if (email !== '' && !isEmail(email))
    report('authors', `${JSON.stringify(email)} is no e-mail address; it is left out`);
  if (raw.url !== undefined && url === undefined)
    report('authors', `${JSON.stringify(raw.url)} is no web address; it is left out`);
  const known = isEmail(email) ? email : undefined;
  const name = cleanText(raw.name) || known || url;
  if (name === undefined) return void report('authors', 'an author without a name is left out');
  return { name, ...(known ? { email: known } : {}), ...(url ? { url } : {}) };
}

/**
 * A written date as an instant of whole seconds, or undefined when it is none. A date without a time zone is read as
 * UTC, so that the result does not depend on the machine; 30 February is no date.
 */
export function guardInstant(raw: string): string | undefined {
  const [, day, time = '00:00', zone = 'Z'] = DATE.exec(raw.trim()) ?? [];
  if (day === undefined) return undefined;
  const midnight = milliseconds(`${day}T00:00Z`);
  const at = milliseconds(`${day}T${time}${zone.toUpperCase()}`);
  if (Number.isNaN(at) || !instant(midnight).startsWith(day)) return undefined;
  const year = new Date(at).getUTCFullYear();
  return year >= 1 && year <= 9999 ? instant(at) : undefined;
}

function notADate(raw: string, consequence: string): string {
  return `${JSON.stringify(raw)} is no date such as 2026-05-06T08:00:00Z; ${consequence}`;
}
