import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bundle, bundleWorker } from '../support/bundle.ts';
import { aim, figure, ratioText, spreadText, table } from './figures.ts';
import { IMPORTED_LINES, measureImport } from './import.ts';
import { timeDigest, timeMail } from './mail.ts';
import { compareRequests } from './requests.ts';
import { type Server, startServer } from './server.ts';
import { sizesOf } from './size.ts';
import { timeStartup } from './startup.ts';
import { fillServer, measureWork } from './work.ts';

/** `npm run bench`: what Broadside costs beside the least a Worker can do. Nothing fails when an aim is missed. */

const DEADLINE_MILLISECONDS = 300_000;
const LARGEST_SHARES = 20;
const FILL_MILLISECONDS_MAX = 0.1;
const FILL_RATIO_MIN = 100;
const BUNDLE_BYTES_MAX = 350_000;
const STARTUP_MILLISECONDS_MAX = 120;

async function bench(folder: string): Promise<void> {
  const start = performance.now();
  // Or wrangler says at every reading of its configuration where it found secrets.
  process.env.WRANGLER_LOG = 'warn';
  console.log(
    `Broadside bench: Node ${process.version}, ${availableParallelism()} CPUs, load ${loadavg()[0]?.toFixed(1)}`,
  );
  const bundle = bundleWorker(folder);
  const server = await startServer(bundle.code);
  try {
    await fillServer(server);
    section('Requests', await requestsTable(server), REQUESTS_METHOD);
    section('Work', await workTable(server), WORK_METHOD);
    section('Import', await importTable(server, folder), IMPORT_METHOD);
  } finally {
    await server.stop();
  }
  section('Digest', await digestTable(), DIGEST_METHOD);
  section('Bundle', bundleTable(bundle), BUNDLE_METHOD);
  section('Start-up', await startupTable(bundle, folder), STARTUP_METHOD);
  console.log(`\nTook ${figure((performance.now() - start) / 1000)} s; load at the end ${loadavg()[0]?.toFixed(1)}.`);
}

function section(title: string, body: string, method: string): void {
  console.log(`\n${title}\n${'='.repeat(title.length)}\n${body}\n${method}`);
}

const REQUESTS_METHOD = `Miniflare, each Worker on a socket of its own, 8 open connections, 20 rounds in turns. Ratio: requests a second over those
of a bare Worker that reads the same bytes by one query, median and quartiles. CPU: of workerd with D1, for a request; on
a busy machine it says more than the ratio.`;

async function requestsTable(server: Server): Promise<string> {
  const rows = (await compareRequests(server)).map((row) => [
    row.name,
    figure(row.bytes / 1000),
    figure(row.perSecond),
    figure(row.barePerSecond),
    ratioText(row.ratio),
    figure(row.cpu),
    figure(row.bareCpu),
    String(row.statements),
    row.wanted === undefined
      ? ''
      : aim(`ratio >= ${row.wanted.toFixed(1)}, 1 query`, row.ratio.median >= row.wanted && row.statements === 1),
  ]);
  return table(['', 'kB', 'req/s', 'bare', 'ratio', 'CPU ms', 'bare', 'queries', 'aim'], rows);
}

const WORK_METHOD = `CPU ms: of the workerd process, which holds the Worker, D1 and Miniflare (median and quartiles); first: the first time, before V8
has compiled what is hot. Own: the median less that of a bare Worker that makes as many round trips to D1 for nothing; D1's
own work is still in it, so it is the most that the Worker can have used. A batch is one round trip of several statements.`;

async function workTable(server: Server): Promise<string> {
  const rows = (await measureWork(server)).map(({ name, statements, trips, first, cpu, own }) => [
    name,
    String(statements),
    String(trips),
    first === undefined ? '' : figure(first),
    cpu === undefined ? '' : spreadText(cpu),
    own === undefined ? '' : figure(own),
    '',
  ]);
  return table(['', 'statements', 'round trips', 'first', 'CPU ms', 'own', ''], rows);
}

