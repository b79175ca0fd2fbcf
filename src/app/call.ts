import type { Answer } from '../domain/answer.ts';
import { Refusal } from '../domain/errors.ts';
import type { WebhookBody } from '../domain/webhook.ts';
import { runDigestNow } from './digest.ts';
import { rebuildStaleFeeds } from './feeds.ts';
import { approveIssue, cancelIssue, type IssueDeps, pauseIssue, resumeIssue } from './issues.ts';
import { queueResumed } from './plan.ts';
import { publishArticle, withdrawArticle } from './publish.ts';
import { readPublication, type SettingsDeps, updatePublication } from './settings.ts';
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
    case 'digest.run': {
      const publication = await readPublication(deps.publications, deps.baseUrl);
      if (!publication) throw new Refusal('invalid', 'There is no publication yet: send publication.updated first.');
      return runDigestNow(deps, publication, body.data, call);
    }
    case 'issue.approve':
      return approveIssue(deps, body.data, call);
    case 'issue.pause':
      return pauseIssue(deps, body.data, call);
    case 'issue.resume':
      return resumeIssue(deps, body.data, call);
    case 'issue.cancel':
      return cancelIssue(deps, body.data, call);
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
  if (issue && outcome === 'resumed') await queueResumed(deps, issue);
  if (outcome === 'held') await deps.queue.send([{ kind: 'notice' }]);
}
