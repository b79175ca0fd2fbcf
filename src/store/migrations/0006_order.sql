-- The `timestamp` of the call that was applied last, no later than its arrival: an older call comes too late.
ALTER TABLE article ADD COLUMN saidAt TEXT NOT NULL DEFAULT '';
