CREATE TABLE subscriber (
  id TEXT PRIMARY KEY,
  -- Normal form: lower-case domain, IDN as A-labels.
  email TEXT NOT NULL UNIQUE,
  -- HMAC-SHA-256 of the address with SUPPRESSION_KEY, what a suppression is matched by.
  addressHash TEXT NOT NULL,
  createdAt TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE subscription (
  digest TEXT NOT NULL,
  subscriberId TEXT NOT NULL REFERENCES subscriber (id),
  status TEXT NOT NULL CHECK (status IN ('pending', 'active', 'unsubscribed')),
  createdAt TEXT NOT NULL,
  confirmedAt TEXT,
  unsubscribedAt TEXT,
  PRIMARY KEY (digest, subscriberId)
) STRICT, WITHOUT ROWID;
CREATE INDEX subscriptionBySubscriber ON subscription (subscriberId);

CREATE TABLE suppression (
  addressHash TEXT PRIMARY KEY,
  reason TEXT NOT NULL CHECK (reason IN ('hard_bounce', 'complaint', 'manual')),
  createdAt TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One issue revision to one subscriber.
CREATE TABLE delivery (
  id TEXT PRIMARY KEY,
  digest TEXT NOT NULL,
  number INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  subscriberId TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'sending', 'sent', 'bounced', 'failed', 'suppressed', 'unsubscribed', 'superseded', 'cancelled', 'unknown')),
  attempts INTEGER NOT NULL DEFAULT 0,
  leasedUntil TEXT,
  error TEXT,
  updatedAt TEXT NOT NULL,
  UNIQUE (digest, number, revision, subscriberId),
  CHECK ((status = 'sending') = (leasedUntil IS NOT NULL))
) STRICT, WITHOUT ROWID;

-- The embedded transport: what would have been mailed.
CREATE TABLE outbox (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('digest', 'test', 'notice')),
  recipient TEXT NOT NULL,
  sender TEXT NOT NULL,
  subject TEXT NOT NULL,
  messageId TEXT NOT NULL UNIQUE,
  digest TEXT,
  issue INTEGER,
  revision INTEGER,
  raw TEXT NOT NULL,
  createdAt TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX outboxByTime ON outbox (createdAt DESC, id DESC);
