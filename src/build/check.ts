import { spawnSync } from 'node:child_process';
import { ROOT } from './secrets.ts';

/** What must hold at every commit, the quick ones first. */
const CHECKS: [name: string, command: string, ...args: string[]][] = [
  ['format and lint', 'biome', 'ci', '.'],
  ['types', 'tsc', '--noEmit'],
  ['import rules', 'depcruise', 'src', '--config', '.dependency-cruiser.mjs'],
  ['dead code', 'knip'],
  ['template drift', 'node', 'src/build/templates.ts', '--check'],
  ['deploy dry run', 'wrangler', 'deploy', '--dry-run', '--outdir', '.wrangler/dry-run'],
  ['tests', 'vitest', 'run', '--config', 'test/vitest.config.ts'],
];

/** Runs every check, shows the output of those that fail, and ends with 1 if any did. `--no-tests` leaves out the last. */
function check(): void {
  const failed: string[] = [];
  for (const [name, command, ...args] of CHECKS) {
    if (name === 'tests' && process.argv.includes('--no-tests')) continue;
    const start = Date.now();
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
      maxBuffer: 64 * 1024 * 1024,
    });
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    console.info(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
    if (status !== 0) {
      failed.push(name);
      console.error(`${stdout}${stderr}`);
    }
  }
  if (failed.length > 0) {
    console.error(`Failed: ${failed.join(', ')}.`);
    process.exitCode = 1;
  }
}

check();
