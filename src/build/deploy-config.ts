import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { unstable_readConfig as readWrangler } from 'wrangler';
import { type Config, ConfigError, type Env, isLocalUrl, parseConfig } from '../env.ts';
import { UserError } from './fault.ts';
import { ROOT } from './secrets.ts';

/** What `BASE_URL` must be for a deployment. @throws UserError when it is not */
export function publicBaseUrl(value = ''): string {
  const usable = URL.canParse(value) && new URL(value).href === `${new URL(value).origin}/` && !isLocalUrl(value);
  if (usable) return new URL(value).href;
  throw new UserError(
    'BASE_URL must be where readers will reach the Worker: BASE_URL=https://news.example/ npm run deploy',
  );
}

/**
 * Reads the configuration as the deployed Worker will, which answers nothing but 503 when it is faulty.
 * @param secretsFile wins over the variables of wrangler.toml, as wrangler has it; the environment wins over both
 * @throws UserError with every fault
 */
export function deployedConfig(
  base: string,
  secretsFile: string,
  wranglerFile = resolve(ROOT, 'wrangler.toml'),
): Config {
  const { vars, send_email }: WranglerFile = readWrangler({ config: wranglerFile }, { hideWarnings: true });
  const mailers = Object.fromEntries(send_email.map(({ name }) => [name, { send: () => undefined }]));
  const secrets = Object.entries(parseEnv(readFileSync(secretsFile, 'utf8'))).map(
    ([name, value]) => [name, process.env[name] ?? value] as const,
  );
  const env = { ...MADE_BY_WRANGLER, ...vars, ...mailers, ...Object.fromEntries(secrets), BASE_URL: base };
  try {
    return parseConfig(env as Partial<Env>);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new UserError(`Nothing was deployed: ${secretsFile} or wrangler.toml is faulty.\n${lines(error.faults)}`);
  }
}

/** What is read of it; its own types are not shipped with wrangler. */
interface WranglerFile {
  vars: Record<string, unknown>;
  send_email: { name: string }[];
}

/** Bindings that wrangler.toml always has. */
const MADE_BY_WRANGLER = { DB: {}, JOBS: {}, DEAD: {}, SUBSCRIBE_LIMIT: {} };

function lines(faults: string[]): string {
  return faults.map((fault) => `  ${fault}`).join('\n');
}
