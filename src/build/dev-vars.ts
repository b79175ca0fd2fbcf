import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { UserError } from './fault.ts';

export const ROOT = resolve(import.meta.dirname, '../..');
const FILE = resolve(ROOT, '.dev.vars');

/** What the Worker and the commands that talk to it share. */
export interface Secrets {
  WEBHOOK_SECRETS: string;
  PUBLISH_TOKEN: string;
  TOKEN_SECRETS: string;
  SUPPRESSION_KEY: string;
  ADMIN_TOKEN: string;
}

/** Fresh secrets: webhook secrets as Standard Webhooks writes them, token secrets with a key id. */
export function newSecrets(): Secrets {
  const token = () => randomBytes(32).toString('hex');
  return {
    WEBHOOK_SECRETS: `whsec_${randomBytes(32).toString('base64')}`,
    PUBLISH_TOKEN: token(),
    TOKEN_SECRETS: `k1:${token()}`,
    SUPPRESSION_KEY: token(),
    ADMIN_TOKEN: token(),
  };
}

/** Makes `.dev.vars` with fresh secrets where there is none. True when it made one. */
export function ensureDevVars(): boolean {
  if (existsSync(FILE)) return false;
  const lines = Object.entries(newSecrets()).map(([name, value]) => `${name}="${value}"`);
  const head = '# Secrets of this machine, made on the first start. Not for a deployment, and never committed.';
  writeFileSync(FILE, `${head}\n${lines.join('\n')}\n`, { mode: 0o600 });
  return true;
}

/** The secrets of this machine; variables of the environment win, for a deployment's. */
export function readSecrets(): Partial<Secrets> {
  const file = existsSync(FILE) ? parseEnv(readFileSync(FILE, 'utf8')) : {};
  return { ...file, ...process.env } as Partial<Secrets>;
}

/** One secret. @throws UserError that says where it may come from */
export function secret(name: keyof Secrets): string {
  const value = readSecrets()[name];
  if (value) return value;
  throw new UserError(`${name} is missing: npm start writes it into .dev.vars; for a deployment set it in the environment`);
}
