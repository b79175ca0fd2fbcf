import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from 'miniflare';
import { migratedDatabase, workerOptions } from '../support/workerd.ts';
import { compileModule } from './compile.ts';
import { childOf, cpuOf, wholeCpuOf } from './cpu.ts';

/** JavaScript by path; the first is the entry. */
type Modules = Record<string, string>;

/** Three Workers in one workerd, each reached without a proxy between. */
export interface Server {
  /** The deployed bundle. */
  broadside: URL;
  /** The same bundle on the same database, with its D1 statements counted. */
  counted: URL;
  /** The least a Worker can do, on a database of its own. */
  bare: URL;
  /** The process of workerd. */
  pid: number;
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
  const miniflare = await start([
    worker('broadside', modules),
    worker('counted', { 'counted.js': await compileModule('worker.ts'), ...modules }),
    worker('bare', { 'bare.js': await compileModule('bare.ts') }),
  ]);
  const pid = childOf(process.pid, 'workerd');
  const db = await migratedDatabase(miniflare, 'broadside');
  const bareDb = await miniflare.getD1Database('DB', 'bare');
  await bareDb.prepare('CREATE TABLE bare (path TEXT PRIMARY KEY, body TEXT, etag TEXT) STRICT, WITHOUT ROWID').run();
  return {
    broadside: await miniflare.unsafeGetDirectURL('broadside'),
    counted: await miniflare.unsafeGetDirectURL('counted'),
    bare: await miniflare.unsafeGetDirectURL('bare'),
    pid,
    cpuMilliseconds: () => cpuOf(pid),
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
  const miniflare = await start([worker('first', modules)]);
  try {
    const response = await fetch(new URL(path, await miniflare.unsafeGetDirectURL('first')));
    await response.arrayBuffer();
    return wholeCpuOf(childOf(process.pid, 'workerd'));
  } finally {
    await miniflare.dispose();
  }
}

/** Workers in one workerd. */
export async function start(workers: V4WorkerOptions[]): Promise<Miniflare> {
  const miniflare = new Miniflare(convertV4MiniflareOptions({ workers }));
  await miniflare.ready;
  return miniflare;
}

/**
 * `bare` has a database of its own.
 * @param variables beside those of wrangler.toml
 */
export function worker(name: string, modules: Modules, variables: Record<string, string> = {}): V4WorkerOptions {
  // No consumer: the bench hands messages over itself. No metadata: with two releases on one database, each would make
  // the other's feed documents again.
  const { queueConsumers, versionMetadata, ...options } = workerOptions(name, modules, 'http://localhost:8787/');
  return {
    ...options,
    bindings: { ...(options.bindings ?? {}), ...variables, RELEASE: { id: 'bench' } },
    d1Databases: { DB: name === 'bare' ? 'bare' : 'publication' },
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  };
}
