import type { Article } from '../../domain/article.ts';
import { Attachments } from './attachments.tsx';
import { Byline } from './byline.tsx';
import { Picture } from './entries.tsx';
import { layout } from './layout.tsx';
import { Prose } from './prose.tsx';
import { Changed, Revisions } from './revisions.tsx';
import { say, tongue } from './say.tsx';
import { SubscribeBox } from './subscribe-box.tsx';
import { TopicLinks } from './topic-links.tsx';
import type { Revision, Site } from './views.ts';

/** An article and, in any order, its revisions up to the current one. */
export interface ArticleView {
  article: Article;
  history?: Revision[];
}

/** `/articles/:slug`: one article at its current revision, with what was corrected and when. */
export function articlePage(site: Site, { article, history = [] }: ArticleView): string {
  return layout(site, {
    head: {
      title: article.title,
      canonical: article.url,
      article,
      ...(article.summary !== undefined && { description: article.summary }),
    },
    main: (
      <div class="page">
        <article>
          <Opening site={site} article={article} history={history} />
          {article.image && <Picture image={article.image} />}
          <Prose site={site} entry={article} />
          <Closing site={site} article={article} history={history} />
        </article>
        <SubscribeBox site={site} />
      </div>
    ),
  });
}

interface Part {
  site: Site;
  article: Article;
  history: Revision[];
}

function Opening({ site, article, history }: Part) {
  const words = tongue(site, article);
  return (
    <header class="opening">
      <div class="kicker small">
        <TopicLinks site={site} slugs={article.topics} />
      </div>
      <h1 {...words}>{article.title}</h1>
      {article.summary && (
        <p class="standfirst" {...words}>
          {article.summary}
        </p>
      )}
      <Byline site={site} entry={article} />
      <Changed site={site} article={article} history={history} />
    </header>
  );
}

function Closing({ site, article, history }: Part) {
  const { source } = article;
  return (
    <footer class="small">
      <Attachments site={site} attachments={article.attachments} />
      {source && (
        <p class="part">
          {say(site, 'Source:')} {source.url ? <a href={source.url}>{source.name}</a> : source.name}
        </p>
      )}
      <Revisions site={site} article={article} history={history} />
    </footer>
  );
}
