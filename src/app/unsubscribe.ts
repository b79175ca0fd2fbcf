import type { Manner, SubscriptionStore } from '../domain/audience-ports.ts';
import type { Tokens } from '../domain/ports.ts';
import type { Publication } from '../domain/publication.ts';
import { preferencesUrl } from './preferences.ts';

export interface UnsubscribeDeps {
  baseUrl: string;
  now: () => string;
  subscriptions: SubscriptionStore;
  tokens: Tokens;
}

/**
 * What the link of a mail's footer leads to. It never expires and may be used any number of times. `test` is the link
 * of mails that went to nobody's subscription.
 */
export type UnsubscribeResult =
  | { state: 'ask'; digest: string; several: boolean }
  | { state: 'done'; digest: string; all?: boolean; preferences: string }
  | { state: 'test' | 'unknown' };

/** What test mails, previews and the issue on the web carry in place of a token. */
export const TEST_TOKEN = 'test';

/** Ends the subscription that a token names, or all of its person, when `press` is set; else only says where it stands. */
export async function unsubscribe(
  deps: UnsubscribeDeps,
  publication: Publication,
  text: string,
  press: { all: boolean; how: Manner } | undefined,
): Promise<UnsubscribeResult> {
  if (text === TEST_TOKEN) return { state: 'test' };
  const token = await deps.tokens.verify(text);
  if (token?.purpose !== 'unsubscribe') return { state: 'unknown' };
  const { subject, scope: id } = token;
  const before = await deps.subscriptions.statuses(subject);
  if (!before.has(id)) return { state: 'unknown' };
  if (press)
    await deps.subscriptions.unsubscribe(subject, press.all ? [...before.keys()] : [id], press.how, deps.now());
  const digest = publication.digests.find((known) => known.id === id)?.title ?? id;
  const others = [...before].filter(([other, status]) => other !== id && status === 'active');
  if (!press && before.get(id) !== 'unsubscribed') return { state: 'ask', digest, several: others.length > 0 };
  const preferences = new URL(await preferencesUrl(deps, subject)).pathname;
  return { state: 'done', digest, preferences, ...(press?.all ? { all: true } : {}) };
}
