-- The publication: one row, its settings as the publisher sent them.
CREATE TABLE publication (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id TEXT NOT NULL,
  settings TEXT NOT NULL CHECK (json_valid(settings)),
  contentHash TEXT NOT NULL,
  updatedAt TEXT NOT NULL
) STRICT;

CREATE TABLE article (
  id TEXT PRIMARY KEY,
  -- The caller's own key, from which the id was minted; equal to the id when that is an IRI.
  key TEXT NOT NULL UNIQUE,
  slug TEXT NOT NULL UNIQUE,
  revision INTEGER NOT NULL CHECK (revision > 0),
  contentHash TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('scheduled', 'published', 'withdrawn')),
  publishedAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL,
  withdrawnAt TEXT,
  withdrawalNote TEXT,
  -- The current revision, rendered: an Article without the columns above.
  entry TEXT NOT NULL CHECK (json_valid(entry)),
  -- The renderer and base URL the entry was rendered with; another one makes it again from its source.
  renderedFor TEXT NOT NULL,
  CHECK ((status = 'withdrawn') = (withdrawnAt IS NOT NULL))
) STRICT;
CREATE INDEX articleByPublication ON article (status, publishedAt DESC, id);

-- What the caller sent, one row per revision: the history, and the source to render again from.
CREATE TABLE articleRevision (
  -- Deferred: the revision is written first, because its key is what two writers at once break.
  articleId TEXT NOT NULL REFERENCES article (id) DEFERRABLE INITIALLY DEFERRED,
  revision INTEGER NOT NULL CHECK (revision > 0),
  source TEXT NOT NULL CHECK (json_valid(source)),
  updatedAt TEXT NOT NULL,
  note TEXT,
  PRIMARY KEY (articleId, revision)
) STRICT, WITHOUT ROWID;

CREATE TABLE articleTopic (
  topic TEXT NOT NULL,
  articleId TEXT NOT NULL REFERENCES article (id),
  PRIMARY KEY (topic, articleId)
) STRICT, WITHOUT ROWID;
CREATE INDEX articleTopicByArticle ON articleTopic (articleId);

-- Old addresses of articles; each answers 301.
CREATE TABLE alias (
  path TEXT PRIMARY KEY CHECK (path LIKE '/%'),
  articleId TEXT NOT NULL REFERENCES article (id)
) STRICT, WITHOUT ROWID;
CREATE INDEX aliasByArticle ON alias (articleId);

-- What has feeds: '' for all articles, 'topics/<slug>', 'issues'.
CREATE TABLE feed (
  scope TEXT PRIMARY KEY,
  -- Counts the changes that readers of this feed can see. A document with a lower number is out of date.
  version INTEGER NOT NULL,
  -- The last change that no listed entry shows: a removal, a setting.
  changedAt TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Stored bytes, served by one query.
CREATE TABLE feedDocument (
  path TEXT PRIMARY KEY,
  scope TEXT NOT NULL,
  body TEXT NOT NULL,
  etag TEXT NOT NULL,
  -- Unix seconds, the unit of HTTP dates.
  lastModified INTEGER NOT NULL,
  contentType TEXT NOT NULL,
  -- The Link header: self and hubs.
  link TEXT NOT NULL,
  -- The feed's version this document shows, and what made it (release and base URL).
  version INTEGER NOT NULL,
  madeBy TEXT NOT NULL
) STRICT, WITHOUT ROWID;
-- All that finding stale feeds asks for, so that the bodies beside it are not read.
CREATE INDEX feedDocumentByScope ON feedDocument (scope, madeBy, version);

-- Webhook calls, by their webhook-id. The answer is written with the work itself, in one transaction.
CREATE TABLE receipt (
  id TEXT PRIMARY KEY,
  bodyHash TEXT NOT NULL,
  receivedAt TEXT NOT NULL,
  answer TEXT NOT NULL CHECK (json_valid(answer))
) STRICT, WITHOUT ROWID;
