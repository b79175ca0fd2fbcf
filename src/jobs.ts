import { deliverPage } from './app/deliver.ts';
import { type FeedbackDeps, takeFeedback } from './app/feedback.ts';
import { tellEditor } from './app/notice.ts';
import { planDeliveries } from './app/plan.ts';
import { readPublication } from './app/settings.ts';
import { askToConfirm } from './app/subscriptions.ts';
import type { TickDeps } from './app/tick.ts';
import type { Feedback } from './domain/feedback.ts';
import type { Job } from './domain/ports.ts';

/** How the names of the other two queues end (wrangler.toml). */
const DEAD = '-dead';
const MAIL_EVENTS = '-mail-events';

export interface JobDeps extends TickDeps, FeedbackDeps {
  readMailEvent(body: unknown): Feedback[];
}

/**
 * Does the jobs of a queue batch, one after another. Each is acknowledged by itself: one that fails is retried by the
 * platform, and after the last try goes to the dead letter queue; what it left open, the sweep finds.
 */
export async function consume(deps: JobDeps, batch: MessageBatch<unknown>): Promise<void> {
  if (batch.queue.endsWith(DEAD)) return keepDead(deps, batch);
  if (batch.queue.endsWith(MAIL_EVENTS)) return takeMailEvents(deps, batch);
  for (const message of batch.messages) {
    try {
      await work(deps, message.body);
      message.ack();
    } catch (error) {
      deps.log('a job failed and will be retried', { job: describe(message.body), attempt: message.attempts, error });
      message.retry();
    }
  }
}

/** What the platform or we gave up is logged and kept, so that nothing is silently gone. */
async function keepDead(deps: JobDeps, batch: MessageBatch<unknown>): Promise<void> {
  const letters = batch.messages.map(({ id, body }) => ({ id, job: describe(body) }));
  await deps.deadLetters.keep(letters, deps.now());
  for (const { id, job } of letters) deps.log('a job was given up', { id, job });
  batch.ackAll();
}

/** Bounces and complaints that come by a queue; a store that fails has the whole batch retried, which is harmless. */
async function takeMailEvents(deps: JobDeps, batch: MessageBatch<unknown>): Promise<void> {
  await takeFeedback(
    deps,
    batch.messages.flatMap(({ body }) => deps.readMailEvent(body)),
  );
  batch.ackAll();
}

async function work(deps: TickDeps, body: unknown): Promise<void> {
  const publication = await readPublication(deps.publications, deps.baseUrl);
  if (!isJob(body) || !publication) throw new Error('not a job that can be done');
  switch (body.kind) {
    case 'plan':
      return planDeliveries(deps, body.issue);
    case 'deliver':
      return deliverPage(deps, publication, body);
    case 'notice':
      return tellEditor(deps, publication);
    case 'announce':
      return deps.hubs.announce(body.hub, body.topics);
    case 'subscribe':
      return askToConfirm(deps, publication, body.request);
  }
}

/** Messages are our own; one of an older release may still be of another shape. */
function isJob(body: unknown): body is Job {
  const { kind, issue, page, request, hub, topics } = Object(body) as Record<string, unknown>;
  if (kind === 'notice') return true;
  if (kind === 'announce') return typeof hub === 'string' && Array.isArray(topics);
  if (kind === 'subscribe') return isObject(request);
  return (kind === 'plan' && isObject(issue)) || (kind === 'deliver' && isObject(issue) && isObject(page));
}

/** A job for the log, without anybody's address. */
function describe(body: unknown): Record<string, unknown> {
  const { kind, issue, page, hub, subscriberId, status, error } = Object(body) as Record<string, unknown>;
  return { kind, issue, page, hub, subscriberId, status, error };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
