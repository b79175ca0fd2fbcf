import { truncateNetwork } from '../domain/consent.ts';
import { normaliseEmail } from '../domain/subscriber.ts';
import { instant } from '../domain/time.ts';
import type { CsvRecord } from './csv-read.ts';
import { rearm } from './csv-write.ts';
import { columnKey, type Layout, strictest } from './subscribers-columns.ts';
import { COMMON_WORDS, type Field, type ImportStatus } from './subscribers-sources.ts';

const MAX_PROOF_CHARACTERS = 500;
const MAX_SHOWN_CHARACTERS = 80;

/** A person as `POST /api/v1/subscribers/import` takes it. */
export interface ImportRow {
  line: number;
  email: string;
  status: ImportStatus;
  subscribedAt?: string;
  confirmedAt?: string;
  unsubscribedAt?: string;
  proof?: string;
}

/** What becomes of a record: a row to send; nothing, since that person never confirmed; or a fault to name. */
export type Verdict = { row: ImportRow } | { pending: true } | { fault: string };

/** Reads one record. The proof it finds has times only, and no full network address. */
export function readRow({ line, fields }: CsvRecord, layout: Layout): Verdict {
  if (fields.length < layout.width || fields.slice(layout.width).some((value) => value.trim() !== ''))
    return { fault: `there are ${fields.length} values, and ${layout.width} columns in the first line` };
  try {
    const value = (field: Field) => textOf(fields, layout, field);
    const email = normaliseEmail(value('email'));
    if (email === undefined)
      return { fault: value('email') ? `${shown(value('email'))} is no address` : 'the address is missing' };
    const status = statusOf(layout, value);
    return status === 'pending'
      ? { pending: true }
      : { row: { line, email, status, ...evidence(layout, value, status) } };
  } catch (error) {
    if (error instanceof RowFault) return { fault: error.message };
    throw error;
  }
}

class RowFault extends Error {}

type Values = (field: Field) => string;

function textOf(fields: readonly string[], { columns, source }: Layout, field: Field): string {
  const column = columns[field];
  const value = (column && fields[column.index]?.trim()) ?? '';
  return source.name === 'Broadside' ? rearm(value) : value;
}

function statusOf(layout: Layout, value: Values): ImportStatus | 'pending' {
  const told: (ImportStatus | 'pending')[] = [layout.floor];
  if (layout.columns.status) told.push(word(layout, value('status')));
  if (layout.columns.subscribed) told.push(flag(layout, 'subscribed', value) ? 'active' : 'unsubscribed');
  if (layout.columns.disabled) told.push(flag(layout, 'disabled', value) ? 'unsubscribed' : 'active');
  // Where there is a word, the time may be of somebody who left and came back.
  if (!layout.columns.status && value('unsubscribed_at')) told.push('unsubscribed');
  if (!layout.columns.status && value('bounced_at')) told.push('bounced');
  const known = told.filter((status) => status !== 'pending');
  return known.length < told.length ? 'pending' : strictest(known);
}

function word({ source, columns }: Layout, text: string): ImportStatus | 'pending' {
  const key = columnKey(text);
  const words = { ...COMMON_WORDS, ...source.words };
  const status = Object.hasOwn(words, key) ? words[key] : undefined;
  if (status !== undefined) return status;
  const name = columns.status?.name ?? '';
  throw new RowFault(text === '' ? `"${name}" is empty` : `"${name}" is ${shown(text)}, which is no known state`);
}

function flag({ columns }: Layout, field: Field, value: Values): boolean {
  const text = value(field).toLowerCase();
  if (['true', '1', 'yes'].includes(text)) return true;
  if (['false', '0', 'no'].includes(text)) return false;
  throw new RowFault(`"${columns[field]?.name}" is ${shown(text)}; it must be true or false`);
}

function evidence(layout: Layout, value: Values, status: ImportStatus): Partial<ImportRow> {
  const time = (field: Field) => timeOf(layout, field, value);
  const confirmedAt = time('confirmed_at');
  const subscribedAt = time('subscribed_at') ?? time('opted_in_at') ?? confirmedAt;
  const unsubscribedAt = status === 'active' ? undefined : (time('unsubscribed_at') ?? time('bounced_at'));
  const proof = withoutNetworks(value('proof')) || proofOfTimes(layout, time);
  return {
    ...(subscribedAt ? { subscribedAt } : {}),
    ...(confirmedAt ? { confirmedAt } : {}),
    ...(unsubscribedAt ? { unsubscribedAt } : {}),
    ...(proof ? { proof: proof.slice(0, MAX_PROOF_CHARACTERS) } : {}),
  };
}

function proofOfTimes({ source, columns }: Layout, time: (field: Field) => string | undefined): string {
  const times = source.proof.flatMap((field) => {
    const at = time(field);
    return at ? [`${columns[field]?.name} ${at}`] : [];
  });
  return times.length > 0 ? `${times.join(', ')} (${source.name})` : '';
}

/**
 * A date, with or without a time: ISO 8601, with a space for the T (Mailchimp), or as Go prints it (listmonk: `2024-05-06
 * 07:08:09.1 +0530 IST`). Without a zone it is UTC. Other orders of day and month would have to be guessed.
 */
const TIME =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?)? ?(?:Z|UTC|GMT|([+-]\d\d):?(\d\d)(?: [A-Z]{1,5}| [+-]\d{2,4})?)?$/;

function timeOf({ columns }: Layout, field: Field, value: Values): string | undefined {
  const text = value(field);
  if (text === '') return undefined;
  const [, day, minute = '00:00', second = '00', hours = '+00', minutes = '00'] = TIME.exec(text) ?? [];
  const at = new Date(`${day}T${minute}:${second}${hours}:${minutes}`);
  // February 30 would roll over into March.
  if (day !== undefined && !Number.isNaN(at.getTime()) && isDay(day)) return instant(at.getTime());
  throw new RowFault(`"${columns[field]?.name}" is ${shown(text)}; write times like 2026-05-04T09:00:00Z`);
}

function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

const NETWORK_V4 = /(?<![\w.:])\d{1,3}(?:\.\d{1,3}){3}(?:\/\d+)?(?!\w|\.\d)/g;
const NETWORK_V6 = /(?<![\w.:])[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}(?:(?:\.\d{1,3}){3})?(?:\/\d+)?(?!\w|\.\d)/gi;

/** Text on one line, its network addresses cut as everywhere in the consent record. */
function withoutNetworks(text: string): string {
  return text.replace(/\s+/g, ' ').replace(NETWORK_V4, cutNetwork).replace(NETWORK_V6, cutNetwork);
}

function cutNetwork(text: string): string {
  // Times of day and pairs of colons look like IPv6.
  if (/^(\d\d(:\d\d){1,2}|:+)$/.test(text)) return text;
  return truncateNetwork(text.replace(/\/.*/, '')) ?? text;
}

function shown(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text);
}
