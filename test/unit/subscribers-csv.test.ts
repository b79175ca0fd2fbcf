import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CsvRecord, openCsv } from '../../src/build/csv-read.ts';
import { csvLine, rearm } from '../../src/build/csv-write.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'broadside-csv-'));
  path = join(folder, 'list.csv');
});

afterEach(() => rmSync(folder, { recursive: true }));

async function read(content: string | Buffer): Promise<CsvRecord[]> {
  writeFileSync(path, content);
  const { header, records } = await openCsv(path);
  const all = [header];
  for await (const record of records) all.push(record);
  return all;
}

const utf16 = (text: string) => Buffer.from(text, 'utf16le');

describe('the same two records', () => {
  test.each<[string, string | Buffer]>([
    ['LF', 'email,name\na@b.example,Zoë\n'],
    ['CRLF', 'email,name\r\na@b.example,Zoë\r\n'],
    ['CR', 'email,name\ra@b.example,Zoë\r'],
    ['no line break at the end', 'email,name\na@b.example,Zoë'],
    ['quotation marks', '"email","name"\n"a@b.example","Zoë"\n'],
    ['semicolons', 'email;name\na@b.example;Zoë\n'],
    ['tabs', 'email\tname\na@b.example\tZoë\n'],
    ['LF after a header with CRLF', 'email,name\r\na@b.example,Zoë\n'],
    ['a byte order mark', '\uFEFFemail,name\na@b.example,Zoë\n'],
    ['UTF-16, little end first', utf16('\uFEFFemail,name\na@b.example,Zoë\n')],
    ['UTF-16, big end first', utf16('\uFEFFemail,name\na@b.example,Zoë\n').swap16()],
  ])('%s', async (_, content) => {
    expect(await read(content)).toEqual([
      { line: 1, fields: ['email', 'name'] },
      { line: 2, fields: ['a@b.example', 'Zoë'] },
    ]);
  });
});

describe('a record is known by the line that it begins on', () => {
  test.each<[string, string, CsvRecord[]]>([
    [
      'after line breaks inside quotation marks',
      'email,note\na@b.example,"one\r\ntwo\nthree"\nc@d.example,x\n',
      [
        { line: 2, fields: ['a@b.example', 'one\r\ntwo\nthree'] },
        { line: 5, fields: ['c@d.example', 'x'] },
      ],
    ],
    [
      'after empty lines and lines of separators',
      'email,note\n\n,\na@b.example,x\n',
      [{ line: 4, fields: ['a@b.example', 'x'] }],
    ],
  ])('%s', async (_, content, records) => {
    expect((await read(content)).slice(1)).toEqual(records);
  });

  test('over many chunks of the file', async () => {
    const note = 'é'.repeat(70);
    const lines = Array.from({ length: 5_000 }, (_, index) => `a${index}@b.example,"${note}\r\n${note}"\r\n`);
    const records = await read(`email,note\r\n${lines.join('')}`);
    expect(records).toHaveLength(5_001);
    expect(records.at(-1)).toEqual({ line: 10_000, fields: ['a4999@b.example', `${note}\r\n${note}`] });
  });
});

describe('values', () => {
  test.each([
    ['doubled quotation marks', '"say ""hi"""', ['say "hi"', 'x']],
    ['a separator in quotation marks', '"a,b"', ['a,b', 'x']],
    ['stray quotation marks are text', 'a "b" c', ['a "b" c', 'x']],
    ['white space stays', ' a ', [' a ', 'x']],
  ])('%s', async (_, value, fields) => {
    expect((await read(`one,two\n${value},x\n`))[1]?.fields).toEqual(fields);
  });

  test('the separator is the one that the header has most of outside of quotation marks', async () => {
    expect((await read('"a,b,c,d";e\n1;2\n'))[1]?.fields).toEqual(['1', '2']);
  });
});

describe('what cannot be read is said with its line', () => {
  const latin1 = Buffer.from('email,name\na@b.example,x\nc@d.example,Zoë\ne@f.example,y\n', 'latin1');
  test.each<[string, string | Buffer, string]>([
    ['Latin-1', latin1, ':3: this line is not UTF-8'],
    ['an open quotation mark', 'email,name\na@b.example,x\nc@d.example,"y\ne@f.example,z\n', ':3: a quotation mark'],
    ['an endless record', `email,name\na@b.example,"${'x\n'.repeat(140_000)}`, ':2: the record that begins here'],
    ['an endless line', `email,name\n${'x'.repeat(2_000_000)}`, ':2: this line is over 1 MiB'],
    ['a workbook', Buffer.from('PK\x03\x04 and so on'), ' is a ZIP archive or a workbook'],
    ['nothing', '', ' is empty'],
    ['empty lines only', '\n\n', ' is empty'],
  ])('%s', async (_, content, message) => {
    await expect(read(content)).rejects.toThrow(`${path}${message}`);
  });

  test('a file that is not there', async () => {
    await expect(openCsv(join(folder, 'other.csv'))).rejects.toThrow('other.csv cannot be read (ENOENT).');
  });
});

describe('a line that is written', () => {
  test.each([
    ['plain values', ['a@b.example', 'active'], 'a@b.example,active\r\n'],
    ['nothing', [null, undefined, ''], ',,\r\n'],
    ['what needs quotation marks', ['a,b', 'say "hi"', 'x\ny'], '"a,b","say ""hi""","x\ny"\r\n'],
    ['formulas get an apostrophe', ['=1+1', '+a@b.example', '-a', '@a'], "'=1+1,'+a@b.example,'-a,'@a\r\n"],
    ['so does what looks like one of those already', ["'=1", "''=1", "'a"], "''=1,'''=1,'a\r\n"],
  ])('%s', (_, values, line) => {
    expect(csvLine(values)).toBe(line);
  });

  test.each(['=a', "'=a", "''=a", "'a", 'a=b', '+a', "''", ''])('%s comes back', (value) => {
    expect(rearm(csvLine([value]).trimEnd())).toBe(value);
  });
});
