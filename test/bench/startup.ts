import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bundle, wrangler } from '../support/bundle.ts';
import { type Spread, spreadOf } from './figures.ts';
import { startupCpu } from './server.ts';

export interface Startup {
  /** Milliseconds of V8's own profile of loading the bundle (`wrangler check startup`) that were not idle. */
  active: Spread;
  /** CPU milliseconds of workerd until its first answer, less those of a Worker that does nothing. */
  cpu: Spread;
}

const ROUNDS = 3;
const TRIVIAL = { 'trivial.js': "export default { fetch: () => new Response('ok') };" };

interface Profile {
  nodes: { id: number; callFrame: { functionName: string } }[];
  samples: number[];
  /** Microseconds before each sample. */
  timeDeltas: number[];
}

/** How long the bundle takes to start, in two ways. @param folder for profiles */
export async function timeStartup({ code, upload }: Bundle, folder: string): Promise<Startup> {
  const active: number[] = [];
  const cpu: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const outfile = join(folder, `startup-${round}.cpuprofile`);
    wrangler('check', 'startup', '--worker', upload, '--outfile', outfile);
    active.push(activeMilliseconds(JSON.parse(readFileSync(outfile, 'utf8'))));
    const trivial = await startupCpu(TRIVIAL, '/');
    cpu.push((await startupCpu({ 'broadside.js': code }, '/robots.txt')) - trivial);
  }
  return { active: spreadOf(active), cpu: spreadOf(cpu) };
}

function activeMilliseconds({ nodes, samples, timeDeltas }: Profile): number {
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id));
  const active = timeDeltas.filter((_, index) => !idle.has(samples[index] ?? 0));
  return active.reduce((sum, delta) => sum + delta, 0) / 1000;
}
