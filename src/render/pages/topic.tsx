import type { Topic } from '../../domain/publication.ts';
import { absolute, topicPath } from './address.ts';
import { EntryList, type Teaser } from './entries.tsx';
import { FeedLinks } from './feed-links.tsx';
import { layout } from './layout.tsx';
import { say } from './say.tsx';
import type { FeedLink, Site } from './views.ts';

/** A topic, its articles newest first, and the feeds of this topic alone. */
export interface TopicView {
  topic: Topic;
  articles: Teaser[];
  feeds: FeedLink[];
}

/** `/topics/:topic`: what was published on one topic. */
export function topicPage(site: Site, { topic, articles, feeds }: TopicView): string {
  return layout(site, {
    head: {
      title: topic.title,
      canonical: absolute(site.publication, topicPath(topic.slug)),
      feeds,
      ...(topic.description !== undefined && {
        description: topic.description,
      }),
    },
    main: (
      <div class="page">
        <header class="opening">
          <p class="kicker small">{say(site, 'Topic')}</p>
          <h1>{topic.title}</h1>
          {topic.description && <p class="standfirst">{topic.description}</p>}
          <div class="follow row small gap">
            <span class="soft">{say(site, 'Follow this topic:')}</span> <FeedLinks feeds={feeds} />
          </div>
        </header>
        {articles.length > 0 ? (
          <EntryList site={site} entries={articles} />
        ) : (
          <p class="empty">
            {say(site, 'There is nothing on this topic at the moment. Its feeds will carry the next article on it.')}
          </p>
        )}
      </div>
    ),
  });
}
