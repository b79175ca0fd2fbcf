import { type DeliveryFigures, measureDelivery } from './delivery.ts';
import type { PlanningFigures } from './delivery-planning.ts';
import { aim, figure, ratioText, table } from './figures.ts';
import { timeMail } from './mail.ts';

const NODEMAILER_RATIO_MIN = 1;
const GROWTH_MAX = 11;
const COMPOSITION_RATIO_MIN = 20;
const PLANNING_RATIO_MIN = 5;

export const DELIVERY_METHOD = `Miniflare; the engine from the first planning job to the last page, by four consumers as deployed, each job an invocation of its
own, the ledger in D1; every mail must arrive once. nodemailer: pooled, 5 connections, in Node, composing each of the same
mails, with a turn after every 1,000 of the engine's. Both send into a sink that is a process of its own. Ratio: of mails a
second, median and quartiles of rounds. Growth: time over that for a tenth of the people, which whatever else the machine
does disturbs, and CPU time over that for a tenth. CPU ms, D1's statements and rows: of a mail; CPU of workerd, D1 included.
Planning: beside batch() of 100 inserts of one row, into the same table. Composition: one call in Node's V8.`;

export async function deliveryTable(code: string): Promise<string> {
  const { deliveries, planning } = await measureDelivery(code);
  return [deliveries.map(deliveryRow), [planningRow(planning)], await compositionRows()]
    .map((rows, index) => table(HEADERS[index] ?? [], rows))
    .join('\n\n');
}

const HEADERS = [
  ['', 'mails/s', 'ratio', 'growth', 'of CPU', 'CPU ms', 'statements', 'rows read', 'written', 'kB', 'aim'],
  ['', 'rows/s', 'single rows', 'ratio', 'aim'],
  ['', 'CPU ms', 'MailComposer', 'ratio', 'aim'],
];

function deliveryRow(row: DeliveryFigures): string[] {
  const { by, size, perSecond, ratio, growth, cpuGrowth, cpu, used, kilobytes } = row;
  const optional = (value: number | undefined) => (value === undefined ? '' : figure(value));
  return [
    `${by}, ${size.toLocaleString('en')} people`,
    figure(perSecond),
    ratio ? ratioText(ratio) : '',
    optional(growth),
    optional(cpuGrowth),
    figure(cpu),
    optional(used?.statements),
    optional(used?.rowsRead),
    optional(used?.rowsWritten),
    figure(kilobytes),
    [
      ...(ratio ? [aim(`ratio >= ${NODEMAILER_RATIO_MIN}`, ratio.median >= NODEMAILER_RATIO_MIN)] : []),
      ...(growth === undefined ? [] : [aim(`growth <= ${GROWTH_MAX}`, growth <= GROWTH_MAX)]),
    ].join(', '),
  ];
}

function planningRow({ planned, single, ratio }: PlanningFigures): string[] {
  const met = aim(`ratio >= ${PLANNING_RATIO_MIN}`, ratio.median >= PLANNING_RATIO_MIN);
  return ['planning 10,000 people', figure(planned), figure(single), ratioText(ratio), met];
}

async function compositionRows(): Promise<string[][]> {
  const { mailComposer, compose, fill, fillJson, bytes } = await timeMail(20);
  const row = (name: string, time: number) => [
    name,
    time.toFixed(4),
    figure(mailComposer),
    `${figure(mailComposer / time)}x`,
  ];
  const met = aim(`ratio >= ${COMPOSITION_RATIO_MIN}`, mailComposer / fill >= COMPOSITION_RATIO_MIN);
  return [
    [...row('20 articles, composed once for all', compose), ''],
    [...row(`  filled for each, ${figure(bytes / 1000)} kB (smtp)`, fill), met],
    [...row('  filled for each, as JSON (resend)', fillJson), ''],
  ];
}
