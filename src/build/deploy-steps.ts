import { spawnSync } from 'node:child_process';
import { UserError } from './fault.ts';
import { ROOT } from './secrets.ts';

/** One call of wrangler. */
interface DeployStep {
  args: string[];
  /** Words of a failure that is none: what the step makes is there already. */
  harmless?: RegExp;
}

/** As wrangler.toml names them. */
const DATABASE = 'broadside';
const QUEUES = ['broadside-jobs', 'broadside-jobs-dead', 'broadside-mail-events'];

/**
 * What makes or updates a deployment, in order; every step may be repeated. The database is made by its name, by which
 * wrangler finds it again without an id in wrangler.toml, so that its tables are there before any code that needs them.
 */
export function deploySteps(base: string, secretsFile: string): DeployStep[] {
  return [
    { args: ['d1', 'create', DATABASE], harmless: /already exists/i },
    ...QUEUES.map((queue) => ({ args: ['queues', 'create', queue], harmless: /already (exists|taken)/i })),
    { args: ['d1', 'migrations', 'apply', DATABASE, '--remote'] },
    { args: ['deploy', '--var', `BASE_URL:${base}`, '--secrets-file', secretsFile] },
  ];
}

/** Runs the steps with wrangler's output shown. @throws UserError at the first that fails; those after it are not run */
export function runSteps(steps: DeployStep[]): void {
  for (const { args, harmless } of steps) {
    console.info(`\n> wrangler ${args.join(' ')}`);
    const { ok, output } = wrangler(args);
    if (ok) console.info(output.trim());
    else if (harmless?.test(output)) console.info('It is there already.');
    else throw stopped(args, output);
  }
}

function wrangler(args: string[]): { ok: boolean; output: string } {
  const { status, stdout, stderr, error } = spawnSync('wrangler', args, {
    cwd: ROOT,
    encoding: 'utf8',
    // CI: it asks nothing, and does not write ids of one account into wrangler.toml.
    env: { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false' },
    stdio: ['inherit', 'pipe', 'pipe'],
  });
  return { ok: status === 0, output: error ? error.message : `${stdout}${stderr}` };
}

function stopped(args: string[], output: string): UserError {
  return new UserError(
    `${output}\nThe deployment stopped at: wrangler ${args.join(' ')}\nEvery step may be repeated: run the command again.`,
  );
}
