-- Keys of workers, which think for the hall on other machines. Of each its SHA-256 is kept.
CREATE TABLE worker_key (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    made_ms INTEGER NOT NULL,
    -- Since when and why it gets no work.
    aside_ms INTEGER,
    aside TEXT
) WITHOUT ROWID;

PRAGMA user_version = 29;
