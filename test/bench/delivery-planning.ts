import type { IssueReference } from '../../src/domain/answer.ts';
import { type DeliveryServer, digestOf } from './delivery-server.ts';
import { middle, type Spread, spreadOf } from './figures.ts';

/** Rows a second, alternated. */
export interface PlanningFigures {
  planned: number;
  single: number;
  ratio: Spread;
}

const ROUNDS = 5;
const ROWS = 10_000;

/** The engine's planning, which reads who is to get the issue and queues its pages, beside inserts and nothing else. */
export async function comparePlanning(server: DeliveryServer): Promise<PlanningFigures> {
  const issue = await server.freeze(ROWS);
  const ours: number[] = [];
  const single: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    await server.run(`DELETE FROM delivery WHERE digest IN ('single', '${digestOf(ROWS)}')`);
    await server.run('DELETE FROM deliveryPage');
    await server.run(`UPDATE issue SET status = 'planning', plannedThrough = ''`);
    const planning = await rowRate(() => workPlanning(server, issue));
    const inserting = await rowRate(() => server.insertRows(ROWS));
    if (round === 0) continue;
    ours.push(planning);
    single.push(inserting);
  }
  await server.run(`UPDATE issue SET status = 'cancelled'`);
  await server.run('DELETE FROM delivery');
  await server.run('DELETE FROM deliveryPage');
  const ratios = ours.map((rate, index) => rate / (single[index] ?? Number.NaN));
  return { planned: middle(ours), single: middle(single), ratio: spreadOf(ratios) };
}

/** Its jobs alone; the pages are left. */
async function workPlanning(server: DeliveryServer, issue: IssueReference): Promise<void> {
  let planning = true;
  while (planning) {
    const jobs = await server.work('smtp', { kind: 'plan', issue });
    planning = jobs.some(({ kind }) => kind === 'plan');
  }
}

async function rowRate(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return ROWS / ((performance.now() - start) / 1000);
}
