-- What people agreed to, and how: append-only. A row goes only when its person is erased.
CREATE TABLE consent (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  subscriberId TEXT NOT NULL,
  event TEXT NOT NULL CHECK (event IN ('requested', 'confirmed', 'unsubscribed', 'address_changed', 'imported', 'returned')),
  -- Absent when it is about the address.
  digest TEXT,
  -- The text that was shown (domain/consent.ts).
  textVersion INTEGER,
  way TEXT NOT NULL,
  -- The client's network, its last part cut off.
  network TEXT,
  proof TEXT,
  at TEXT NOT NULL
) STRICT;
CREATE INDEX consentBySubscriber ON consent (subscriberId, id);
CREATE TRIGGER consentIsNeverChanged BEFORE UPDATE ON consent
BEGIN SELECT RAISE(ABORT, 'the consent record is append-only'); END;
CREATE TRIGGER consentGoesWithItsPerson BEFORE DELETE ON consent
WHEN EXISTS (SELECT 1 FROM subscriber WHERE id = OLD.subscriberId)
BEGIN SELECT RAISE(ABORT, 'the consent record is append-only'); END;

-- Mails that ask an address for a confirmation; counted, so that nobody can be flooded with them.
CREATE TABLE confirmationMail (
  addressHash TEXT NOT NULL,
  sentAt TEXT NOT NULL,
  PRIMARY KEY (addressHash, sentAt)
) STRICT, WITHOUT ROWID;
CREATE INDEX confirmationMailByTime ON confirmationMail (sentAt);

-- A change of address that waits for the new one to confirm.
CREATE TABLE addressChange (
  id TEXT PRIMARY KEY,
  subscriberId TEXT NOT NULL REFERENCES subscriber (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  requestedAt TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX addressChangeByTime ON addressChange (requestedAt);

CREATE INDEX subscriptionPending ON subscription (createdAt) WHERE status = 'pending';
CREATE INDEX subscriberByAddressHash ON subscriber (addressHash);
