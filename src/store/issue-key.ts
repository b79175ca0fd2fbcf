import type { IssueReference } from '../domain/answer.ts';

/** The rows of one issue revision, its key bound as the first three values. */
export const ISSUE = 'digest = ?1 AND number = ?2 AND revision = ?3';

export function issueKey({ digest, number, revision }: IssueReference): [string, number, number] {
  return [digest, number, revision];
}
