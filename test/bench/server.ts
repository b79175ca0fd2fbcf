import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readD1Migrations } from '@cloudflare/vitest-plugin';
import { Miniflare, type MiniflareOptions } from 'miniflare';
import { TEST_SECRETS } from '../support/secrets.ts';
import { compileModule, ROOT } from './bundle.ts';

type Worker = MiniflareOptions['workers'][number];
type Modules = Record<string, string>;

/** Three Workers in one workerd, each reached without a proxy between. */
export interface Server {
  /** The deployed bundle. */
  broadside: URL;
  /** The same bundle on the same database, with its D1 statements counted. */
  counted: URL;
  /** The least a Worker can do, on a database of its own. */
  bare: URL;
  /** CPU milliseconds that workerd, D1 included, has used so far. */
  cpuMilliseconds(): number;
  /** Stores the bytes that the bare Worker serves at a path. */
  storeBare(path: string, body: string, etag: string): Promise<void>;
  /** Runs a statement on the publication's database. */
  run(sql: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts them with a migrated and otherwise empty database. @param code the deployed bundle */
export async function startServer(code: string): Promise<Server> {
  const modules = { 'broadside.js': code };
  const miniflare = new Miniflare({
    workers: [
      worker('broadside', modules),
      worker('counted', { 'counted.js': await compileModule('worker.ts'), ...modules }),
      worker('bare', { 'bare.js': await compileModule('bare.ts') }),
    ],
  });
  await miniflare.ready;
  const pid = workerdOf(process.pid);
  const db = await miniflare.getD1Database('DB', 'broadside');
  const bareDb = await miniflare.getD1Database('DB', 'bare');
  for (const { queries } of await readD1Migrations(join(ROOT, 'src/store/migrations'))) {
    for (const sql of queries) await db.prepare(sql).run();
  }
  await bareDb.prepare('CREATE TABLE bare (path TEXT PRIMARY KEY, body TEXT, etag TEXT) STRICT, WITHOUT ROWID').run();
  return {
    broadside: await miniflare.unsafeGetDirectURL('broadside'),
    counted: await miniflare.unsafeGetDirectURL('counted'),
    bare: await miniflare.unsafeGetDirectURL('bare'),
    cpuMilliseconds: () => cpuMilliseconds(pid),
    storeBare: async (path, body, etag) => {
      await bareDb.prepare('INSERT INTO bare VALUES (?, ?, ?)').bind(path, body, etag).run();
    },
    run: async (sql) => {
      await db.prepare(sql).run();
    },
    stop: () => miniflare.dispose(),
  };
}

/** CPU milliseconds of workerd from its start until one Worker has answered its first request. */
export async function startupCpu(modules: Modules, path: string): Promise<number> {
  const miniflare = new Miniflare({ workers: [worker('first', modules)] });
  try {
    await miniflare.ready;
    const response = await fetch(new URL(path, await miniflare.unsafeGetDirectURL('first')));
    await response.arrayBuffer();
    return wholeCpuMilliseconds(workerdOf(process.pid));
  } finally {
    await miniflare.dispose();
  }
}

/** A Worker with the bindings of wrangler.toml; `bare` has a database of its own. The first module is its entry. */
function worker(name: string, modules: Modules): Worker {
  const text = (value: string) => ({ type: 'text' as const, value });
  const esm = Object.entries(modules).map(([path, contents]) => [path, { type: 'esm' as const, contents }]);
  return {
    config: {
      name,
      compatibilityDate: '2026-11-01',
      compatibilityFlags: ['nodejs_compat'],
      manifest: { mainModule: Object.keys(modules)[0] ?? '', modules: Object.fromEntries(esm) },
      env: {
        DB: { type: 'd1', id: name === 'bare' ? 'bare' : 'publication' },
        JOBS: { type: 'queue', name: 'jobs' },
        // One release for both Workers, or each would make the other's feed documents again.
        RELEASE: { type: 'json', value: { id: 'bench', tag: '', timestamp: '' } },
        BASE_URL: text('http://localhost:8787/'),
        MAIL_TRANSPORT: text('outbox'),
        ...Object.fromEntries(Object.entries(TEST_SECRETS).map(([secret, value]) => [secret, text(value)])),
      },
    },
    dev: { unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }] },
  };
}

/** The one workerd that a process has started. Linux only, as is the reading of its CPU time. */
function workerdOf(parent: number): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const found = pids.find((pid) => {
    try {
      const [, command, ppid] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
      return command === 'workerd' && Number(ppid) === parent;
    } catch {
      return false;
    }
  });
  if (!found) throw new Error('workerd is not found among the processes of /proc');
  return Number(found);
}

/** CPU time of a process, threads that have ended included, in steps of 10 ms. */
function wholeCpuMilliseconds(pid: number): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

/** CPU time of the threads that a process has, to the nanosecond. */
function cpuMilliseconds(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}
