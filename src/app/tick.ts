import type { ArticleStore, PublicationStore } from '../domain/content-ports.ts';
import type { DeadLetterStore } from '../domain/delivery-ports.ts';
import { type FeedbackStore, SOFT_BOUNCE_SECONDS } from '../domain/feedback.ts';
import type { Hubs } from '../domain/ports.ts';
import { shift } from '../domain/time.ts';
import { renderedFor, showable } from './article.ts';
import type { DeliverDeps } from './deliver.ts';
import { type DigestDeps, runDueDigest } from './digest.ts';
import { type FeedDeps, rebuildStaleFeeds } from './feeds.ts';
import { type NoticeDeps, tellEditor } from './notice.ts';
import { sweepDeliveries } from './plan.ts';
import { readPublication } from './settings.ts';
import { type SubscriptionDeps, UNCONFIRMED_SECONDS } from './subscriptions.ts';

export interface TickDeps extends FeedDeps, DigestDeps, DeliverDeps, NoticeDeps, SubscriptionDeps {
  publications: PublicationStore;
  articles: ArticleStore;
  hubs: Hubs;
  feedback: FeedbackStore;
  deadLetters: DeadLetterStore;
}

/** How long an operator may look at what was given up. */
const DEAD_LETTER_SECONDS = 30 * 86_400;
/** Bodies rendered again by one tick, so that it stays within its CPU time. */
const RERENDERED_PER_TICK = 20;

/**
 * One cron tick. `at` is the controller's scheduled time, and the only time the schedule looks at. Each step may be
 * repeated; one that fails is logged and does not keep the others from their work.
 */
export async function tick(deps: TickDeps, at: string): Promise<void> {
  const step = async (name: string, work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      deps.log('a step of the tick failed', { step: name, at, error });
    }
  };
  const publication = await readPublication(deps.publications, deps.baseUrl);
  if (!publication) return;
  await step('release scheduled articles', () => deps.articles.releaseDue(at));
  for (const digest of publication.digests) {
    await step(`digest ${digest.id}`, () => runDueDigest(deps, publication, digest, at));
  }
  await step('render again', () => rerenderStale(deps));
  await step('rebuild feeds', () => rebuildStaleFeeds(deps));
  await step('tell the editor', () => tellEditor(deps, publication));
  await step('sweep deliveries', () => sweepDeliveries(deps, at));
  await step('forget soft bounces', () => deps.feedback.forgetSoftBounces(shift(at, -SOFT_BOUNCE_SECONDS)));
  await step('forget dead letters', () => deps.deadLetters.forget(shift(at, -DEAD_LETTER_SECONDS)));
  await step('forget the unconfirmed', () => deps.subscriptions.forgetUnconfirmed(shift(at, -UNCONFIRMED_SECONDS)));
}

async function rerenderStale({ articles, baseUrl, log }: TickDeps): Promise<void> {
  for (const article of showable(await articles.stale(RERENDERED_PER_TICK), { baseUrl, log })) {
    await articles.rerender(article, renderedFor(baseUrl));
  }
}
