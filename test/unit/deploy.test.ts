import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deployedConfig, publicBaseUrl } from '../../src/build/deploy-config.ts';
import { deploySteps, runSteps } from '../../src/build/deploy-steps.ts';
import { UserError } from '../../src/build/fault.ts';
import { secretsText } from '../../src/build/secrets.ts';

const BASE = 'https://news.example/';
const SECRETS = '/keys/production';
const DEPLOY = `deploy --var BASE_URL:${BASE} --secrets-file ${SECRETS}`;
const CALLS = [
  'd1 create broadside',
  'queues create broadside-jobs',
  'queues create broadside-jobs-dead',
  'queues create broadside-mail-events',
  'd1 migrations apply broadside --remote',
  DEPLOY,
];

/** Writes down how it was called; fails with the words that the file `failures` has for the beginning of a call. */
const FAKE_WRANGLER = `#!/bin/sh
folder=$(dirname "$0")
echo "$*" >> "$folder/calls"
echo "CI=$CI" >> "$folder/environment"
while IFS='|' read -r call words; do
  case "$*" in "$call"*) echo "$words" >&2; exit 1 ;; esac
done < "$folder/failures"
echo "done: $*"
`;

let folder: string;
let said: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'broadside-deploy-'));
  file('wrangler', FAKE_WRANGLER);
  chmodSync(join(folder, 'wrangler'), 0o755);
  failing({});
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
  said = [];
  vi.spyOn(console, 'info').mockImplementation((text: string) => void said.push(text));
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

function failing(failures: Record<string, string>): void {
  const lines = Object.entries(failures).map(([call, words]) => `${call}|${words}\n`);
  file('failures', lines.join(''));
}

const recorded = (name: string) => readFileSync(join(folder, name), 'utf8').trim().split('\n');
const deploy = () => runSteps(deploySteps(BASE, SECRETS));

function messageOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('the steps', () => {
  test('make database and queues, apply the migrations, and deploy after that', () => {
    deploy();
    expect(recorded('calls')).toEqual(CALLS);
    expect(said).toContain('done: d1 migrations apply broadside --remote');
  });

  test('ask nothing', () => {
    deploy();
    expect(new Set(recorded('environment'))).toEqual(new Set(['CI=1']));
  });

  test('may be repeated: what is there already is no failure', () => {
    failing({
      'd1 create': '✘ [ERROR] A database with that name already exists',
      'queues create': "Queue name 'broadside-jobs' is already taken. Please use a different name. [code: 11009]",
    });
    deploy();
    expect(recorded('calls')).toEqual(CALLS);
    expect(said.filter((text) => text === 'It is there already.')).toHaveLength(4);
  });

  test.each([
    ['no database may be made', 'd1 create', 'You have reached the maximum number of D1 databases', 1],
    ['nobody is logged in', 'queues create broadside-jobs', 'You are not logged in', 2],
    ['the last queue cannot be made', 'queues create broadside-mail-events', 'Authentication error', 4],
    ['a migration fails', 'd1 migrations apply', 'no such column: touchedAt: SQLITE_ERROR', 5],
    ['a migration finds a table that is there', 'd1 migrations apply', 'table issue already exists: SQLITE_ERROR', 5],
    ['the deployment fails', 'deploy', 'A Worker named "broadside" already exists in your account', 6],
  ])('stop when %s', (_, call, words, count) => {
    failing({ [call]: words });
    const message = messageOf(deploy);
    expect(message).toContain(words);
    expect(message).toContain(`The deployment stopped at: wrangler ${CALLS[count - 1]}`);
    expect(recorded('calls')).toEqual(CALLS.slice(0, count));
  });

  test('stop when there is no wrangler', () => {
    vi.stubEnv('PATH', join(folder, 'nothing'));
    expect(messageOf(deploy)).toContain('ENOENT');
  });

  test('name what wrangler.toml names', () => {
    const toml = readFileSync(resolve(import.meta.dirname, '../../wrangler.toml'), 'utf8');
    const named = (key: string) => [...toml.matchAll(new RegExp(`^${key} = "(.*)"$`, 'gm'))].map(([, name]) => name);
    const made = (kind: string) =>
      CALLS.flatMap((call) => (call.startsWith(`${kind} create `) ? call.split(' ').slice(-1) : []));
    expect(named('database_name')).toEqual(made('d1'));
    expect(new Set([...named('queue'), ...named('dead_letter_queue')])).toEqual(new Set(made('queues')));
  });
});

