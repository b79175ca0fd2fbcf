import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { subscribersCommand } from '../../src/build/subscribers.ts';
import { type SubscribersServer, startSubscribersServer } from '../support/subscribers-server.ts';

const TOKEN = 'token-of-the-operator';

let server: SubscribersServer;
let folder: string;
let said: string[];

beforeEach(async () => {
  server = await startSubscribersServer(TOKEN);
  folder = mkdtempSync(join(tmpdir(), 'broadside-subscribers-'));
  said = [];
  vi.stubEnv('ADMIN_TOKEN', TOKEN);
  for (const method of ['info', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((text: string) => void said.push(...text.split('\n')));
  }
});

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await server.close();
  rmSync(folder, { recursive: true });
});

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const importFile = (path: string, ...options: string[]) =>
  subscribersCommand(['import', path, '--digest', 'weekly', '--to', server.base, ...options]);

const exportTo = (path: string) => subscribersCommand(['export', '--digest', 'weekly', '--to', server.base, path]);

/** The counts that the command printed, zeros left out. */
function counts(): Record<string, number> {
  const pairs = said.flatMap((line) => {
    const [, count = '0', text = ''] = /^ *([\d,]+) {2}(\w.*)$/.exec(line) ?? [];
    return Number(count.replace(',', '')) > 0 ? [[text, Number(count.replace(',', ''))] as const] : [];
  });
  return Object.fromEntries(pairs);
}

const LISTMONK = `uuid,email,name,attributes,status,created_at,updated_at
1,ana@tide.example,Ana,"{""city"": ""Faro""}",enabled,2024-05-06 07:08:09.1 +0000 UTC,
2,bo@tide.example,Bo,{},disabled,2024-05-06 07:08:09.1 +0000 UTC,
3,cy@tide.example,Cy,{},blocklisted,2024-05-06 07:08:09.1 +0000 UTC,
`;
const CONSENT = ['--consent', 'Signed up on tide.example'];

describe('import', () => {
  test('sends what the file says, with the words of consent', async () => {
    await importFile(file('people.csv', LISTMONK), ...CONSENT);
    expect(server.bodies).toEqual([
      {
        digest: 'weekly',
        dryRun: false,
        consent: 'Signed up on tide.example',
        rows: [
          { line: 2, email: 'ana@tide.example', status: 'active', subscribedAt: '2024-05-06T07:08:09Z' },
          { line: 3, email: 'bo@tide.example', status: 'unsubscribed', subscribedAt: '2024-05-06T07:08:09Z' },
          { line: 4, email: 'cy@tide.example', status: 'complained', subscribedAt: '2024-05-06T07:08:09Z' },
        ],
      },
    ]);
    expect(said[0]).toBe(
      'Looks like an export of listmonk: email ← "email", status ← "status", subscribed_at ← "created_at".',
    );
    expect(counts()).toEqual({ 'new subscriptions': 3 });
  });

  test('again: nobody is imported twice, and whoever left stays away', async () => {
    const path = file('people.csv', LISTMONK);
    await importFile(path, ...CONSENT);
    await importFile(file('again.csv', LISTMONK.replace('disabled', 'enabled')), ...CONSENT);
    expect(server.people.get('bo@tide.example')?.status).toBe('unsubscribed');
    said = [];
    await importFile(path, ...CONSENT);
    expect(counts()).toEqual({ 'there before, or left before: unchanged': 3 });
  });

  test('every verdict is counted', async () => {
    server.suppressed.add('di@tide.example');
    server.people.set('bo@tide.example', { email: 'bo@tide.example', status: 'active' });
    server.people.set('cy@tide.example', { email: 'cy@tide.example', status: 'active' });
    const path = file(
      'people.csv',
      'email,status,proof\nana@tide.example,active,form\nbo@tide.example,active,form\ncy@tide.example,unsubscribed,\ndi@tide.example,active,form\ned@tide.example,pending,\n',
    );
    await importFile(path);
    expect(counts()).toEqual({
      'new subscriptions': 1,
      'there before, or left before: unchanged': 1,
      'were active, are no longer': 1,
      'suppressed: never to be mailed': 1,
      'never confirmed where they come from: left out': 1,
    });
  });

  test('an address that occurs twice ends in the stricter state, in either order', async () => {
    const rows = [
      'a@tide.example,active',
      'a@tide.example,unsubscribed',
      'b@tide.example,unsubscribed',
      'b@tide.example,active',
    ];
    await importFile(file('people.csv', `email,status\n${rows.join('\n')}\n`), ...CONSENT);
    expect([...server.people.values()].map(({ status }) => status)).toEqual(['unsubscribed', 'unsubscribed']);
  });

  test('a dry run counts and names, and changes nothing', async () => {
    const path = file('people.csv', `${LISTMONK}4,nobody,,,enabled,,\n`);
    await expect(importFile(path, '--dry-run', ...CONSENT)).rejects.toThrow('Correct the faulty lines');
    expect(server.bodies.map(({ dryRun }) => dryRun)).toEqual([true]);
    expect(server.people.size).toBe(0);
    expect(counts()).toEqual({ 'would be new subscriptions': 3, 'faulty lines: left out': 1 });
    expect(said).toContain(`${path}:5: "nobody" is no address`);
  });
});

