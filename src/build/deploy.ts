import { spawnSync } from 'node:child_process';
import { isLocalUrl } from '../env.ts';
import { run, UserError } from './fault.ts';
import { ensureSecrets, ROOT, SECRETS_FILES } from './secrets.ts';

const QUEUES = ['broadside-jobs', 'broadside-jobs-dead'];

/**
 * Deploys to the Cloudflare account that wrangler is logged in to. Every step may be repeated: what is there already
 * stays. `BASE_URL=https://news.example/ npm run deploy`
 */
async function deploy(): Promise<void> {
  const base = baseUrl();
  ensureSecrets(SECRETS_FILES.deployed);
  for (const queue of QUEUES) wrangler(['queues', 'create', queue], /already (exists|taken)/i);
  // The first deployment makes the database, so its tables can only come after it; later ones add what is missing.
  wrangler(['deploy', '--var', `BASE_URL:${base}`, '--secrets-file', SECRETS_FILES.deployed]);
  wrangler(['d1', 'migrations', 'apply', 'DB', '--remote']);
  console.info(`\nDeployed. Next: npm run publish -- my-folder --to ${base}`);
}

function baseUrl(): string {
  const value = process.env.BASE_URL ?? '';
  const usable = URL.canParse(value) && new URL(value).href === `${new URL(value).origin}/` && !isLocalUrl(value);
  if (usable) return new URL(value).href;
  throw new UserError(
    'BASE_URL must be where readers will reach the Worker: BASE_URL=https://news.example/ npm run deploy',
  );
}

/** Runs wrangler with its output shown. @param harmless what a failure may say and is then none */
function wrangler(args: string[], harmless?: RegExp): void {
  console.info(`\n> wrangler ${args.join(' ')}`);
  const { status, stdout, stderr } = spawnSync('wrangler', args, {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
    stdio: ['inherit', 'pipe', 'pipe'],
  });
  const output = `${stdout}${stderr}`;
  if (status === 0) console.info(output.trim());
  else if (harmless?.test(output)) console.info('It is there already.');
  else
    throw new UserError(
      `${output}\nThe deployment stopped at: wrangler ${args.join(' ')}\nEvery step may be repeated: run the command again.`,
    );
}

await run(deploy);
