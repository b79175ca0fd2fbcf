import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/bundle.ts';
import { TEST_SECRETS } from '../support/secrets.ts';
import type { Server } from './server.ts';

export const IMPORTED_LINES = 100_000;
const POLL_MILLISECONDS = 100;

/** One run of the import command. */
export interface ImportRun {
  name: string;
  linesPerSecond: number;
  /** Most resident memory of the command's process, in MB; by Linux's /proc. */
  commandPeak: number;
  /** And of workerd, which holds the Worker and D1. */
  workerdPeak: number;
}

/** Imports a file by the real command into the real Worker, twice: the second run finds everybody there. */
export async function measureImport(server: Server, folder: string): Promise<ImportRun[]> {
  const file = join(folder, 'subscribers.csv');
  await writeSubscribers(file);
  const runs: ImportRun[] = [];
  for (const name of ['new', 'the same again']) runs.push(await runImport(server, file, name));
  return runs;
}

async function writeSubscribers(file: string): Promise<void> {
  const out = createWriteStream(file);
  out.write('email,status,created_at\r\n');
  for (let n = 0; n < IMPORTED_LINES; n += 1) {
    const line = `import-${n}@reader.example,active,2025-01-01T00:00:00Z\r\n`;
    if (!out.write(line)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

async function runImport(server: Server, file: string, name: string): Promise<ImportRun> {
  const args = ['import', file, '--digest', 'bench', '--to', server.broadside.href, '--consent', 'bench'];
  const env = { ...process.env, ADMIN_TOKEN: TEST_SECRETS.ADMIN_TOKEN };
  const start = performance.now();
  const command = spawn(process.execPath, [join(ROOT, 'src/build/subscribers.ts'), ...args], { env, stdio: 'ignore' });
  let commandPeak = 0;
  const poll = setInterval(() => {
    commandPeak = Math.max(commandPeak, peakMemory(command.pid));
  }, POLL_MILLISECONDS);
  const [code] = (await once(command, 'exit')) as [number | null];
  clearInterval(poll);
  if (code !== 0) throw new Error(`the import ended with ${code}`);
  const seconds = (performance.now() - start) / 1000;
  return { name, linesPerSecond: IMPORTED_LINES / seconds, commandPeak, workerdPeak: peakMemory(server.pid) };
}

/** The most memory that a process has had resident so far, in MB; 0 when it is gone. */
function peakMemory(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000;
  } catch {
    return 0;
  }
}
