-- What happens to files that every node of a hall keeps a copy of, in one order. Only halls of several nodes write here.

-- `last` is the number of the last entry; `base` that of the entry which the uploaded file `upload` includes, and `base_id` its id.
-- `since` counts the bytes of entries after it.
CREATE TABLE journal (
    subject TEXT PRIMARY KEY NOT NULL,
    last INTEGER NOT NULL,
    base INTEGER NOT NULL,
    base_id TEXT NOT NULL,
    upload TEXT NOT NULL,
    chunks INTEGER NOT NULL,
    since INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE journal_entry (
    subject TEXT NOT NULL,
    n INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL,
    PRIMARY KEY (subject, n)
);

-- Parts of an uploaded file, or of what an entry brought; `owner` is the id of either.
CREATE TABLE journal_chunk (
    owner TEXT NOT NULL,
    at INTEGER NOT NULL,
    subject TEXT NOT NULL,
    body BLOB NOT NULL,
    made_ms INTEGER NOT NULL,
    PRIMARY KEY (owner, at)
);
CREATE INDEX journal_chunk_subject ON journal_chunk (subject, made_ms);

PRAGMA user_version = 21;
