-- Guests whose games are on their way to an account, some tables with each commit. Tables up to `done` are there, but for
-- those that the guest came to meanwhile.
CREATE TABLE merging (
    guest TEXT PRIMARY KEY NOT NULL,
    account TEXT NOT NULL,
    done TEXT NOT NULL
) WITHOUT ROWID;

PRAGMA user_version = 17;
