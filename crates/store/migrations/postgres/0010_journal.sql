-- What happens to files that every node of a hall keeps a copy of, in one order.

-- `last` is the number of the last entry; `base` that of the entry which the uploaded file `upload` includes, and `base_id` its id.
-- `since` counts the bytes of entries after it.
CREATE TABLE journal (
    subject TEXT COLLATE "C" PRIMARY KEY,
    last BIGINT NOT NULL,
    base BIGINT NOT NULL,
    base_id TEXT COLLATE "C" NOT NULL,
    upload TEXT COLLATE "C" NOT NULL,
    chunks BIGINT NOT NULL,
    since BIGINT NOT NULL
);

CREATE TABLE journal_entry (
    subject TEXT COLLATE "C" NOT NULL,
    n BIGINT NOT NULL,
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    body TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (subject, n)
);

-- Parts of an uploaded file, or of what an entry brought; `owner` is the id of either.
CREATE TABLE journal_chunk (
    owner TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    subject TEXT COLLATE "C" NOT NULL,
    body BYTEA NOT NULL,
    made_ms BIGINT NOT NULL,
    PRIMARY KEY (owner, at)
);
CREATE INDEX journal_chunk_subject ON journal_chunk (subject, made_ms);
