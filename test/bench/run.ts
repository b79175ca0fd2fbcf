import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bundle, bundleWorker } from '../support/bundle.ts';
import { DELIVERY_METHOD, deliveryTable } from './delivery-report.ts';
import { aim, figure, ratioText, spreadText, table } from './figures.ts';
import { IMPORTED_LINES, measureImport } from './import.ts';
import { timeDigest } from './mail.ts';
import { compareRequests } from './requests.ts';
import { type Server, startServer } from './server.ts';
import { sizesOf } from './size.ts';
import { timeStartup } from './startup.ts';
import { fillServer, measureWork } from './work.ts';

/**
 * `npm run bench`: what Broadside costs beside the least a Worker can do, and beside what else one could send mail with.
 * Nothing fails when an aim is missed. `npm run bench -- delivery bundle` runs these sections alone: requests, work,
 * import, digest, delivery, bundle, start-up.
 */

const DEADLINE_MILLISECONDS = 420_000;
const LARGEST_SHARES = 20;
const FILL_MILLISECONDS_MAX = 0.1;
const FILL_RATIO_MIN = 100;
const BUNDLE_BYTES_MAX = 350_000;
const STARTUP_MILLISECONDS_MAX = 120;

async function bench(folder: string, wanted: Section[]): Promise<void> {
  const start = performance.now();
  // Or wrangler says at every reading of its configuration where it found secrets.
  process.env.WRANGLER_LOG = 'warn';
  console.log(
    `Broadside bench: Node ${process.version}, ${availableParallelism()} CPUs, load ${loadavg()[0]?.toFixed(1)}`,
  );
  const bundle = bundleWorker(folder);
  const onServer = wanted.flatMap((section) => ('onServer' in section ? section : []));
  if (onServer.length > 0) await benchServer(bundle, folder, onServer);
  for (const section of wanted) {
    if (!('onServer' in section)) print(section, await section.alone(bundle, folder));
  }
  console.log(`\nTook ${figure((performance.now() - start) / 1000)} s; load at the end ${loadavg()[0]?.toFixed(1)}.`);
}

/** These share a filled server, and go first. */
async function benchServer(bundle: Bundle, folder: string, sections: ServerSection[]): Promise<void> {
  const server = await startServer(bundle.code);
  try {
    await fillServer(server);
    for (const section of sections) print(section, await section.onServer(server, folder));
  } finally {
    await server.stop();
  }
}

function print({ title, method }: Section, body: string): void {
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
choosing what fits, dates and the text part. mjml: Handlebars and mjml from the template's source.`;

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

interface Heading {
  title: string;
  method: string;
}
type ServerSection = Heading & { onServer(server: Server, folder: string): Promise<string> };
type Section = ServerSection | (Heading & { alone(bundle: Bundle, folder: string): Promise<string> });

const SECTIONS: Section[] = [
  { title: 'Requests', method: REQUESTS_METHOD, onServer: requestsTable },
  { title: 'Work', method: WORK_METHOD, onServer: workTable },
  { title: 'Import', method: IMPORT_METHOD, onServer: importTable },
  { title: 'Digest', method: DIGEST_METHOD, alone: digestTable },
  { title: 'Delivery', method: DELIVERY_METHOD, alone: ({ code }) => deliveryTable(code) },
  { title: 'Bundle', method: BUNDLE_METHOD, alone: async (bundle) => bundleTable(bundle) },
  { title: 'Start-up', method: STARTUP_METHOD, alone: startupTable },
];

/** Those that are named, or all. */
function sectionsNamed(names: string[]): Section[] {
  const known = SECTIONS.map(({ title }) => title.toLowerCase());
  const other = names.find((name) => !known.includes(name.toLowerCase()));
  if (other !== undefined) {
    console.error(`There is no section "${other}"; the sections are ${known.join(', ')}.`);
    process.exit(1);
  }
  if (names.length === 0) return SECTIONS;
  return SECTIONS.filter(({ title }) => names.some((name) => name.toLowerCase() === title.toLowerCase()));
}

const sections = sectionsNamed(process.argv.slice(2));
const deadline = setTimeout(() => {
  console.error(`The bench took longer than ${DEADLINE_MILLISECONDS / 1000} s and was stopped.`);
  process.exit(1);
}, DEADLINE_MILLISECONDS).unref();
const folder = mkdtempSync(join(tmpdir(), 'broadside-bench-'));
try {
  await bench(folder, sections);
} finally {
  clearTimeout(deadline);
  rmSync(folder, { recursive: true });
}
