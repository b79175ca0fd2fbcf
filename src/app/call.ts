import type { Answer } from '../domain/answer.ts';
import type { Job } from '../domain/ports.ts';
import type { WebhookBody } from '../domain/webhook.ts';
import { runDigestNow } from './digest.ts';
import { rebuildStaleFeeds } from './feeds.ts';
import { changeIssue, type IssueDeps } from './issues.ts';
import { queueResumed } from './plan.ts';
import { publishArticle, withdrawArticle } from './publish.ts';
import { reissueIssue } from './reissue.ts';
import { type SettingsDeps, updatePublication, withPublication } from './settings.ts';
import type { TickDeps } from './tick.ts';
import { type Call, once } from './webhook.ts';

export interface CallDeps extends TickDeps, SettingsDeps, IssueDeps {}

/**
 * Does what a proven, valid webhook call asks, once, and what follows from it. A repeat gets the first answer and only
 * what follows is done again, in case the first call was stopped before that.
 */
export async function handleCall(deps: CallDeps, body: WebhookBody, call: Call): Promise<Answer> {
  const answer = await once(deps.receipts, call, () => dispatch(deps, body, call));
  await followUp(deps, answer);
  return answer;
}

async function dispatch(deps: CallDeps, body: WebhookBody, call: Call): Promise<void> {
  switch (body.type) {
    case 'publication.updated':
      return updatePublication(deps, body.data, call);
    case 'article.published':
    case 'article.updated':
      return publishArticle(deps, body.data, call);
    case 'article.withdrawn':
      return withdrawArticle(deps, body.data, call);
    case 'digest.run':
      return runDigestNow(deps, await withPublication(deps.publications, deps.baseUrl), body.data, call);
    case 'issue.approve':
    case 'issue.pause':
    case 'issue.resume':
    case 'issue.cancel':
      return changeIssue(deps, body.type, body.data, call);
    case 'issue.reissue':
      return reissueIssue(deps, body.data, call);
  }
}

/** Harmless to repeat, and repeated with the call; what is lost all the same, the next tick finds. */
async function followUp(deps: CallDeps, answer: Answer): Promise<void> {
  await rebuildStaleFeeds(deps);
  const { outcome, issue } = answer;
  if (issue && (outcome === 'issued' || outcome === 'approved')) {
    const { digest, number, revision } = issue;
    await deps.queue.send([{ kind: 'plan', issue: { digest, number, revision } }]);
  }
  if (outcome === 'reissued') {
    const reissued = answer.issues ?? (issue ? [issue] : []);
    await deps.queue.send([
      ...reissued.map(({ digest, number, revision }): Job => ({ kind: 'plan', issue: { digest, number, revision } })),
      // Of those that wait for approval.
      { kind: 'notice' },
    ]);
  }
  if (issue && outcome === 'resumed') await queueResumed(deps, issue);
  if (outcome === 'held') await deps.queue.send([{ kind: 'notice' }]);
}
