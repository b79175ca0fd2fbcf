import type { Entry } from '../../domain/article.ts';
import type { IssueRevision } from '../../domain/content-ports.ts';
import type { Digest } from '../../domain/digest.ts';
import type { Issue } from '../../domain/issue.ts';
import { absolute, issuePath, local } from './address.ts';
import { Byline } from './byline.tsx';
import { issueNumber } from './issue-list.tsx';
import { layout } from './layout.tsx';
import { Prose } from './prose.tsx';
import { say, tongue } from './say.tsx';
import { SubscribeBox } from './subscribe-box.tsx';
import { Time } from './time.tsx';
import type { FeedLink, Site } from './views.ts';

/** An issue with its frozen entries (bodies only where whole articles were mailed), its digest, and its neighbours' numbers. */
export interface IssueView {
  issue: Issue;
  digest: Pick<Digest, 'id' | 'title' | 'schedule'>;
  previous?: number;
  next?: number;
  /** Its released revisions, newest first. */
  revisions?: IssueRevision[];
  /** Those of the issues. */
  feeds?: FeedLink[];
}

/** `/issues/:digest/:number`: what was mailed, for everybody to read, so without anybody's personal links. */
export function issuePage(site: Site, view: IssueView): string {
  const { issue, digest, feeds = [] } = view;
  return layout(site, {
    section: 'issues',
    head: {
      title: `${issue.subject} · ${digest.title}`,
      // Of every revision: what a search engine shows is the newest.
      canonical: absolute(site.publication, issuePath(digest.id, issue.number)),
      feeds,
      ...(issue.intro !== undefined && { description: issue.intro }),
    },
    main: (
      <article class="page">
        <Opening site={site} view={view} />
        <div class="ruled">
          {issue.articles.map((entry) => (
            <Item site={site} entry={entry} />
          ))}
        </div>
        <History site={site} view={view} />
        <SubscribeBox site={site} />
        <Neighbours site={site} view={view} />
      </article>
    ),
  });
}

function Opening({ site, view }: { site: Site; view: IssueView }) {
  const { issue, digest } = view;
  return (
    <header class="opening">
      <p class="kicker small">
        {digest.title} <span class="soft">{issueNumber(site, issue.number)}</span>
      </p>
      <h1>{issue.subject}</h1>
      <p class="byline row small">
        {issue.releasedAt === undefined ? (
          <span>{say(site, 'Not sent yet')}</span>
        ) : (
          <span>
            {say(site, 'Sent on')} <Time site={site} at={issue.releasedAt} zone={digest.schedule.timezone} />
          </span>
        )}
      </p>
      <Superseded site={site} view={view} />
      {issue.reason !== undefined && (
        <p class="correction">
          <strong>{say(site, 'Corrected:')}</strong> {issue.reason}
        </p>
      )}
      {issue.intro && <div class="intro stack gap">{paragraphs(issue.intro)}</div>}
    </header>
  );
}

/** On a page of an earlier revision: that it is not the newest any more. */
function Superseded({ site, view: { issue, digest, revisions = [] } }: { site: Site; view: IssueView }) {
  const [newest] = revisions;
  if (!newest || newest.revision === issue.revision) return null;
  return (
    <p class="correction">
      <strong>{say(site, 'This is an earlier version.')}</strong>{' '}
      <a href={local(site, issuePath(digest.id, issue.number))}>{say(site, 'Read the corrected issue')}</a>
    </p>
  );
}

/** Every revision with its reason, newest first, once there is more than one. */
function History({ site, view: { issue, digest, revisions = [] } }: { site: Site; view: IssueView }) {
  if (revisions.length < 2) return null;
  return (
    <section class="part small" aria-labelledby="revisions">
      <h2 class="small" id="revisions">
        {say(site, 'Revisions')}
      </h2>
      <ul class="ruled">
        {revisions.map(({ revision, releasedAt, reason }) => (
          <li>
            <a
              href={local(site, `${issuePath(digest.id, issue.number)}/revisions/${revision}`)}
              {...(revision === issue.revision ? { 'aria-current': 'true' } : {})}
            >
              {say(site, 'Revision')} {revision}
            </a>{' '}
            <Time site={site} at={releasedAt} zone={digest.schedule.timezone} precision="minute" />
            {reason !== undefined && <p>{reason}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Plain text to paragraphs: an empty line parts two of them. */
function paragraphs(text: string) {
  return text.split(/(?:\r?\n){2,}/).map((paragraph) => <p>{paragraph}</p>);
}

/** An entry as it was frozen: with its body where the digest mails whole articles, else with its summary. */
function Item({ site, entry }: { site: Site; entry: Entry }) {
  const words = tongue(site, entry);
  return (
    <section>
      <h2 class="headline" {...words}>
        <a href={entry.url}>{entry.title}</a>
      </h2>
      <Byline site={site} entry={entry} />
      {entry.html ? (
        <Prose site={site} entry={entry} />
      ) : (
        entry.summary && (
          <p class="summary" {...words}>
            {entry.summary}
          </p>
        )
      )}
    </section>
  );
}

function Neighbours({ site, view: { digest, previous, next } }: { site: Site; view: IssueView }) {
  const link = (number: number, text: string) => (
    <li>
      <a href={local(site, issuePath(digest.id, number))}>
        {say(site, text)} {issueNumber(site, number)}
      </a>
    </li>
  );
  return (
    <nav class="ruled" aria-label="Other issues">
      <ul class="row small">
        {previous !== undefined && link(previous, 'Previous:')}
        {next !== undefined && link(next, 'Next:')}
        <li>
          <a href={local(site, 'issues')}>{say(site, 'All issues')}</a>
        </li>
      </ul>
    </nav>
  );
}
