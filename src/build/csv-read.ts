import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { CsvError, parse } from 'csv-parse';
import { UserError } from './fault.ts';

/** More than any export writes for one person; a quotation mark that is never closed meets it instead of the memory. */
const MAX_RECORD_BYTES = 131_072;
const MAX_LINE_BYTES = 1_048_576;
const SEPARATORS = [',', ';', '\t'] as const;

export interface CsvRecord {
  /** Where the record begins in the file, from 1; line breaks inside quoted fields count. */
  line: number;
  fields: string[];
}

export interface CsvFile {
  header: CsvRecord;
  /** What follows the header, read while it is consumed: never more than a chunk of the file is held. */
  records: AsyncIterable<CsvRecord>;
}

/**
 * Opens a CSV file: RFC 4180, with LF, CRLF or CR, separated by commas, semicolons or tabs, whichever the first line
 * has most of; UTF-8, or UTF-16 with a byte order mark. Stray quotation marks are kept as text.
 * @throws UserError when it cannot be read; while records are read, too, with the line
 */
export async function openCsv(path: string): Promise<CsvFile> {
  const source = utf8Lines(path);
  const first = await source.next();
  if (first.done) throw new UserError(`${path} is empty.`);
  const records = parseRecords(path, prepend(first.value, source), separatorOf(first.value.toString()));
  const header = await records.next();
  if (header.done) throw new UserError(`${path} is empty.`);
  return { header: header.value, records };
}

async function* parseRecords(
  path: string,
  source: AsyncIterable<Buffer>,
  delimiter: string,
): AsyncGenerator<CsvRecord, undefined> {
  const { feed, finish } = recordParser(delimiter);
  let line = 1;
  function* located({ records, error }: Parsed): Generator<CsvRecord> {
    for (const fields of records) {
      if (fields.some((field) => field.trim() !== '')) yield { line, fields };
      line += 1 + fields.reduce((sum, field) => sum + lineBreaks(field), 0);
    }
    if (error) throw error instanceof CsvError ? new UserError(`${path}:${line}: ${problemOf(error)}`) : error;
  }
  for await (const piece of source) yield* located(await feed(piece));
  yield* located(await finish());
}

interface Parsed {
  /** The records that were completed. */
  records: string[][];
  error: Error | null | undefined;
}

/** Not read as a stream, since that drops the records before an error, and with them the count of lines. */
function recordParser(delimiter: string) {
  let records: string[][] = [];
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: MAX_RECORD_BYTES,
    on_record: (record) => {
      records.push(record);
      return null;
    },
  });
  parser.on('error', () => undefined);
  const take = (error: Error | null | undefined): Parsed => {
    const taken = { records, error };
    records = [];
    return taken;
  };
  return {
    feed: (piece: Buffer) => new Promise<Parsed>((resolve) => parser.write(piece, (error) => resolve(take(error)))),
    finish: () => new Promise<Parsed>((resolve) => parser.end((error?: Error | null) => resolve(take(error)))),
  };
}

function problemOf({ code, message }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'a quotation mark is opened in this record and never closed.';
  if (code === 'CSV_MAX_RECORD_SIZE')
    return 'the record that begins here does not end: is a quotation mark not closed?';
  return message;
}

/** The separator that the first line has most of outside of quotation marks. */
function separatorOf(text: string): string {
  const [line = ''] = text.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** A file as UTF-8 in pieces of whole lines, so that a line that is something else can be named. */
async function* utf8Lines(path: string): AsyncGenerator<Buffer, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  let line = 1;
  for await (const chunk of utf8Chunks(path)) {
    const data = Buffer.concat([rest, chunk]);
    const end = endOfLines(data);
    rest = data.subarray(end);
    if (rest.length > MAX_LINE_BYTES)
      throw new UserError(`${path}:${line}: this line is over 1 MiB. Is it a CSV file?`);
    if (end === 0) continue;
    line += checkEncoding(path, data.subarray(0, end), line);
    yield data.subarray(0, end);
  }
  if (rest.length === 0) return;
  checkEncoding(path, rest, line);
  yield rest;
}

async function* utf8Chunks(path: string): AsyncGenerator<Buffer, undefined> {
  let decoder: TextDecoder | undefined;
  let first = true;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      const encoding = first ? encodingOf(path, chunk) : undefined;
      if (encoding?.startsWith('utf-16')) decoder = new TextDecoder(encoding);
      const start = encoding === 'utf-8' ? 3 : 0;
      yield decoder ? Buffer.from(decoder.decode(chunk, { stream: true })) : chunk.subarray(start);
      first = false;
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw code ? new UserError(`${path} cannot be read (${code}).`) : error;
  }
}

/** The encoding that a byte order mark tells of. */
function encodingOf(path: string, bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 4).toString('latin1');
  if (start.startsWith('PK\x03\x04'))
    throw new UserError(`${path} is a ZIP archive or a workbook. Unpack it, or save the sheet as "CSV UTF-8".`);
  if (start.startsWith('\xFF\xFE')) return 'utf-16le';
  if (start.startsWith('\xFE\xFF')) return 'utf-16be';
  return start.startsWith('\xEF\xBB\xBF') ? 'utf-8' : undefined;
}

/** The number of line breaks in whole lines of UTF-8. @throws UserError that names the first line that is none */
function checkEncoding(path: string, bytes: Buffer, line: number): number {
  const text = bytes.toString('latin1');
  if (isUtf8(bytes)) return lineBreaks(text);
  const bad = text.split(/\r\n|\r|\n/).findIndex((each) => !isUtf8(Buffer.from(each, 'latin1')));
  throw new UserError(`${path}:${line + bad}: this line is not UTF-8. Save the file as "CSV UTF-8" and try again.`);
}

/** Just behind the last line break. A CR at the very end waits: its LF may be in the next chunk. */
function endOfLines(bytes: Buffer): number {
  const feed = bytes.lastIndexOf('\n');
  return (feed >= 0 ? feed : bytes.subarray(0, -1).lastIndexOf('\r')) + 1;
}

function lineBreaks(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}

async function* prepend<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T, undefined> {
  yield first;
  yield* rest;
}