const IMPORT_METHOD = `${IMPORTED_LINES.toLocaleString('en')} lines of CSV by the real command into the real Worker and D1, in batches of 500.`;

async function importTable(server: Server, folder: string): Promise<string> {
  const runs = await measureImport(server, folder);
  return table(
    ['', 'lines/s', 'peak MB, command', 'peak MB, workerd'],
    runs.map((run) => [run.name, figure(run.linesPerSecond), figure(run.commandPeak), figure(run.workerdPeak)]),
  );
}

const DIGEST_METHOD = `CPU ms of one call in Node's V8, medians of rounds in turns. Fill: the compiled template alone. Render: renderDigest, with
choosing what fits, dates and the text part. mjml: Handlebars and mjml from the template's source. To compose the MIME
message once and to fill it for each recipient is part of no other figure.`;

async function digestTable(): Promise<string> {
  const rows: string[][] = [];
  for (const articles of [4, 20]) {
    const { fill, render, renderWithoutSummary, mjml } = await timeDigest(articles);
    const row = (name: string, time: number) => [
      `${articles} articles: ${name}`,
      time.toFixed(4),
      figure(mjml),
      `${figure(mjml / time)}x`,
    ];
    const met = (time: number) => time < FILL_MILLISECONDS_MAX && mjml / time >= FILL_RATIO_MIN;
    const wanted = `>= ${FILL_RATIO_MIN}x, < ${FILL_MILLISECONDS_MAX} ms`;
    rows.push([...row('fill', fill), aim(wanted, met(fill))]);
    rows.push([...row('render', render), aim(wanted, met(render))]);
    rows.push([...row('render, no summaries', renderWithoutSummary), '']);
  }
  const { compose, fill, bytes } = await timeMail(20);
  rows.push(['20 articles: MIME message, once', compose.toFixed(4), '', '', '']);
  rows.push([`20 articles: each recipient (${figure(bytes / 1000)} kB)`, fill.toFixed(4), '', '', '']);
  return table(['', 'CPU ms', 'mjml', 'ratio', 'aim'], rows);
}

const BUNDLE_METHOD = `As "wrangler deploy" uploads it, minified; 1 kB is 1,000 bytes. A package's gzip kB are what the whole would be smaller by
without it, so they do not add up.`;

function bundleTable({ code, sourceMap }: Bundle): string {
  const { bytes, gzipBytes, shares } = sizesOf(code, sourceMap, LARGEST_SHARES);
  const kilobytes = (count: number) => (count / 1000).toFixed(1);
  const met = aim(`<= ${BUNDLE_BYTES_MAX / 1000} kB gzip`, gzipBytes <= BUNDLE_BYTES_MAX);
  return table(
    ['', 'kB', 'gzip kB', 'aim'],
    [
      ['all', kilobytes(bytes), kilobytes(gzipBytes), met],
      ...shares.map((share) => [`  ${share.name}`, kilobytes(share.bytes), kilobytes(share.gzipBytes), '']),
    ],
  );
}

const STARTUP_METHOD = `Active: what is not idle in the profile of "wrangler check startup"; other work on the machine lengthens it, so the lowest
counts. CPU: of workerd from its start to the first answer, less that of a Worker that does nothing.`;

async function startupTable(bundle: Bundle, folder: string): Promise<string> {
  const { active, cpu } = await timeStartup(bundle, folder);
  return table(
    ['', 'ms', 'aim'],
    [
      ['active', spreadText(active), aim(`<= ${STARTUP_MILLISECONDS_MAX} ms`, active.low <= STARTUP_MILLISECONDS_MAX)],
      ['CPU', spreadText(cpu), ''],
    ],
  );
}

const deadline = setTimeout(() => {
  console.error(`The bench took longer than ${DEADLINE_MILLISECONDS / 1000} s and was stopped.`);
  process.exit(1);
}, DEADLINE_MILLISECONDS).unref();
const folder = mkdtempSync(join(tmpdir(), 'broadside-bench-'));
try {
  await bench(folder);
} finally {
  clearTimeout(deadline);
  rmSync(folder, { recursive: true });
}
