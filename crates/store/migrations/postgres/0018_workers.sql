-- Keys of workers, which think for the hall on other machines. Of each its SHA-256 is kept.
CREATE TABLE worker_key (
    id TEXT COLLATE "C" PRIMARY KEY,
    name TEXT NOT NULL,
    hash BYTEA NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    made_ms BIGINT NOT NULL,
    aside_ms BIGINT,
    aside TEXT
);

-- Searches that wait for a worker, or are done by one; nobody misses them after a crash, so they are in no write-ahead log.
CREATE UNLOGGED TABLE search (
    id TEXT COLLATE "C" PRIMARY KEY,
    n BIGINT GENERATED ALWAYS AS IDENTITY,
    -- The node that asks; when it is buried nobody waits any more.
    node TEXT COLLATE "C" NOT NULL,
    person TEXT COLLATE "C" NOT NULL,
    scope TEXT COLLATE "C" NOT NULL,
    -- What is smaller goes first, and within it the smaller turn: people take turns.
    rank BIGINT NOT NULL,
    turn BIGINT NOT NULL,
    engine TEXT,
    extensions BOOLEAN NOT NULL,
    -- A key that has failed with it.
    but TEXT,
    body TEXT NOT NULL,
    made_ms BIGINT NOT NULL,
    taken_by TEXT,
    heard_ms BIGINT,
    -- Counts what was told.
    step BIGINT NOT NULL DEFAULT 0,
    told TEXT,
    -- answer, abort or garbage; NULL: it goes on.
    ended TEXT
);
CREATE INDEX search_next ON search (rank, turn, n) WHERE taken_by IS NULL;
CREATE INDEX search_node ON search (node);
CREATE INDEX search_person ON search (person, rank);
