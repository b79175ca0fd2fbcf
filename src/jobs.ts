import { deliverPage, planDeliveries } from './app/deliver.ts';
import { tellEditor } from './app/notice.ts';
import { readPublication } from './app/settings.ts';
import { askToConfirm } from './app/subscriptions.ts';
import type { TickDeps } from './app/tick.ts';
import type { Job } from './domain/ports.ts';

/**
 * Does the jobs of a queue batch, one after another. Each is acknowledged by itself: one that fails is retried by the
 * platform, and after the last try goes to the dead letter queue; what it left open, the sweep finds.
 */
export async function consume(deps: TickDeps, batch: MessageBatch<unknown>): Promise<void> {
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

async function work(deps: TickDeps, body: unknown): Promise<void> {
  const publication = await readPublication(deps.publications, deps.baseUrl);
  if (!isJob(body) || !publication) throw new Error('not a job that can be done');
  switch (body.kind) {
    case 'plan':
      return planDeliveries(deps, body.issue);
    case 'deliver':
      return deliverPage(deps, publication, body.issue, body.page);
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
  const { kind, issue, page, hub } = Object(body) as Record<string, unknown>;
  return { kind, issue, page, hub };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
