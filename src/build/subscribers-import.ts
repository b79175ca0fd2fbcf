import { type CsvRecord, openCsv } from './csv-read.ts';
import { UserError } from './fault.ts';
import { operatorCall } from './operator.ts';
import { describeLayout, type Layout, recogniseLayout } from './subscribers-columns.ts';
import { type FaultReport, type LineFault, openFaultReport } from './subscribers-report.ts';
import { type ImportRow, readRow } from './subscribers-row.ts';
import type { Field, ImportStatus } from './subscribers-sources.ts';

const BATCH_ROWS = 500;
const PROGRESS_RECORDS = 10_000;
const TRIES = 3;

export interface ImportOptions {
  path: string;
  digest: string;
  /** Address of the Worker, with a slash at its end. */
  base: string;
  dryRun: boolean;
  /** How everybody in the file agreed, where no column tells. */
  consent: string | undefined;
  /** The state of everybody in the file, where no column tells. */
  status: ImportStatus | undefined;
  map: ReadonlyMap<Field, string>;
}

/** What became of the people of a file; `records` is the sum of the rest. */
export interface ImportCounts {
  records: number;
  /** New subscriptions. */
  created: number;
  /** There before, among them everybody who left: nobody is subscribed again. */
  unchanged: number;
  /** Were active and are not any more. */
  changed: number;
  /** Active in the file, but never to be mailed. */
  suppressed: number;
  /** Not confirmed at the source. */
  pending: number;
  /** Active, without a sign that they agreed. */
  unproven: number;
  faults: number;
}

type Answer = Pick<ImportCounts, 'created' | 'unchanged' | 'changed' | 'suppressed'> & { faults: LineFault[] };

/**
 * Imports a CSV file of subscribers in batches of 500, one after the other; the file is read no faster than the Worker
 * answers. Faulty lines are named and left out. An address that occurs twice ends in the stricter of its states,
 * because the Worker never subscribes anybody again; for the same reason any run may be repeated.
 * @throws UserError when the file cannot be read to its end or the Worker refuses; what was sent stays
 */
export async function importSubscribers(options: ImportOptions): Promise<ImportCounts> {
  const { header, records } = await openCsv(options.path);
  const layout = recogniseLayout(options.path, header.fields, options.map, options.status);
  console.info(describeLayout(layout));
  const counts = {
    records: 0,
    created: 0,
    unchanged: 0,
    changed: 0,
    suppressed: 0,
    pending: 0,
    unproven: 0,
    faults: 0,
  };
  const report = openFaultReport(options.path);
  try {
    for await (const batch of batches(records, layout, options, counts, report)) {
      await send(batch, options, counts, report);
    }
  } catch (error) {
    if (counts.records === 0 || !(error instanceof UserError)) throw error;
    throw new UserError(`${error.message}\n${stopped(counts, options)}`);
  } finally {
    report.close();
    counts.faults = report.count();
  }
  return counts;
}

/** The rows to send, at most 500 at a time; whatever else the file holds is counted or reported on the way. */
async function* batches(
  records: AsyncIterable<CsvRecord>,
  layout: Layout,
  { consent }: ImportOptions,
  counts: ImportCounts,
  report: FaultReport,
): AsyncGenerator<ImportRow[]> {
  const canProve = layout.columns.proof || layout.source.proof.some((field) => layout.columns[field]);
  let batch: ImportRow[] = [];
  for await (const record of records) {
    counts.records += 1;
    if (counts.records % PROGRESS_RECORDS === 0) console.info(`${counts.records.toLocaleString('en')} read …`);
    const verdict = readRow(record, layout);
    if ('fault' in verdict) report.add({ line: record.line, message: verdict.fault });
    else if ('pending' in verdict) counts.pending += 1;
    else if (consent || verdict.row.proof || verdict.row.status !== 'active') batch.push(verdict.row);
    else if (!canProve) counts.unproven += 1;
    else report.add({ line: record.line, message: 'nothing here shows that this person agreed; see --consent' });
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function send(
  rows: ImportRow[],
  { base, digest, dryRun, consent }: ImportOptions,
  counts: ImportCounts,
  report: FaultReport,
): Promise<void> {
  const body = { digest, dryRun, ...(consent ? { consent } : {}), rows };
  const answer = await operatorCall<Answer>(base, 'api/v1/subscribers/import', body, TRIES);
  counts.created += answer.created;
  counts.unchanged += answer.unchanged;
  counts.changed += answer.changed;
  counts.suppressed += answer.suppressed;
  for (const fault of answer.faults) report.add(fault);
}

function stopped({ created, changed }: ImportCounts, { dryRun }: ImportOptions): string {
  if (dryRun) return 'The dry run stopped there; nothing was changed.';
  return `The import stopped there, after ${created} new and ${changed} changed. Run it again: nobody is imported twice.`;
}

/** The counts of an import as lines for the screen. */
export function describeCounts(counts: ImportCounts, { path, digest, base, dryRun }: ImportOptions): string {
  const lines: [number, string][] = [
    [counts.created, dryRun ? 'would be new subscriptions' : 'new subscriptions'],
    [counts.unchanged, 'there before, or left before: unchanged'],
    [counts.changed, dryRun ? 'active, would be no longer' : 'were active, are no longer'],
    [counts.suppressed, 'suppressed: never to be mailed'],
    [counts.pending, 'never confirmed where they come from: left out'],
    [counts.unproven, 'without proof of consent: left out'],
    [counts.faults, 'faulty lines: left out'],
  ];
  const title = dryRun ? 'Dry run, nothing was changed' : 'Imported';
  return [
    `${title}: ${counts.records.toLocaleString('en')} people of ${path}, into ${digest} at ${base}`,
    ...lines.map(([count, text]) => `${count.toLocaleString('en').padStart(9)}  ${text}`),
  ].join('\n');
}
