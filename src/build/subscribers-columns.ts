import { basename } from 'node:path';
import { normaliseEmail } from '../domain/subscriber.ts';
import { UserError } from './fault.ts';
import { FIELDS, type Field, type ImportStatus, OTHER, SOURCES, type Source, STATUSES } from './subscribers-sources.ts';

/** How the records of a file are read. */
export interface Layout {
  source: Source;
  width: number;
  /** Where the field of a person stands in a record, and what the file calls that column. */
  columns: Partial<Record<Field, { index: number; name: string }>>;
  /** The state of everybody in the file, as far as its name, its columns or the command line tell. */
  floor: ImportStatus | 'pending';
}

/** The letters and digits of a column's name or of a word in it: `E-Mail address` and `email_address` are the same. */
export function columnKey(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/**
 * Finds out what a file is from its header.
 * @param map the field of each `--map`, with the column it names; an empty name leaves the field out
 * @param status `--status`; it is believed more than the file's name and columns
 * @throws UserError when there is no column of addresses, or none of the name that was given
 */
export function recogniseLayout(
  path: string,
  header: readonly string[],
  map: ReadonlyMap<Field, string>,
  status: ImportStatus | undefined,
): Layout {
  const keys = header.map(columnKey);
  const source = SOURCES.find(({ signatures }) => signatures.some((set) => set.every((key) => keys.includes(key))));
  const columns: Layout['columns'] = {};
  for (const field of FIELDS) {
    const index = map.has(field)
      ? mappedColumn(header, field, map.get(field) ?? '')
      : knownColumn(keys, (source ?? OTHER).columns[field] ?? []);
    if (index >= 0) columns[field] = { index, name: header[index] ?? '' };
  }
  if (!columns.email) throw noAddresses(path, header);
  const layout = { source: source ?? OTHER, width: header.length, columns, floor: status ?? ('active' as const) };
  return status ? layout : { ...layout, floor: floorOf(path, layout) };
}

/** What was recognised, in a sentence: `Looks like an export of Ghost: email ← "email", subscribed ← …`. */
export function describeLayout({ source, columns, floor }: Layout): string {
  const found = FIELDS.flatMap((field) => (columns[field] ? [`${field} ← "${columns[field].name}"`] : []));
  const all = columns.status || columns.subscribed || columns.disabled ? '' : `; everybody in it is ${floor}`;
  const kind = source === OTHER ? 'Not the export of a known service' : `Looks like an export of ${source.name}`;
  return `${kind}: ${found.join(', ')}${all}.`;
}

function mappedColumn(header: readonly string[], field: Field, name: string): number {
  if (name === '') return -1;
  const exact = header.indexOf(name);
  const index = exact >= 0 ? exact : header.findIndex((each) => columnKey(each) === columnKey(name));
  if (index >= 0) return index;
  throw new UserError(`--map ${field}="${name}": there is no such column. ${listColumns(header)}`);
}

function knownColumn(keys: readonly string[], names: readonly string[]): number {
  return names.map((name) => keys.indexOf(name)).find((index) => index >= 0) ?? -1;
}

function noAddresses(path: string, header: readonly string[]): UserError {
  if (header.some((cell) => normaliseEmail(cell) !== undefined))
    return new UserError(`${path}:1: there is an address where the names of the columns should be. Add a first line.`);
  return new UserError(`${path}:1: which column has the addresses? Say it: --map email="…". ${listColumns(header)}`);
}

function listColumns(header: readonly string[]): string {
  return `The columns are: ${header.map((name) => `"${name}"`).join(', ')}.`;
}

/** What the file as a whole tells about the state of the people in it. */
function floorOf(path: string, { source, columns }: Layout): ImportStatus | 'pending' {
  if (columns.status || columns.subscribed || columns.disabled) return 'active';
  const name = basename(path).toLowerCase();
  if (source.name === 'Mailchimp') return mailchimpFloor(name, columns);
  const hint = /unsubscri|bounce|clean|complain|suppress|block/.exec(name)?.[0];
  if (hint === undefined) return 'active';
  throw new UserError(
    `${path} has no column of states, and "${hint}" in its name: say --status ${STATUSES.join(', ')}, whichever it is.`,
  );
}

/** Mailchimp writes a file for each state, whose name begins with it, and only two of them have certain columns. */
function mailchimpFloor(name: string, columns: Layout['columns']): ImportStatus | 'pending' {
  if (/non[-_]?subscribed/.test(name)) return 'pending';
  if (columns.bounced_at || name.includes('cleaned')) return 'bounced';
  return columns.unsubscribed_at || name.includes('unsubscribed') ? 'unsubscribed' : 'active';
}

/** The strictest of several states. */
export function strictest(statuses: readonly ImportStatus[]): ImportStatus {
  return STATUSES[Math.max(0, ...statuses.map((status) => STATUSES.indexOf(status)))] ?? 'active';
}
