import type { SubscriberStore, Tokens } from '../domain/ports.ts';
import type { Publication } from '../domain/publication.ts';

export interface UnsubscribeDeps {
  now: () => string;
  subscribers: SubscriberStore;
  tokens: Tokens;
}

/**
 * What the link of a mail's footer leads to. It never expires and may be used any number of times. `test` is the link
 * of mails that went to nobody's subscription.
 */
export type UnsubscribeResult = { state: 'ask' | 'done'; digest: string } | { state: 'test' | 'unknown' };

/** What test mails, previews and the issue on the web carry in place of a token. */
export const TEST_TOKEN = 'test';

/** Ends the subscription that a token names when `leave` is set; else only says where it stands. */
export async function unsubscribe(
  deps: UnsubscribeDeps,
  publication: Publication,
  text: string,
  leave: boolean,
): Promise<UnsubscribeResult> {
  if (text === TEST_TOKEN) return { state: 'test' };
  const token = await deps.tokens.verify(text);
  if (token?.purpose !== 'unsubscribe') return { state: 'unknown' };
  const { subject, digest: id } = token;
  if (leave) await deps.subscribers.unsubscribe(subject, id, deps.now());
  const status = await deps.subscribers.status(subject, id);
  if (status === undefined) return { state: 'unknown' };
  const digest = publication.digests.find((known) => known.id === id)?.title ?? id;
  return { state: status === 'unsubscribed' ? 'done' : 'ask', digest };
}
