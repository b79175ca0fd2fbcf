import { issuePath, local } from './address.ts';
import { say } from './say.tsx';
import { Time } from './time.tsx';
import type { IssueSummary, Site } from './views.ts';

interface IssueListProps {
  site: Site;
  issues: IssueSummary[];
  /** Names each issue's digest, where issues of several stand together. */
  named?: boolean;
}

/** Issues by number, date and subject, in the order given. */
export function IssueList({ site, issues, named = false }: IssueListProps) {
  return (
    <ul class="ruled">
      {issues.map((issue) => (
        <li>
          <p class="small soft">
            {named && digestTitle(site, issue.digest)} {issueNumber(site, issue.number)} ·{' '}
            <Time site={site} at={issue.releasedAt} />
            {issue.revision > 1 && <> · {say(site, 'corrected')}</>}
          </p>
          <p class="headline">
            <a href={local(site, issuePath(issue.digest, issue.number))}>
              <b>{issue.subject}</b>
            </a>
          </p>
        </li>
      ))}
    </ul>
  );
}

function digestTitle({ publication }: Site, id: string): string {
  return publication.digests.find((digest) => digest.id === id)?.title ?? id;
}

/** How an issue's number is written. */
export function issueNumber(site: Site, number: number) {
  return (
    <>
      {say(site, 'No.')} {number}
    </>
  );
}
