import type { IssueSummary } from '../../domain/content-ports.ts';
import { issuePath, local } from './address.ts';
import { say } from './say.tsx';
import { Time } from './time.tsx';
import type { Site } from './views.ts';

interface IssueListProps {
  site: Site;
  issues: IssueSummary[];
  /** Names each issue's digest, where issues of several stand together. */
  named?: boolean;
}

/** Issues by number, date and subject, in the order given. A date is that of the digest's own time zone, as in the mail. */
export function IssueList({ site, issues, named = false }: IssueListProps) {
  return (
    <ul class="ruled">
      {issues.map((issue) => (
        <Line site={site} issue={issue} named={named} />
      ))}
    </ul>
  );
}

function Line({ site, issue, named }: { site: Site; issue: IssueSummary; named: boolean }) {
  const digest = site.publication.digests.find(({ id }) => id === issue.digest);
  return (
    <li>
      <p class="small soft">
        {named && (digest?.title ?? issue.digest)} {issueNumber(site, issue.number)} ·{' '}
        <Time site={site} at={issue.releasedAt} zone={digest?.schedule.timezone} />
        {issue.revision > 1 && <> · {say(site, 'corrected')}</>}
      </p>
      <p class="headline">
        <a href={local(site, issuePath(issue.digest, issue.number))}>
          <b>{issue.subject}</b>
        </a>
      </p>
    </li>
  );
}

/** How an issue's number is written. */
export function issueNumber(site: Site, number: number) {
  return (
    <>
      {say(site, 'No.')} {number}
    </>
  );
}
