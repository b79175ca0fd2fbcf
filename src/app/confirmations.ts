import type { Manner, PersonStore, SubscriptionStore } from '../domain/audience-ports.ts';
import type { IssueStore } from '../domain/content-ports.ts';
import type { Hashes, Tokens } from '../domain/ports.ts';
import type { Publication } from '../domain/publication.ts';
import { issueUrl } from './compose.ts';

export interface ConfirmationDeps {
  baseUrl: string;
  now: () => string;
  subscriptions: SubscriptionStore;
  people: PersonStore;
  issues: IssueStore;
  tokens: Tokens;
  hashes: Hashes;
}

/** Where the holder of a confirmation link stands; digests by their titles. */
export type ConfirmationResult =
  | { state: 'ask'; digests: string[] }
  | { state: 'done'; digests: string[]; latest?: { subject: string; url: string } }
  | { state: 'expired' | 'taken' }
  | { state: 'unknown' };

/**
 * What a confirmation link shows, and with `press` does. Pressing twice is harmless. A link does not bring back who
 * left after it was sent, and none outlives its week.
 */
export async function confirm(
  deps: ConfirmationDeps,
  publication: Publication,
  text: string,
  press: Manner | undefined,
): Promise<ConfirmationResult> {
  const token = await deps.tokens.verify(text);
  if (token?.purpose === 'address') return confirmAddress(deps, token.subject, token.expiresAt, press);
  if (token?.purpose !== 'confirm') return { state: 'unknown' };
  const offered = publication.digests.map(({ id }) => id);
  const digests = token.scope.split('+').filter((id) => offered.includes(id));
  const before = await deps.subscriptions.statuses(token.subject);
  const asked = digests.filter((id) => before.get(id) === 'pending');
  const active = digests.filter((id) => before.get(id) === 'active');
  if (asked.length === 0) return active.length > 0 ? done(deps, publication, active) : { state: 'expired' };
  if ((token.expiresAt ?? '') < deps.now()) return { state: 'expired' };
  if (!press) return { state: 'ask', digests: titles(publication, asked) };
  await deps.subscriptions.confirm(token.subject, asked, press, deps.now());
  return done(deps, publication, [...active, ...asked]);
}

/** A new address answered: it becomes the person's, unless somebody else has it. */
async function confirmAddress(
  deps: ConfirmationDeps,
  changeId: string,
  expiresAt: string | undefined,
  press: Manner | undefined,
): Promise<ConfirmationResult> {
  const change = await deps.people.pendingAddress(changeId);
  const person = change && (await deps.people.read(change.subscriberId));
  if (!change || !person) return { state: 'expired' };
  if (person.email === change.email) return { state: 'done', digests: [] };
  if ((expiresAt ?? '') < deps.now()) return { state: 'expired' };
  if (!press) return { state: 'ask', digests: [] };
  const moved = await deps.people.moveAddress(change, await deps.hashes.address(change.email), press, deps.now());
  return moved ? { state: 'done', digests: [] } : { state: 'taken' };
}

async function done(
  { issues, baseUrl }: ConfirmationDeps,
  publication: Publication,
  ids: string[],
): Promise<ConfirmationResult> {
  const latest = (await issues.list(20)).find(({ digest }) => ids.includes(digest));
  return {
    state: 'done',
    digests: titles(publication, ids),
    ...(latest ? { latest: { subject: latest.subject, url: issueUrl(baseUrl, latest) } } : {}),
  };
}

function titles(publication: Publication, ids: string[]): string[] {
  return ids.map((id) => publication.digests.find((digest) => digest.id === id)?.title ?? id);
}