test.each([
  ['https://news.example', 'https://news.example/'],
  ['https://News.example/', 'https://news.example/'],
  ['http://letters.example:8080/', 'http://letters.example:8080/'],
])('the base URL may be %s', (value, url) => {
  expect(publicBaseUrl(value)).toBe(url);
});

test.each([
  undefined,
  '',
  'news.example',
  'https://news.example/letters',
  'http://localhost:8787/',
  'http://127.0.0.1/',
])('the base URL may not be %s', (value) => {
  expect(messageOf(() => publicBaseUrl(value))).toMatch(/^BASE_URL must be where readers will reach the Worker/);
});

describe('the configuration of a deployment', () => {
  const WRANGLER = `name = "broadside"
compatibility_date = "2026-11-01"
[vars]
BASE_URL = "http://localhost:8787/"
MAIL_TRANSPORT = "outbox"
BOUNCE_LIMIT_PERCENT = "3"
`;
  const EMAIL = '[[send_email]]\nname = "EMAIL"\n';
  const SMTP = 'SMTP_URL="smtps://desk:secret@smtp.carrier.example"\n';

  function config(settings: string, toml = WRANGLER) {
    const secrets = file('secrets', `${secretsText('.dev.vars.production')}${settings}`);
    return deployedConfig(BASE, secrets, file('wrangler.toml', toml));
  }

  test('is that of wrangler.toml with fresh secrets, at the given address', () => {
    const { baseUrl, local, mail } = config('');
    expect({ baseUrl, local }).toEqual({ baseUrl: BASE, local: false });
    expect(mail.policy).toMatchObject({ transport: 'outbox', domain: 'news.example' });
    expect(mail.limits.bouncePercent).toBe(3);
  });

  test('takes what the file of secrets says before what wrangler.toml says', () => {
    const { mail } = config(`${SMTP}MAIL_TRANSPORT="smtp"\nBOUNCE_LIMIT_PERCENT="2"\n`);
    expect(mail.policy.transport).toBe('smtp');
    expect(mail.limits.bouncePercent).toBe(2);
  });

  test('takes what the environment says before both, as wrangler does', () => {
    vi.stubEnv('MAIL_TRANSPORT', 'smtp');
    vi.stubEnv('MAIL_UNKNOWN', 'hold');
    const { policy } = config(`${SMTP}MAIL_TRANSPORT="resend"\n`).mail;
    expect(policy).toMatchObject({ transport: 'smtp', unknown: 'retry' });
  });

  test('knows the binding of Cloudflare Email Service', () => {
    expect(config('MAIL_TRANSPORT="cloudflare"\n', `${WRANGLER}${EMAIL}`).mail.policy.transport).toBe('cloudflare');
  });

  test.each([
    ['MAIL_TRANSPORT="smtp"\n', /^ {2}SMTP_URL must be smtps:/m],
    ['MAIL_TRANSPORT="resend"\n', /^ {2}RESEND_API_KEY must be/m],
    ['CONFIRMATION_TRANSPORT="cloudflare"\n', /^ {2}EMAIL must be a send_email binding/m],
    ['MAIL_TRANSPORT="pigeon"\n', /^ {2}MAIL_TRANSPORT must be one of outbox, smtp, resend, cloudflare$/m],
    ['MAIL_UNKNOWN="guess"\nADMIN_TOKEN="short"\n', /MAIL_UNKNOWN must be retry or hold\n {2}ADMIN_TOKEN must have/],
  ])('is refused before anything is made: %s', (settings, fault) => {
    const message = messageOf(() => config(settings));
    expect(message).toMatch(/^Nothing was deployed: /);
    expect(message).toMatch(fault);
    expect(message).not.toContain('secret@');
  });
});

describe('a file of secrets', () => {
  const own = ['ADMIN_TOKEN', 'PUBLISH_TOKEN', 'SUPPRESSION_KEY', 'TOKEN_SECRETS', 'WEBHOOK_SECRETS'];

  test.each(['.dev.vars', '.dev.vars.production'] as const)('%s has ours, never the same twice', (name) => {
    const [one, other] = [parseEnv(secretsText(name)), parseEnv(secretsText(name))];
    expect(new Set(Object.keys(one))).toEqual(new Set(own));
    expect(own.filter((each) => one[each] === other[each])).toEqual([]);
  });

  test('of a deployment shows where the settings of mail go', () => {
    const names = Object.keys(parseEnv(secretsText('.dev.vars.production').replace(/^#(?=[A-Z])/gm, '')));
    expect(names).toEqual(expect.arrayContaining(['MAIL_TRANSPORT', 'SMTP_URL', 'RESEND_API_KEY']));
  });
});
