import type { IssueSummary } from '../../domain/content-ports.ts';
import type { Topic } from '../../domain/publication.ts';
import { absolute, local } from './address.ts';
import { ArticleEntry, EntryList, type Teaser } from './entries.tsx';
import { FeedLinks } from './feed-links.tsx';
import { IssueList } from './issue-list.tsx';
import { layout } from './layout.tsx';
import { say } from './say.tsx';
import { SubscribeBox } from './subscribe-box.tsx';
import { TopicLinks } from './topic-links.tsx';
import type { Site } from './views.ts';

/** What the home page shows: articles and issues newest first, topics that have articles. */
export interface HomeView {
  articles: Teaser[];
  issues: IssueSummary[];
  topics: Topic[];
}

/**
 * `/`: the latest coverage, the first article largest, beside the latest issues, the topics and the feeds. The way to
 * subscribe comes after the first article, and on a wide screen stands beside it.
 */
export function homePage(site: Site, view: HomeView): string {
  return layout(site, {
    section: 'home',
    head: { canonical: absolute(site.publication, '') },
    main: (
      <div class="columns">
        <Lead site={site} article={view.articles[0]} />
        <SubscribeBox site={site} />
        {view.articles.length > 1 && (
          <div class="others">
            <EntryList site={site} entries={view.articles.slice(1)} />
          </div>
        )}
        <Aside site={site} view={view} />
      </div>
    ),
  });
}

function Lead({ site, article }: { site: Site; article: Teaser | undefined }) {
  if (article) return <ArticleEntry site={site} entry={article} lead />;
  return (
    <p class="lead empty">
      {say(
        site,
        'Nothing has been published here yet. The feeds are open all the same: follow one, and the first article comes to you.',
      )}
    </p>
  );
}

function Aside({ site, view }: { site: Site; view: HomeView }) {
  return (
    <div class="side">
      {view.issues.length > 0 && (
        <section>
          <h2>{say(site, 'Latest issues')}</h2>
          <IssueList site={site} issues={view.issues} named={site.publication.digests.length > 1} />
          <p>
            <a class="more small" href={local(site, 'issues')}>
              {say(site, 'All issues')}
            </a>
          </p>
        </section>
      )}
      {view.topics.length > 0 && (
        <section>
          <h2>{say(site, 'Topics')}</h2>
          <TopicLinks site={site} slugs={view.topics.map((topic) => topic.slug)} />
        </section>
      )}
      <section>
        <h2>{say(site, 'Feeds')}</h2>
        <p>{say(site, 'Every article in full, in the reader of your choice.')}</p>
        <FeedLinks feeds={site.feeds} />
        <p>
          <a class="more small" href={local(site, 'feeds')}>
            {say(site, 'All feeds, and how to use them')}
          </a>
        </p>
      </section>
    </div>
  );
}
