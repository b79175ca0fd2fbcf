import type { IssueReference } from '../domain/answer.ts';
import type { IssueStore } from '../domain/content-ports.ts';
import { OVERDUE_SECONDS } from '../domain/delivery.ts';
import type { DeliveryStore } from '../domain/delivery-ports.ts';
import type { JobQueue } from '../domain/ports.ts';
import { shift } from '../domain/time.ts';

export interface PlanDeps {
  now: () => string;
  issues: IssueStore;
  deliveries: DeliveryStore;
  queue: JobQueue;
}

/** Steps of planning by one job; the rest is left to a further one. */
const STEPS_PER_JOB = 10;
/** Pages queued anew by one sweep. */
const PAGES_PER_SWEEP = 2000;

/**
 * Writes delivery rows for the people an issue goes to, step by step, and queues their pages. May be stopped anywhere and run
 * again: rows are unique, the issue remembers how far planning came, and the sweep queues what was left.
 */
export async function planDeliveries(deps: PlanDeps, issue: IssueReference): Promise<void> {
  for (let count = 0; count < STEPS_PER_JOB; count += 1) {
    const pages = await deps.deliveries.plan(issue, deps.now());
    if (!pages) return;
    await deps.queue.send(pages.map((page) => ({ kind: 'deliver', issue, page })));
  }
  await deps.queue.send([{ kind: 'plan', issue }]);
}

/** Finds what stopped half way, and queues what it still needs. */
export async function sweepDeliveries(deps: PlanDeps, at: string): Promise<void> {
  const late = shift(at, -OVERDUE_SECONDS);
  for (const issue of await deps.issues.unfinished(late)) await deps.queue.send([{ kind: 'plan', issue }]);
  await deps.issues.closeDone(at);
  const pages = await deps.deliveries.takeOverdue(late, at, PAGES_PER_SWEEP);
  await deps.queue.send(pages.map((open) => ({ kind: 'deliver', ...open })));
}

/** Queues what a resumed issue still needs; what is more than a sweep's worth, the next ticks find. */
export async function queueResumed(deps: PlanDeps, issue: IssueReference): Promise<void> {
  await deps.queue.send([{ kind: 'plan', issue }]);
  const pages = await deps.deliveries.takeOverdue(deps.now(), deps.now(), PAGES_PER_SWEEP, issue);
  await deps.queue.send(pages.map((open) => ({ kind: 'deliver', ...open })));
}