describe('consent', () => {
  test('without a column or words of it, active people are left out; the others come in', async () => {
    await expect(importFile(file('people.csv', LISTMONK))).rejects.toThrow('--consent "');
    expect([...server.people.keys()]).toEqual(['bo@tide.example', 'cy@tide.example']);
    expect(counts()).toEqual({ 'new subscriptions': 2, 'without proof of consent: left out': 1 });
  });

  test('where there is a column, a line without it is faulty', async () => {
    const path = file('people.csv', 'email,confirmed_at\na@tide.example,2026-01-01\nb@tide.example,\n');
    await expect(importFile(path)).rejects.toThrow('Correct the faulty lines');
    expect(said).toContain(`${path}:3: nothing here shows that this person agreed; see --consent`);
    expect(server.people.get('a@tide.example')?.proof).toBe('confirmed_at 2026-01-01T00:00:00Z (list of addresses)');
  });
});

describe('faulty lines', () => {
  const faulty = (count: number) => Array.from({ length: count }, (_, index) => `bad${index}\n`).join('');

  test('a hundred are on the screen only', async () => {
    const path = file('people.csv', `email\n${faulty(100)}`);
    await expect(importFile(path, ...CONSENT)).rejects.toThrow();
    expect(said.filter((line) => line.startsWith(`${path}:`))).toHaveLength(100);
    expect(existsSync(`${path}.faults.txt`)).toBe(false);
  });

  test('of more, all are in a file, which the next run takes away', async () => {
    const path = file('people.csv', `email\n${faulty(150)}`);
    await expect(importFile(path, ...CONSENT)).rejects.toThrow();
    const lines = readFileSync(`${path}.faults.txt`, 'utf8').trimEnd().split('\n');
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([
      150,
      `${path}:2: "bad0" is no address`,
      `${path}:151: "bad149" is no address`,
    ]);
    expect(said).toContain(`… and 50 more; all 150 are in ${path}.faults.txt.`);
    expect(statSync(`${path}.faults.txt`).mode & 0o777).toBe(0o600);
    await importFile(file('people.csv', 'email\na@tide.example\n'), ...CONSENT);
    expect(existsSync(`${path}.faults.txt`)).toBe(false);
  });

  test('those that the Worker finds are named, too', async () => {
    const path = file('people.csv', 'email\na@tide.invalid\n');
    await expect(importFile(path, ...CONSENT)).rejects.toThrow('Correct the faulty lines');
    expect(said).toContain(`${path}:2: refused`);
  });
});

describe('a large file', () => {
  const people = (count: number) =>
    `email,opt_in_time\n${Array.from({ length: count }, (_, index) => `p${index}@tide.example,2026-01-01\n`).join('')}`;

  test('goes in batches of 500, one after the other, with its progress', async () => {
    await importFile(file('people.csv', people(10_200)));
    expect(server.bodies.map(({ rows }) => rows.length)).toEqual([...Array(20).fill(500), 200]);
    expect(server.mostOpen()).toBe(1);
    expect(server.people.size).toBe(10_200);
    expect(said).toContain('10,000 read …');
    expect(counts()).toEqual({ 'new subscriptions': 10_200 });
  });

  test('an answer that fails once is asked for again', async () => {
    server.failLater(1, 1);
    await importFile(file('people.csv', people(1_500)));
    expect(server.people.size).toBe(1_500);
  });

  test('when the Worker stays away, it stops and says so; the next run does the rest', async () => {
    const path = file('people.csv', people(2_000));
    server.failLater(2, 3);
    await expect(importFile(path)).rejects.toThrow(
      /answered 500: Out of order\.\nThe import stopped there, after 1000 new and 0 changed\. Run it again/,
    );
    expect(server.people.size).toBe(1_000);
    said = [];
    await importFile(path);
    expect(counts()).toEqual({ 'new subscriptions': 1_000, 'there before, or left before: unchanged': 1_000 });
  });

  test('a file that breaks half way says where', async () => {
    const path = file('people.csv', `${people(600)}x@tide.example,"2026\n`);
    await expect(importFile(path)).rejects.toThrow(`${path}:602: a quotation mark is opened in this record`);
  });
});

