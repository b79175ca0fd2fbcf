-- One due instant of a digest's schedule. The row is the claim: who inserts it composes.
CREATE TABLE occurrence (
  digest TEXT NOT NULL,
  at TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('claimed', 'issued', 'skipped', 'missed')),
  reason TEXT,
  issueNumber INTEGER,
  claimedAt TEXT NOT NULL,
  PRIMARY KEY (digest, at)
) STRICT, WITHOUT ROWID;

CREATE TABLE issue (
  digest TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number > 0),
  revision INTEGER NOT NULL CHECK (revision > 0),
  status TEXT NOT NULL CHECK (status IN ('held', 'planning', 'sending', 'sent', 'cancelled')),
  -- What made it, once: 'occurrence <instant>' or 'receipt <webhook-id>'.
  cause TEXT NOT NULL,
  subject TEXT NOT NULL,
  intro TEXT,
  -- What the issues feed shows: an Entry without its address and times.
  entry TEXT NOT NULL CHECK (json_valid(entry)),
  -- The article revisions as they were, in order.
  articles TEXT NOT NULL CHECK (json_valid(articles)),
  html TEXT NOT NULL,
  -- The composed message with slots for what is the recipient's own.
  mail TEXT NOT NULL CHECK (json_valid(mail)),
  createdAt TEXT NOT NULL,
  releasedAt TEXT,
  -- Where planning goes on: the last subscriber that has a delivery row.
  plannedThrough TEXT NOT NULL DEFAULT '',
  touchedAt TEXT NOT NULL,
  -- When the editor was told that a held issue waits.
  editorToldAt TEXT,
  PRIMARY KEY (digest, number, revision),
  UNIQUE (digest, cause)
) STRICT, WITHOUT ROWID;
CREATE INDEX issueByStatus ON issue (status, touchedAt);

-- An article is in at most one issue of a digest: neither lost nor sent twice.
CREATE TABLE issueArticle (
  digest TEXT NOT NULL,
  articleId TEXT NOT NULL REFERENCES article (id),
  number INTEGER NOT NULL,
  PRIMARY KEY (digest, articleId)
) STRICT, WITHOUT ROWID;
CREATE INDEX issueArticleByIssue ON issueArticle (digest, number);

-- Since when a digest's schedule is watched: an occurrence before the schedule was set is nobody's miss.
CREATE TABLE digestWatch (
  digest TEXT PRIMARY KEY,
  schedule TEXT NOT NULL,
  since TEXT NOT NULL
) STRICT, WITHOUT ROWID;
