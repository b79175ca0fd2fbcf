import { resolve } from 'node:path';
import { deployedConfig, publicBaseUrl } from './deploy-config.ts';
import { deploySteps, runSteps } from './deploy-steps.ts';
import { run } from './fault.ts';
import { ensureSecrets, ROOT, SECRETS_FILES } from './secrets.ts';

/**
 * Deploys to the Cloudflare account that wrangler is logged in to. Every step may be repeated: what is there already
 * stays. `BASE_URL=https://news.example/ npm run deploy`
 */
async function deploy(): Promise<void> {
  const base = publicBaseUrl(process.env.BASE_URL);
  const secretsFile = resolve(ROOT, SECRETS_FILES.deployed);
  ensureSecrets(SECRETS_FILES.deployed);
  const { mail } = deployedConfig(base, secretsFile);
  runSteps(deploySteps(base, secretsFile));
  console.info(`\nDeployed. Next: npm run publish -- my-folder --to ${base}`);
  if (mail.policy.transport === 'outbox') {
    console.info(`No digest is mailed yet: MAIL_TRANSPORT is outbox. See "Sending" in README.md.`);
  }
}

await run(deploy);