describe('export', () => {
  const FULL = `email,status,subscribed_at,confirmed_at,unsubscribed_at,proof\r
'+plus@tide.example,active,2026-01-01T00:00:00Z,2026-01-01T00:01:00Z,,"said ""yes"", twice"\r
ana@tide.example,active,2026-01-01T00:00:00Z,,,'=form\r
bo@tide.example,unsubscribed,2026-01-01T00:00:00Z,,2026-02-01T00:00:00Z,\r
cy@tide.example,bounced,,,,\r
di@tide.example,complained,,,2026-03-01T00:00:00Z,\r
`;

  test('is what was imported, byte for byte', async () => {
    await importFile(file('people.csv', FULL));
    expect(server.people.get('+plus@tide.example')?.proof).toBe('said "yes", twice');
    await exportTo(join(folder, 'out.csv'));
    expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toBe(FULL);
    expect(statSync(join(folder, 'out.csv')).mode & 0o777).toBe(0o600);
    said = [];
    await importFile(join(folder, 'out.csv'));
    expect(counts()).toEqual({ 'there before, or left before: unchanged': 5 });
  });

  test('goes page by page', async () => {
    for (let index = 0; index < 2_500; index += 1) {
      server.people.set(`p${index}@tide.example`, { email: `p${index}@tide.example`, status: 'active' });
    }
    await exportTo(join(folder, 'out.csv'));
    expect(readFileSync(join(folder, 'out.csv'), 'utf8').trimEnd().split('\r\n')).toHaveLength(2_501);
    expect(server.mostOpen()).toBe(1);
  });

  test('goes to standard output without a file', async () => {
    server.people.set('a@tide.example', { email: 'a@tide.example', status: 'active' });
    let output = '';
    vi.spyOn(process.stdout, 'write').mockImplementation((chunk, ...rest) => {
      output += String(chunk);
      for (const each of rest) if (typeof each === 'function') each();
      return true;
    });
    await subscribersCommand(['export', '--digest', 'weekly', '--to', server.base]);
    vi.mocked(process.stdout.write).mockRestore();
    expect(output).toBe(
      'email,status,subscribed_at,confirmed_at,unsubscribed_at,proof\r\na@tide.example,active,,,,\r\n',
    );
  });

  test('that fails leaves no file', async () => {
    server.failLater(0, 3);
    await expect(exportTo(join(folder, 'out.csv'))).rejects.toThrow('answered 500');
    expect([existsSync(join(folder, 'out.csv')), existsSync(join(folder, 'out.csv.part'))]).toEqual([false, false]);
    await expect(exportTo(join(folder, 'no', 'out.csv'))).rejects.toThrow('cannot be written (ENOENT)');
  });
});

describe('what is asked wrongly is said, with the usage', () => {
  test.each([
    ['nothing', [], 'Which command?\nUsage:'],
    ['another command', ['delete'], 'delete is no command.\nUsage:'],
    ['no file', ['import', '--digest', 'weekly'], 'Which file?\nUsage:'],
    ['no digest', ['import', 'x.csv'], 'Which digest? Say --digest ID.\nUsage:'],
    ['two files', ['import', 'x.csv', 'y.csv', '--digest', 'weekly'], 'One file, please; there is also y.csv.\nUsage:'],
    ['no option', ['import', 'x.csv', '--force'], "Unknown option '--force'"],
    ['no state', ['import', 'x.csv', '--digest', 'w', '--status', 'gone'], '--status must be active, unsubscribed'],
    [
      'no map',
      ['import', 'x.csv', '--digest', 'w', '--map', 'name=Name'],
      '--map takes FIELD=COLUMN; it is name=Name.',
    ],
    ['empty consent', ['import', 'x.csv', '--digest', 'w', '--consent', ' '], '--consent must say how people agreed'],
    ['an option of import', ['export', '--digest', 'w', '--dry-run'], '--dry-run is for import only.\nUsage:'],
    ['no URL', ['export', '--digest', 'w', '--to', 'news'], '--to must be an absolute URL'],
  ])('%s', async (_, args, message) => {
    await expect(subscribersCommand(args)).rejects.toThrow(message);
  });

  test('--help prints the usage', async () => {
    await subscribersCommand(['--help']);
    expect(said[0]).toBe('Usage:');
  });

  test('columns with commas can be mapped', async () => {
    const path = file('people.csv', '"Mail, private",State,Why\na@tide.example,active,form\n');
    await importFile(path, '--map', 'email="Mail, private",status=State', '--map', 'proof=Why');
    expect(server.people.get('a@tide.example')).toEqual({ email: 'a@tide.example', status: 'active', proof: 'form' });
  });

  test('an unknown digest is what the Worker says', async () => {
    const path = file('people.csv', 'email\na@tide.example\n');
    await expect(
      subscribersCommand(['import', path, '--digest', 'daily', '--to', server.base, ...CONSENT]),
    ).rejects.toThrow('api/v1/subscribers/import answered 422: Nobody was imported.\n/digest must be one of weekly');
  });
});
