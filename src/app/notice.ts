import type { IssueStore, StoredIssue } from '../domain/content-ports.ts';
import { digestAtom } from '../domain/delivery.ts';
import { addressOf } from '../domain/feed.ts';
import type { Tokens } from '../domain/ports.ts';
import type { Publication } from '../domain/publication.ts';
import { renderNotice } from '../render/mail/notice.ts';
import { type LetterDeps, sendLetter } from './letter.ts';
import { editorOf } from './sender.ts';

export interface NoticeDeps extends LetterDeps {
  baseUrl: string;
  now: () => string;
  issues: IssueStore;
  tokens: Tokens;
}

/**
 * Tells the editor of each held issue where to preview it. Marked after the mail went out: who stops between the two
 * sends the same mail again, under the same id.
 */
export async function tellEditor(deps: NoticeDeps, publication: Publication): Promise<void> {
  for (const { digest, number } of await deps.issues.untold()) {
    const issue = await deps.issues.read(digest, number);
    if (issue?.status !== 'held') continue;
    await sendHeldNotice(deps, publication, issue);
    await deps.issues.markTold(issue, deps.now());
  }
}

/** The page that shows a held issue to who has its link. */
export async function previewUrl(
  deps: Pick<NoticeDeps, 'tokens' | 'baseUrl'>,
  issue: { digest: string; number: number },
): Promise<string> {
  return `${deps.baseUrl}preview/${await deps.tokens.sign({ purpose: 'preview', subject: String(issue.number), scope: issue.digest })}`;
}

async function sendHeldNotice(deps: NoticeDeps, publication: Publication, issue: StoredIssue): Promise<void> {
  const { digest, number, revision } = issue;
  const title = publication.digests.find((known) => known.id === digest)?.title ?? digest;
  const rendered = renderNotice({
    publication,
    subject: `Approve "${issue.subject}"?`,
    paragraphs: [
      `${title}, no. ${number}, is composed and waits for your approval. Nobody else has seen it.`,
      `To send it, post issue.approve for digest "${digest}" and number ${number} to ${addressOf(deps.baseUrl, '/webhooks')}. To drop it, post issue.cancel; its articles then go into the next issue.`,
    ],
    button: { label: 'Preview the issue', url: await previewUrl(deps, issue) },
  });
  const content = {
    ...rendered,
    id: `held-${digestAtom(digest)}-${number}-${revision}`,
    to: editorOf(publication),
    date: deps.now(),
  };
  await sendLetter(deps, publication, content, { digest, number, revision });
}
