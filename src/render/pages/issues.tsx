import type { IssueSummary } from '../../domain/content-ports.ts';
import type { Digest } from '../../domain/digest.ts';
import { absolute } from './address.ts';
import { IssueList } from './issue-list.tsx';
import { layout } from './layout.tsx';
import { say } from './say.tsx';
import type { FeedLink, Site } from './views.ts';

/** Every digest, and the released issues of all of them, also of digests that are no more, newest first. */
export interface IssuesView {
  digests: DigestLine[];
  issues: IssueSummary[];
  feeds?: FeedLink[];
}

type DigestLine = Pick<Digest, 'id' | 'title' | 'description'>;

/** `/issues`: the archive of everything that was mailed, digest by digest. */
export function issuesPage(site: Site, { digests, issues, feeds = [] }: IssuesView): string {
  const all = [...digests, ...former(digests, issues)];
  return layout(site, {
    section: 'issues',
    head: { title: 'Issues', canonical: absolute(site.publication, 'issues'), feeds },
    main: (
      <div class="page">
        <header class="opening">
          <h1>{say(site, 'Issues')}</h1>
          <p class="standfirst">{say(site, 'What we send by mail, kept here for everybody to read.')}</p>
        </header>
        {all.length === 0 && <p class="empty">{say(site, 'Nothing is sent by mail at the moment.')}</p>}
        {all.map((digest) => (
          <DigestSection site={site} digest={digest} issues={issues.filter((issue) => issue.digest === digest.id)} />
        ))}
      </div>
    ),
  });
}

/** Digests that are no longer among the settings have nothing left but their id, and their issues. */
function former(digests: DigestLine[], issues: IssueSummary[]): DigestLine[] {
  const known = new Set(digests.map((digest) => digest.id));
  const others = new Set(issues.map((issue) => issue.digest).filter((id) => !known.has(id)));
  return Array.from(others, (id) => ({ id, title: id }));
}

function DigestSection({ site, digest, issues }: { site: Site; digest: DigestLine; issues: IssueSummary[] }) {
  return (
    <section class="part">
      <h2>{digest.title}</h2>
      {digest.description && <p>{digest.description}</p>}
      {issues.length > 0 ? (
        <IssueList site={site} issues={issues} />
      ) : (
        <p class="empty">{say(site, 'No issue has gone out yet. The first one will be listed here.')}</p>
      )}
    </section>
  );
}
