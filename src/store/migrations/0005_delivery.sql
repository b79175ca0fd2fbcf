-- Progress of a revision is written again and again; what was frozen is wide and never changes. They part here.
CREATE TABLE issueContent (
  digest TEXT NOT NULL,
  number INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  -- What the issues feed shows: an Entry without its address and times.
  entry TEXT NOT NULL CHECK (json_valid(entry)),
  -- The article revisions as they were, in order.
  articles TEXT NOT NULL CHECK (json_valid(articles)),
  html TEXT NOT NULL,
  -- The composed message with slots for what is the recipient's own.
  mail TEXT NOT NULL CHECK (json_valid(mail)),
  PRIMARY KEY (digest, number, revision)
) STRICT, WITHOUT ROWID;
INSERT INTO issueContent SELECT digest, number, revision, entry, articles, html, mail FROM issue;

CREATE TABLE issueNext (
  digest TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number > 0),
  revision INTEGER NOT NULL CHECK (revision > 0),
  status TEXT NOT NULL CHECK (status IN ('held', 'planning', 'sending', 'paused', 'sent', 'cancelled', 'superseded')),
  -- What made it, once: 'occurrence <instant>' or 'receipt <webhook-id>'.
  cause TEXT NOT NULL,
  subject TEXT NOT NULL,
  intro TEXT,
  -- Why a later revision was made, as its readers are told.
  reason TEXT,
  -- Who it goes to: 'digest', its subscribers; 'earlier', those who were sent an earlier revision.
  planFrom TEXT NOT NULL DEFAULT 'digest' CHECK (planFrom IN ('digest', 'earlier')),
  createdAt TEXT NOT NULL,
  releasedAt TEXT,
  -- Where planning goes on: the last subscriber that was looked at.
  plannedThrough TEXT NOT NULL DEFAULT '',
  plannedAt TEXT,
  touchedAt TEXT NOT NULL,
  -- When the editor was told that a held issue waits.
  editorToldAt TEXT,
  pausedBecause TEXT,
  -- Since the first mail, or since it was last resumed: what the limits of bounces and complaints are held against.
  mailed INTEGER NOT NULL DEFAULT 0,
  bounced INTEGER NOT NULL DEFAULT 0,
  complained INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (digest, number, revision),
  UNIQUE (digest, cause)
) STRICT, WITHOUT ROWID;
INSERT INTO issueNext (digest, number, revision, status, cause, subject, intro, createdAt, releasedAt, plannedThrough,
  plannedAt, touchedAt, editorToldAt)
SELECT digest, number, revision, status, cause, subject, intro, createdAt, releasedAt, plannedThrough,
  CASE WHEN status IN ('sending', 'sent') THEN touchedAt END, touchedAt, editorToldAt FROM issue;
DROP TABLE issue;
ALTER TABLE issueNext RENAME TO issue;
CREATE INDEX issueByStatus ON issue (status, touchedAt);

-- The ledger: one issue revision to one subscriber.
CREATE TABLE deliveryNext (
  digest TEXT NOT NULL,
  number INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  subscriberId TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'sending', 'sent', 'bounced', 'failed', 'suppressed', 'unsubscribed', 'superseded', 'cancelled', 'unknown')),
  -- Leases so far, and those of them in which the carrier took no mail from anybody.
  attempts INTEGER NOT NULL DEFAULT 0,
  heldBack INTEGER NOT NULL DEFAULT 0,
  leasedUntil TEXT,
  -- Not to be tried before.
  retryAt TEXT,
  -- The idempotency key of the attempt whose end nobody knows.
  batch TEXT,
  -- The carrier's id of the mail, by which its events name it.
  providerId TEXT,
  -- What went wrong last; kept when a later attempt succeeds.
  error TEXT,
  sentAt TEXT,
  complainedAt TEXT,
  updatedAt TEXT NOT NULL,
  PRIMARY KEY (digest, number, revision, subscriberId),
  CHECK ((status = 'sending') = (leasedUntil IS NOT NULL))
) STRICT, WITHOUT ROWID;
INSERT INTO deliveryNext (digest, number, revision, subscriberId, status, attempts, leasedUntil, error, sentAt, updatedAt)
SELECT digest, number, revision, subscriberId, status, attempts, leasedUntil, error,
  CASE status WHEN 'sent' THEN updatedAt END, updatedAt FROM delivery;
DROP TABLE delivery;
ALTER TABLE deliveryNext RENAME TO delivery;
CREATE INDEX deliveryByProviderId ON delivery (providerId) WHERE providerId IS NOT NULL;

-- The moves that a delivery may make. A carrier's acceptance or bounce that is reported late is the truth, whatever was
-- recorded meanwhile, as long as something was ever handed to it.
CREATE TRIGGER deliveryMoves BEFORE UPDATE OF status ON delivery
WHEN OLD.status <> NEW.status AND NOT CASE NEW.status
  WHEN 'queued' THEN OLD.status IN ('sending', 'unknown')
  WHEN 'sending' THEN OLD.status = 'queued'
  WHEN 'sent' THEN OLD.status <> 'bounced' AND OLD.attempts > 0
  WHEN 'bounced' THEN OLD.status IN ('queued', 'sending', 'unknown', 'sent') AND OLD.attempts > 0
  WHEN 'failed' THEN OLD.status IN ('sending', 'unknown')
  WHEN 'unknown' THEN OLD.status = 'sending'
  WHEN 'cancelled' THEN OLD.status IN ('queued', 'sending', 'unknown')
  WHEN 'superseded' THEN OLD.status IN ('queued', 'sending', 'unknown')
  ELSE OLD.status = 'queued'
END
BEGIN SELECT RAISE(ABORT, 'a delivery cannot make this move'); END;
CREATE TRIGGER deliveryBegins BEFORE INSERT ON delivery WHEN NEW.status <> 'queued'
BEGIN SELECT RAISE(ABORT, 'a delivery begins as queued'); END;

-- What of an issue is still to be done: ranges of subscribers, each worked on by one job. Gone when it is done.
CREATE TABLE deliveryPage (
  digest TEXT NOT NULL,
  number INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  after TEXT NOT NULL,
  through TEXT NOT NULL,
  -- When a job for it is expected; long after that, none comes.
  dueAt TEXT NOT NULL,
  PRIMARY KEY (digest, number, revision, through)
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveryPageByTime ON deliveryPage (dueAt);
INSERT INTO deliveryPage
SELECT digest, number, revision, '', max(subscriberId), max(updatedAt) FROM delivery WHERE status IN ('queued', 'sending')
GROUP BY digest, number, revision;

-- Mails that did not arrive although the address may be right; enough of them suppress it.
CREATE TABLE softBounce (
  addressHash TEXT NOT NULL,
  -- The carrier's id of the event.
  eventId TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (addressHash, eventId)
) STRICT, WITHOUT ROWID;
CREATE INDEX softBounceByTime ON softBounce (at);

-- Work that was given up, for an operator to look at.
CREATE TABLE deadLetter (
  -- The queue message's.
  id TEXT PRIMARY KEY,
  -- Without anybody's address.
  job TEXT NOT NULL CHECK (json_valid(job)),
  at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX deadLetterByTime ON deadLetter (at);
