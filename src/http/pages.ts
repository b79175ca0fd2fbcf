import { Hono } from 'hono';
import { articleUrl, fresh, showable } from '../app/article.ts';
import { readPublication } from '../app/settings.ts';
import type { Digest } from '../domain/digest.ts';
import { ALL_ARTICLES, addressOf, type FeedFile, feedPath, ISSUES, plainPath, topicScope } from '../domain/feed.ts';
import { type Publication, topicTitle } from '../domain/publication.ts';
import { articlePage } from '../render/pages/article.tsx';
import { type FeedGroup, feedsPage } from '../render/pages/feeds.tsx';
import { gonePage } from '../render/pages/gone.tsx';
import { homePage } from '../render/pages/home.tsx';
import { issuePage } from '../render/pages/issue.tsx';
import { issuesPage } from '../render/pages/issues.tsx';
import { notFoundPage } from '../render/pages/not-found.tsx';
import { topicPage } from '../render/pages/topic.tsx';
import type { FeedLink } from '../render/pages/views.ts';
import { welcomePage } from '../render/pages/welcome.tsx';
import type { AppContext, AppEnv } from './context.ts';
import { FORM_TOKEN_MARK, publicPage, statusPage } from './html.ts';
import { problem } from './problem.ts';
import { feedLinks, siteOf } from './site.ts';

const HOME_ARTICLES = 20;
const HOME_ISSUES = 5;
const TOPIC_ARTICLES = 50;
const LISTED_ISSUES = 200;

/** Pages for readers. */
export function pages(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get('/', home);
  app.get('/articles/:slug', article);
  app.get('/topics/:topic', topic);
  app.get('/issues', issues);
  app.get('/issues/:digest/:number{[1-9][0-9]*}', issue);
  app.get('/issues/:digest/:number{[1-9][0-9]*}/revisions/:revision{[1-9][0-9]*}', issue);
  app.get('/feeds', feedList);
  return app;
}

async function home(c: AppContext): Promise<Response> {
  const deps = c.get('deps');
  const { articles, issues, baseUrl } = deps;
  const [publication, latest, sent, topics] = await Promise.all([
    publicationOf(c),
    articles.latest(HOME_ARTICLES),
    issues.list(HOME_ISSUES),
    articles.topics(),
  ]);
  if (!publication) return statusPage(c, 200, welcomePage({ baseUrl }));
  const view = {
    articles: showable(latest, deps),
    issues: sent,
    topics: topics.map(({ slug }) => ({ slug, title: topicTitle(publication, slug) })),
  };
  return publicPage(c, homePage(siteOf(publication, FORM_TOKEN_MARK), view));
}

async function article(c: AppContext): Promise<Response> {
  const { articles, baseUrl } = c.get('deps');
  const [publication, stored] = await Promise.all([publicationOf(c), articles.bySlug(c.req.param('slug') ?? '')]);
  if (!publication || !stored || stored.article.status === 'scheduled') return notFound(c);
  const site = siteOf(publication, FORM_TOKEN_MARK);
  const shown = fresh(stored, baseUrl);
  if (shown.status === 'withdrawn') return statusPage(c, 410, gonePage(site, shown));
  return publicPage(c, articlePage(site, { article: shown, history: await articles.history(shown.id) }));
}

async function topic(c: AppContext): Promise<Response> {
  const { articles, baseUrl } = c.get('deps');
  const slug = c.req.param('topic') ?? '';
  const [publication, latest] = await Promise.all([publicationOf(c), articles.latest(TOPIC_ARTICLES, slug)]);
  const declared = publication?.topics.find((known) => known.slug === slug);
  if (!publication || (!declared && latest.length === 0)) return notFound(c);
  const shown = declared ?? { slug, title: slug };
  const feeds = feedLinks(baseUrl, topicScope(slug), `${shown.title} · ${publication.title}`);
  return publicPage(
    c,
    topicPage(siteOf(publication, FORM_TOKEN_MARK), { topic: shown, articles: showable(latest, c.get('deps')), feeds }),
  );
}

