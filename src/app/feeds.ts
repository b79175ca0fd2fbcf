import type { Entry } from '../domain/article.ts';
import type { FeedDocument, FeedSource, FeedStore, IssueStore, PublicationStore } from '../domain/content-ports.ts';
import {
  ALL_ARTICLES,
  addressOf,
  FEED_FORMATS,
  type FeedFile,
  type FeedScope,
  feedPath,
  ISSUES,
  topicOf,
} from '../domain/feed.ts';
import type { Hashes, JobQueue } from '../domain/ports.ts';
import { type Publication, topicTitle } from '../domain/publication.ts';
import { milliseconds } from '../domain/time.ts';
import { FEED_ENTRIES, type FeedDocuments, type FeedMeta, renderFeeds } from '../render/feeds/documents.ts';
import { showable } from './article.ts';
import { readPublication } from './settings.ts';

export interface FeedDeps {
  baseUrl: string;
  release: string;
  now: () => string;
  log: (message: string, context: Record<string, unknown>) => void;
  publications: PublicationStore;
  issues: IssueStore;
  feeds: FeedStore;
  hashes: Hashes;
  queue: JobQueue;
}

/** Feeds rebuilt by one read and one write; bounds the memory and the bytes of a statement batch. */
const FEEDS_PER_ROUND = 4;
const MOST_ROUNDS = 50;
const FILES = Object.keys(FEED_FORMATS) as FeedFile[];

/** What documents were made by: a new release or base URL makes them again. */
export function madeBy({ release, baseUrl }: Pick<FeedDeps, 'release' | 'baseUrl'>): string {
  return `${release} ${baseUrl}`;
}

/**
 * Makes the documents of every feed that changed since they were made. Safe at any time and any number of times at
 * once: a document is replaced only by one that shows at least as much.
 */
export async function rebuildStaleFeeds(deps: FeedDeps): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const scopes = await deps.feeds.stale(madeBy(deps), FEEDS_PER_ROUND);
    const publication = scopes.length > 0 ? await readPublication(deps.publications, deps.baseUrl) : undefined;
    if (!publication) return;
    await rebuild(deps, publication, scopes);
  }
}

async function rebuild(deps: FeedDeps, publication: Publication, scopes: FeedScope[]): Promise<void> {
  const { feeds, articles } = await deps.feeds.sources(scopes, FEED_ENTRIES);
  const documents: FeedDocument[] = [];
  for (const feed of feeds) {
    const entries =
      feed.scope === ISSUES ? await issueEntries(deps, publication) : showable(articles.get(feed.scope) ?? [], deps);
    documents.push(...(await makeDocuments(deps, publication, feed, entries)));
  }
  await announce(deps, publication, await deps.feeds.put(documents));
}

/** Tells the publication's hubs. An announcement that gets lost costs nobody anything but the wait until the next poll. */
async function announce({ queue, baseUrl }: FeedDeps, { hubs }: Publication, changed: FeedDocument[]): Promise<void> {
  if (changed.length === 0 || hubs.length === 0) return;
  const topics = changed.map(({ path }) => addressOf(baseUrl, path));
  await queue.send(hubs.map((hub) => ({ kind: 'announce', hub, topics })));
}

async function makeDocuments(
  deps: FeedDeps,
  publication: Publication,
  feed: FeedSource,
  entries: Entry[],
): Promise<FeedDocument[]> {
  const meta = feedMeta(publication, feed);
  // The store has hidden what is not out yet, by the ticks' time; the clock may lag behind that on a developer's machine.
  const shownAt = entries.reduce(
    (latest, { publishedAt }) => (publishedAt > latest ? publishedAt : latest),
    deps.now(),
  );
  const rendered = renderFeeds(meta, entries, shownAt);
  for (const error of rendered.errors)
    deps.log('an entry was repaired or left out of a feed', { scope: feed.scope, ...error });
  return Promise.all(FILES.map((file) => makeDocument(deps, feed, meta, rendered, file)));
}

async function makeDocument(
  deps: FeedDeps,
  feed: FeedSource,
  meta: FeedMeta,
  rendered: FeedDocuments,
  file: FeedFile,
): Promise<FeedDocument> {
  const { key, contentType } = FEED_FORMATS[file];
  const path = feedPath(feed.scope, file);
  const body = rendered[key];
  // Weak, because the runtime compresses the body and keeps the tag (RFC 9110 section 8.8.1).
  const etag = `W/"${(await deps.hashes.sha256(body)).slice(0, 32)}"`;
  return {
    path,
    scope: feed.scope,
    body,
    etag,
    lastModified: Math.floor(milliseconds(earliest(rendered.updatedAt, deps.now())) / 1000),
    contentType,
    // Through URL, because a header takes ASCII only.
    link: [...meta.hubs.map((hub) => `<${new URL(hub).href}>; rel="hub"`), `<${meta.urls[key]}>; rel="self"`].join(
      ', ',
    ),
    version: feed.version,
    madeBy: madeBy(deps),
  };
}

/** RFC 9110 section 8.8.2.1: never later than the response itself. */
function earliest(one: string, other: string): string {
  return one < other ? one : other;
}

function feedMeta(publication: Publication, { scope, changedAt }: FeedSource): FeedMeta {
  const { baseUrl, title, description, language, author, hubs, topics } = publication;
  const url = (file: FeedFile) => addressOf(baseUrl, feedPath(scope, file));
  return {
    ...naming(publication, scope, { title, description }),
    language,
    home: scope === ALL_ARTICLES ? baseUrl : addressOf(baseUrl, `/${scope}`),
    ...(author ? { author } : {}),
    urls: { rss: url('rss.xml'), atom: url('atom.xml'), json: url('feed.json') },
    hubs,
    changedAt,
    topicTitles: Object.fromEntries(topics.map((topic) => [topic.slug, topic.title])),
  };
}

function naming(publication: Publication, scope: FeedScope, own: { title: string; description: string }) {
  const topic = topicOf(scope);
  if (topic !== undefined) {
    const description = publication.topics.find(({ slug }) => slug === topic)?.description ?? own.description;
    return { title: `${topicTitle(publication, topic)} · ${own.title}`, description };
  }
  return scope === ISSUES ? { ...own, title: `Issues · ${own.title}` } : own;
}

async function issueEntries({ issues }: FeedDeps, publication: Publication): Promise<Entry[]> {
  const entries = await issues.entries(FEED_ENTRIES);
  return entries.map(({ digest, number, revision, releasedAt, updatedAt, ...entry }) => ({
    ...entry,
    url: addressOf(publication.baseUrl, `/issues/${digest}/${number}`),
    authors: publication.author ? [publication.author] : [],
    topics: [],
    attachments: [],
    publishedAt: releasedAt,
    updatedAt,
  }));
}
