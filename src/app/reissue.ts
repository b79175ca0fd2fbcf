import type { IssueReference } from '../domain/answer.ts';
import type { Article } from '../domain/article.ts';
import type { SubscriptionStore } from '../domain/audience-ports.ts';
import type { IssueDraft, PublicationStore, StoredIssue } from '../domain/content-ports.ts';
import type { DeliveryReports } from '../domain/delivery-ports.ts';
import type { Digest } from '../domain/digest.ts';
import { Refusal } from '../domain/errors.ts';
import type { FrozenEntry } from '../domain/issue.ts';
import type { MailPolicy } from '../domain/mail-policy.ts';
import type { Publication } from '../domain/publication.ts';
import type { ReissueData } from '../domain/webhook.ts';
import type { DigestMail } from '../render/mail/digest.ts';
import { subjectOf } from '../render/mail/digest-subject.ts';
import { showable } from './article.ts';
import { type ComposeDeps, draftOf, freezeEntries, renderIssue } from './compose.ts';
import { mailRefusal } from './sender.ts';
import { readPublication } from './settings.ts';
import type { Call } from './webhook.ts';

export interface ReissueDeps extends ComposeDeps {
  publications: PublicationStore;
  subscriptions: SubscriptionStore;
  deliveryReports: DeliveryReports;
  policy: MailPolicy;
}

/** A later revision of an issue, rendered and not yet frozen, and to how many it goes. */
export interface PlannedReissue {
  draft: IssueDraft;
  rendered: DigestMail;
  audience: number;
}

/** A correction by mail cannot be taken back: to more than these, the caller says to how many it goes. */
const MOST_UNCONFIRMED = 100;

/** `issue.reissue`: decided, but not done. Without `planned` the newest revision says all that already. */
export interface ReissueDecision {
  issue: StoredIssue;
  planned?: PlannedReissue;
  audience: number;
}

/**
 * Mails an issue again, with its articles as they are now and the reason on top.
 * @throws Refusal when there is no such issue, nobody can be mailed, or the number of people is not confirmed
 * @throws Raced when another call reissued it meanwhile; call again
 */
export async function reissueIssue(deps: ReissueDeps, data: ReissueData, call: Call): Promise<void> {
  const { issue, planned, audience } = await decideReissue(deps, data, call.now);
  const { digest, number, revision } = planned?.draft ?? issue;
  const answer = { id: digest, issue: { digest, number, revision, audience } };
  if (!planned) {
    await deps.issues.reissue([], { receipt: call.receipt, answer: { ...answer, outcome: 'unchanged' } });
    return;
  }
  if (needsConfirmation(audience, data.confirm)) {
    throw new Refusal('invalid', 'Nothing was sent.', [
      { pointer: '/data/confirm', message: `must be ${audience}, the number of people that it goes to` },
    ]);
  }
  await deps.issues.reissue([planned.draft], { receipt: call.receipt, answer: { ...answer, outcome: 'reissued' } });
}

/** What `issue.reissue` would do. @throws Refusal as above, but asks for no confirmation */
export async function decideReissue(
  deps: ReissueDeps,
  { digest, number, reason }: ReissueData,
  at: string,
): Promise<ReissueDecision> {
  const publication = await readPublication(deps.publications, deps.baseUrl);
  const refusal = publication && mailRefusal(deps.policy, publication);
  if (refusal !== undefined) throw new Refusal('unavailable', `Nothing was sent: ${refusal}.`);
  const known = number === undefined ? await deps.issues.latest(digest) : { digest, number };
  const issue = known && (await deps.issues.read(known.digest, known.number));
  if (!publication || !issue) {
    const asked = number === undefined ? 'no issue that was sent' : `no issue ${number}`;
    throw nothingSent('/data/number', `digest ${JSON.stringify(digest)} has ${asked}`);
  }
  if (issue.releasedAt === undefined) {
    throw nothingSent('/data/number', `is ${issue.status}; only what was released can be reissued`);
  }
  const digestNow = publication.digests.find(({ id }) => id === digest);
  if (!digestNow) throw nothingSent('/data/digest', 'is no longer one of the digests of publication.yaml');
  const planned = await planReissue(deps, { publication, digest: digestNow, issue, reason, at });
  const audience = planned?.audience ?? (await deps.deliveryReports.reissueAudience(issue));
  return { issue, audience, ...(planned ? { planned } : {}) };
}