async function issues(c: AppContext): Promise<Response> {
  const [publication, list] = await Promise.all([publicationOf(c), c.get('deps').issues.list(LISTED_ISSUES)]);
  if (!publication) return notFound(c);
  return publicPage(
    c,
    issuesPage(siteOf(publication, FORM_TOKEN_MARK), {
      digests: publication.digests,
      issues: list,
      feeds: issueFeeds(publication),
    }),
  );
}

/** An issue as it stands, or as one of its revisions was. */
async function issue(c: AppContext): Promise<Response> {
  const { issues } = c.get('deps');
  const digestId = c.req.param('digest') ?? '';
  const number = Number(c.req.param('number'));
  const revisions = await issues.revisions(digestId, number);
  const asked = c.req.param('revision');
  const shown = asked === undefined ? revisions[0]?.revision : Number(asked);
  const [publication, stored, neighbours] = await Promise.all([
    publicationOf(c),
    shown === undefined ? undefined : issues.read(digestId, number, shown),
    issues.neighbours(digestId, number),
  ]);
  if (!publication || stored?.releasedAt === undefined) return notFound(c);
  const digest = publication.digests.find(({ id }) => id === digestId) ?? formerDigest(digestId);
  return publicPage(
    c,
    issuePage(siteOf(publication, FORM_TOKEN_MARK), {
      issue: stored,
      digest,
      revisions,
      feeds: issueFeeds(publication),
      ...neighbours,
    }),
  );
}

function issueFeeds({ baseUrl, title }: Publication): FeedLink[] {
  return feedLinks(baseUrl, ISSUES, `Issues · ${title}`);
}

async function feedList(c: AppContext): Promise<Response> {
  const [publication, topics] = await Promise.all([publicationOf(c), c.get('deps').articles.topics()]);
  if (!publication) return notFound(c);
  const { baseUrl } = publication;
  const slugs = new Set([...publication.topics.map((known) => known.slug), ...topics.map((used) => used.slug)]);
  const groups = [
    feedGroup(baseUrl, ALL_ARTICLES, 'All articles'),
    ...[...slugs].map((slug) => feedGroup(baseUrl, topicScope(slug), topicTitle(publication, slug))),
    feedGroup(baseUrl, ISSUES, 'Issues'),
  ];
  return publicPage(
    c,
    feedsPage(siteOf(publication, FORM_TOKEN_MARK), { groups, opml: addressOf(baseUrl, '/opml.xml') }),
  );
}

/**
 * What answers where no route does: an old address redirects to its article for good; else 404, as a page for people
 * and as a problem document for programs.
 */
export async function notFound(c: AppContext): Promise<Response> {
  const { articles, baseUrl } = c.get('deps');
  const moved =
    c.req.method === 'GET' || c.req.method === 'HEAD'
      ? await articles.byAlias(plainPath(new URL(c.req.url).pathname))
      : undefined;
  if (moved && moved.article.status !== 'scheduled') {
    const target =
      moved.article.status === 'withdrawn' ? articleUrl({}, moved.article.slug, baseUrl) : fresh(moved, baseUrl).url;
    return c.body(null, 301, { Location: target, 'Cache-Control': 'public, max-age=3600' });
  }
  const publication = await publicationOf(c);
  if (!publication || !c.req.header('accept')?.includes('text/html')) {
    return problem(c, 404, 'There is nothing at this address.');
  }
  return statusPage(c, 404, notFoundPage(siteOf(publication)));
}

function publicationOf(c: AppContext): Promise<Publication | undefined> {
  const { publications, baseUrl } = c.get('deps');
  return readPublication(publications, baseUrl);
}

/** A digest that is no longer among the settings still has its issues on the web. */
function formerDigest(id: string): Pick<Digest, 'id' | 'title' | 'schedule'> {
  return { id, title: id, schedule: { cron: '', timezone: 'UTC' } };
}

function feedGroup(baseUrl: string, scope: string, title: string): FeedGroup {
  const url = (file: FeedFile) => addressOf(baseUrl, feedPath(scope, file));
  return { title, rss: url('rss.xml'), atom: url('atom.xml'), json: url('feed.json') };
}
