import type { Feedback, FeedbackStore } from '../domain/feedback.ts';
import type { Hashes } from '../domain/ports.ts';
import { normaliseEmail } from '../domain/subscriber.ts';

export interface FeedbackDeps {
  feedback: FeedbackStore;
  hashes: Hashes;
  now: () => string;
  log: (message: string, context: Record<string, unknown>) => void;
}

/**
 * Records what a carrier tells of mails, one event after the other. Whoever fails half way may be called again with all
 * of them. An event about what is no address is left out: it cannot be one of ours, and must not stop the others.
 */
export async function takeFeedback(deps: FeedbackDeps, events: Feedback[]): Promise<void> {
  for (const event of events) {
    const email = normaliseEmail(event.email);
    if (email === undefined) {
      const { id, kind, providerId } = event;
      const addressHash = await deps.hashes.address(event.email);
      deps.log('a carrier reports on what is no address', { id, kind, providerId, addressHash });
      continue;
    }
    await deps.feedback.record({ ...event, email, addressHash: await deps.hashes.address(email) }, deps.now());
  }
}