/** Whether a reissue to so many has to be confirmed, and is not. */
export function needsConfirmation(audience: number, confirm: number | undefined): boolean {
  return audience > MOST_UNCONFIRMED && confirm !== audience;
}

/**
 * The reissues that a correction of an article asks for: of every issue that holds it in another revision. One that waits
 * for approval is made anew, and waits again.
 * @param article as it will be once the call is done
 */
export async function reissuesFor(
  deps: ReissueDeps,
  publication: Publication,
  article: Article,
  reason: string,
  at: string,
): Promise<PlannedReissue[]> {
  const planned: PlannedReissue[] = [];
  for (const { digest: id, number } of await deps.issues.holding(article.id)) {
    const issue = await deps.issues.read(id, number);
    const digest = publication.digests.find((known) => known.id === id);
    if (!issue || !digest || holds(issue.articles, article)) continue;
    const reissue = await planReissue(deps, { publication, digest, issue, reason, at }, article);
    if (reissue) planned.push(reissue);
  }
  return planned;
}

function holds(frozen: FrozenEntry[], { id, revision }: Article): boolean {
  return frozen.some((entry) => entry.id === id && entry.revision === revision);
}

interface ReissueOrder {
  publication: Publication;
  digest: Digest;
  issue: StoredIssue;
  reason: string;
  at: string;
}

async function planReissue(
  deps: ReissueDeps,
  { publication, digest, issue, reason, at }: ReissueOrder,
  corrected?: Article,
): Promise<PlannedReissue | undefined> {
  const held = issue.status === 'held';
  const articles = await articlesNow(deps, publication, digest, issue, corrected);
  if (sameRevisions(articles, issue.articles) && (held || issue.reason === reason)) return undefined;
  const order = {
    publication,
    digest,
    at,
    number: issue.number,
    revision: issue.newestRevision + 1,
    articles,
    earlier: issue.revision,
    ...(await ownWords(deps, publication, digest, issue)),
    // Nobody has seen what waits for approval: to its readers it is no correction.
    ...(held ? {} : { reason }),
  };
  const composed = await renderIssue(deps, order);
  const draft = await draftOf(deps, order, composed, {
    status: held ? 'held' : 'planning',
    cause: `reissue ${issue.number} ${order.revision}`,
  });
  const audience = held
    ? await deps.subscriptions.audience(digest.id)
    : await deps.deliveryReports.reissueAudience(issue);
  return { draft, rendered: composed.rendered, audience };
}

/** The issue's articles in their order as they are now; what was withdrawn is gone. */
async function articlesNow(
  deps: ReissueDeps,
  publication: Publication,
  digest: Digest,
  issue: StoredIssue,
  corrected?: Article,
): Promise<FrozenEntry[]> {
  const ids = issue.articles.map(({ id }) => id);
  const stored = showable(await deps.articles.byIds(ids), deps);
  const byId = new Map([...stored, ...(corrected ? [corrected] : [])].map((article) => [article.id, article]));
  const now = ids.flatMap((id) => byId.get(id) ?? []).filter(({ status }) => status === 'published');
  return freezeEntries(now, digest, publication.language);
}

function sameRevisions(one: FrozenEntry[], other: FrozenEntry[]): boolean {
  const list = (entries: FrozenEntry[]) => JSON.stringify(entries.map(({ id, revision }) => [id, revision]));
  return list(one) === list(other);
}

/** The editor's own subject and intro. A subject that was made of a title is made again, or it would keep the mistake. */
async function ownWords(
  { issues }: ReissueDeps,
  publication: Publication,
  digest: Digest,
  { digest: id, number, intro }: IssueReference & { intro?: string },
): Promise<{ subject?: string; intro?: string }> {
  const first = await issues.read(id, number, 1);
  const made = first && subjectOf({ publication, digest, articles: first.articles });
  return {
    ...(first && first.subject !== made ? { subject: first.subject } : {}),
    ...(intro === undefined ? {} : { intro }),
  };
}

function nothingSent(pointer: string, message: string): Refusal {
  return new Refusal('invalid', 'Nothing was sent.', [{ pointer, message }]);
}
