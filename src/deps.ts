import { renderedFor } from './app/article.ts';
import { repeats } from './app/deliver.ts';
import type { Config, Env } from './env.ts';
import { authorization } from './platform/authorization.ts';
import { clientLimit } from './platform/client-limit.ts';
import { now as systemClock } from './platform/clock.ts';
import { cloudflareFeedback } from './platform/feedback-cloudflare.ts';
import { feedbackReaders } from './platform/feedback-readers.ts';
import { hashes } from './platform/hashes.ts';
import { hubs } from './platform/hubs.ts';
import { logError } from './platform/log.ts';
import { jobQueue } from './platform/queue.ts';
import { newId, random } from './platform/random.ts';
import { tokens } from './platform/tokens.ts';
import { turnstile } from './platform/turnstile.ts';
import { articleStore } from './store/articles.ts';
import { deadLetterStore } from './store/dead-letters.ts';
import { deliveryStore } from './store/deliveries.ts';
import { deliveryReports } from './store/delivery-reports.ts';
import { feedbackStore } from './store/feedback.ts';
import { feedStore } from './store/feeds.ts';
import { importStore } from './store/imports.ts';
import { issueStore } from './store/issues.ts';
import { occurrenceStore } from './store/occurrences.ts';
import { outboxStore } from './store/outbox.ts';
import { personStore } from './store/people.ts';
import { publicationStore } from './store/publications.ts';
import { receiptStore } from './store/receipts.ts';
import { subscriptionStore } from './store/subscriptions.ts';
import { suppressionStore } from './store/suppressions.ts';

/** The composition root: every port, from the environment. They hold bindings, and nothing of an invocation. */
export function buildDeps(env: Env, config: Config, now: () => string = systemClock) {
  const { baseUrl, release } = config;
  const outbox = outboxStore(env.DB);
  const { policy, limits } = config.mail;
  const transport = config.mail.digests({ outbox, now });
  return {
    config,
    ...authorization(config, now),
    allowsClient: clientLimit(env.SUBSCRIBE_LIMIT),
    isHuman: turnstile(config.turnstileSecretKey),
    baseUrl,
    release,
    now,
    newId,
    random,
    log: logError,
    publications: publicationStore(env.DB),
    articles: articleStore(env.DB, renderedFor(baseUrl)),
    feeds: feedStore(env.DB, renderedFor(baseUrl)),
    receipts: receiptStore(env.DB),
    issues: issueStore(env.DB),
    occurrences: occurrenceStore(env.DB),
    subscriptions: subscriptionStore(env.DB),
    suppressions: suppressionStore(env.DB),
    people: personStore(env.DB),
    imports: importStore(env.DB),
    deliveries: deliveryStore(env.DB, { unknown: repeats(transport, policy) ? 'retry' : 'hold', limits }),
    deliveryReports: deliveryReports(env.DB),
    deadLetters: deadLetterStore(env.DB),
    outbox,
    transport,
    letters: config.mail.letters({ outbox, now }),
    policy,
    feedback: feedbackStore(env.DB, limits),
    feedbackReaders: feedbackReaders(config.mail, now, logError),
    readMailEvent: cloudflareFeedback,
    queue: jobQueue(env.JOBS, env.DEAD),
    hubs: hubs(),
    tokens: tokens(config.tokenSecrets),
    hashes: hashes(config.suppressionKey),
  };
}
