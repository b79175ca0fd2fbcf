import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { isLocalUrl } from '../env.ts';
import { UserError } from './fault.ts';

export const ROOT = resolve(import.meta.dirname, '../..');

/** Where secrets are kept: of this machine (wrangler's own file), or of the deployment. Git ignores both. */
export const SECRETS_FILES = { local: '.dev.vars', deployed: '.dev.vars.production' } as const;
export type SecretsFile = (typeof SECRETS_FILES)[keyof typeof SECRETS_FILES];

/** What the Worker and the commands that talk to it share. */
interface Secrets {
  WEBHOOK_SECRETS: string;
  PUBLISH_TOKEN: string;
  TOKEN_SECRETS: string;
  SUPPRESSION_KEY: string;
  ADMIN_TOKEN: string;
}

/** Fresh secrets: webhook secrets as Standard Webhooks writes them, token secrets with a key id. */
function newSecrets(): Secrets {
  const token = () => randomBytes(32).toString('hex');
  return {
    WEBHOOK_SECRETS: `whsec_${randomBytes(32).toString('base64')}`,
    PUBLISH_TOKEN: token(),
    TOKEN_SECRETS: `k1:${token()}`,
    SUPPRESSION_KEY: token(),
    ADMIN_TOKEN: token(),
  };
}

/** Makes a file with fresh secrets where there is none, and says so. */
export function ensureSecrets(file: SecretsFile): void {
  const path = resolve(ROOT, file);
  if (existsSync(path)) return;
  writeFileSync(path, secretsText(file), { mode: 0o600 });
  console.info(`Made ${file} with fresh secrets.`);
}

/** The text of such a file, with fresh secrets; that of a deployment also shows where those of mail providers go. */
export function secretsText(file: SecretsFile): string {
  const lines = Object.entries(newSecrets()).map(([name, value]) => `${name}="${value}"`);
  const more = file === SECRETS_FILES.deployed ? MAIL_SETTINGS : '';
  return `# Secrets of Broadside. Keep them, and never commit them.\n${lines.join('\n')}\n${more}`;
}

/** What is set here wins over wrangler.toml, which `npm start` reads too. */
const MAIL_SETTINGS = `
# Mail: README.md, "Sending". What stands here is for the deployment alone. In SMTP_URL a $ is written %24.
#MAIL_TRANSPORT="smtp"
#SMTP_URL="smtps://user:password@smtp.provider.example:465"
#RESEND_API_KEY="re_..."
#RESEND_WEBHOOK_SECRETS="whsec_..."
`;

/**
 * One secret of the Worker at an address; a variable of the environment wins over the file.
 * @throws UserError that says where it may come from
 */
export function secret(name: keyof Secrets, base: string): string {
  const file = isLocalUrl(base) ? SECRETS_FILES.local : SECRETS_FILES.deployed;
  const path = resolve(ROOT, file);
  const value = process.env[name] ?? (existsSync(path) ? parseEnv(readFileSync(path, 'utf8'))[name] : undefined);
  if (value) return value;
  const maker = isLocalUrl(base) ? 'npm start' : 'npm run deploy';
  throw new UserError(`${name} is missing: ${maker} writes it into ${file}, or set it in the environment.`);
}
