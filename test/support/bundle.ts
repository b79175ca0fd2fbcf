import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');
const TIMEOUT_MILLISECONDS = 90_000;

/** The Worker as `wrangler deploy` would upload it. */
export interface Bundle {
  code: string;
  sourceMap: string;
  /** The upload's form data, for `wrangler check startup`. */
  upload: string;
}

/** Bundles the Worker exactly as a deployment does, without deploying it. @param folder an empty one */
export function bundleWorker(folder: string): Bundle {
  const upload = join(folder, 'upload.bundle');
  wrangler('deploy', '--dry-run', '--outdir', folder, '--outfile', upload);
  return {
    code: readFileSync(join(folder, 'worker.js'), 'utf8'),
    sourceMap: readFileSync(join(folder, 'worker.js.map'), 'utf8'),
    upload,
  };
}

/** Runs wrangler. @throws Error with its output when it fails */
export function wrangler(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(join(ROOT, 'node_modules/.bin/wrangler'), args, {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: TIMEOUT_MILLISECONDS,
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: '1' },
  });
  if (status !== 0) throw new Error(`wrangler ${args[0]} failed:\n${stdout}${stderr}`);
  return stdout;
}
