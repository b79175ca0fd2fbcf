import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { run, UserError } from './fault.ts';
import { localPort, localUrl } from './local.ts';
import { operatorCall } from './operator.ts';
import { askAtTerminal, publishFolder } from './publish.ts';
import { ensureSecrets, ROOT, SECRETS_FILES } from './secrets.ts';

const START_SECONDS = 90;
/** Two people for the demonstration. A deployment has none. */
const DEMO_SUBSCRIBERS = ['ada@reader.example', 'grace@reader.example'];
const ENVIRONMENT = { ...process.env, WRANGLER_SEND_METRICS: 'false' };

/** The cron trigger's period, as wrangler.toml sets it; wrangler itself fires none on this machine. */
const TICK_MILLISECONDS = 300_000;

/**
 * Serves the Worker on this machine, with a migrated database. An empty one gets the seeds, or the folder that is named,
 * and two demonstration subscribers; what is there already stays as it is.
 */
async function start(): Promise<void> {
  const port = localPort();
  const base = localUrl();
  if (await isTaken(port))
    throw new UserError(`Port ${port} is in use. Stop what runs there, or choose another: PORT=8788 npm start`);
  ensureSecrets(SECRETS_FILES.local);
  console.info('Preparing the local database and starting the Worker …');
  migrate();
  const server = serve(port, base);
  await ready(server, base);
  await fill(base, process.argv[2]);
  server.stdout?.pipe(process.stdout);
  server.stderr?.pipe(process.stderr);
  welcome(base);
  void keepTime(base);
  await new Promise((stopped) => server.once('exit', stopped));
}

async function fill(base: string, folder: string | undefined): Promise<void> {
  const { publication } = await operatorCall<{ publication: string | null }>(base, 'api/v1/digests');
  if (publication !== null && folder === undefined) {
    console.info(`\nServing what was published here before: ${publication}.`);
    return;
  }
  console.info(`\nPublishing ${folder ?? 'seeds'}/ through the webhook:`);
  await publishFolder(folder ?? 'seeds', base, { confirm: askAtTerminal });
  if (publication === null) await subscribeDemo(base);
}

/** Fires the cron trigger as the platform does: every five minutes, on the minute. */
async function keepTime(base: string): Promise<void> {
  for (;;) {
    const due = (Math.floor(Date.now() / TICK_MILLISECONDS) + 1) * TICK_MILLISECONDS;
    await sleep(due - Date.now(), undefined, { ref: false });
    await fetch(new URL(`cdn-cgi/handler/scheduled?cron=*/5+*+*+*+*&time=${due}`, base)).catch(() => undefined);
  }
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

function migrate(): void {
  const args = ['d1', 'migrations', 'apply', 'DB', '--local'];
  const { status, stdout, stderr } = spawnSync('wrangler', args, {
    cwd: ROOT,
    env: { ...ENVIRONMENT, CI: '1' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new UserError(`The local database could not be migrated.\n${stdout}${stderr}`);
}

function serve(port: number, base: string): ChildProcess {
  const args = [
    'dev',
    '--port',
    String(port),
    '--var',
    `BASE_URL:${base}`,
    '--show-interactive-dev-session=false',
    '--log-level',
    'warn',
  ];
  const server = spawn('wrangler', args, { cwd: ROOT, env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.kill(signal));
  process.once('exit', () => server.kill());
  return server;
}

async function ready(server: ChildProcess, base: string): Promise<void> {
  const output: string[] = [];
  const keep = (chunk: Buffer) => output.push(chunk.toString());
  server.stdout?.on('data', keep);
  server.stderr?.on('data', keep);
  for (const end = Date.now() + START_SECONDS * 1000; Date.now() < end; await sleep(100)) {
    if (server.exitCode !== null) break;
    const response = await fetch(new URL('healthz', base), { signal: AbortSignal.timeout(2000) }).catch(
      () => undefined,
    );
    // The Worker runs and cannot work: its log, below, says what is missing.
    if (response?.status === 503) break;
    if (response?.ok) {
      server.stdout?.off('data', keep);
      server.stderr?.off('data', keep);
      return;
    }
  }
  server.kill();
  throw new UserError(`The Worker did not start.\n${output.join('')}`);
}

async function subscribeDemo(base: string): Promise<void> {
  const { digests } = await operatorCall<{ digests: { id: string }[] }>(base, 'api/v1/digests');
  for (const { id } of digests) {
    const rows = DEMO_SUBSCRIBERS.map((email, index) => ({ line: index + 1, email, status: 'active' }));
    await operatorCall(base, 'api/v1/subscribers/import', {
      digest: id,
      dryRun: false,
      consent: 'demonstration',
      rows,
    });
  }
  if (digests.length > 0) console.info(`${DEMO_SUBSCRIBERS.join(' and ')} are subscribed, for a demonstration.`);
}

function welcome(base: string): void {
  const here = process.env.PORT === undefined ? '' : `PORT=${process.env.PORT} `;
  console.info(`
Broadside is running.

  Pages       ${base}
  RSS         ${base}rss.xml
  Atom        ${base}atom.xml
  JSON Feed   ${base}feed.json
  All feeds   ${base}feeds
  Mail        ${base}outbox

Next, in another terminal:
  ${here}npm run digest                     fires the next digest and shows the mail
  ${here}npm run publish -- my-folder       publishes a folder of your own, laid out like seeds/

Ctrl+C stops it. Everything stays in .wrangler/; delete that folder to begin anew.
`);
}

await run(start);
