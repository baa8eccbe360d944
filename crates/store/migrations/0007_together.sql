-- What people have to do with each other: challenges, whom they follow or block, what they say, reports.

-- `setup` is written in `format`; `side` is the one that the challenger plays.
CREATE TABLE challenge (
    id TEXT PRIMARY KEY NOT NULL,
    challenger TEXT NOT NULL,
    challenged TEXT NOT NULL,
    format INTEGER NOT NULL,
    setup TEXT NOT NULL,
    side INTEGER,
    made_ms INTEGER NOT NULL,
    until_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX challenge_challenger ON challenge (challenger);
CREATE INDEX challenge_challenged ON challenge (challenged);
CREATE INDEX challenge_until ON challenge (until_ms);

-- A row where `person` follows or blocks `other`, or keeps a note about them.
CREATE TABLE relation (
    person TEXT NOT NULL,
    other TEXT NOT NULL,
    follows INTEGER NOT NULL,
    blocks INTEGER NOT NULL,
    note TEXT,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (person, other)
) WITHOUT ROWID;
CREATE INDEX relation_other ON relation (other) WHERE blocks = 1;

-- What was said at tables, beside their logs. `place` is 0 for the players and 1 for who watches; `body` is a phrase's key
-- where `phrase` is 1.
CREATE TABLE said (
    n INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    seating TEXT NOT NULL,
    person TEXT NOT NULL,
    name TEXT,
    place INTEGER NOT NULL,
    phrase INTEGER NOT NULL,
    body TEXT NOT NULL,
    at_ms INTEGER NOT NULL
);
CREATE INDEX said_seating ON said (seating, n);
CREATE INDEX said_person ON said (person);

-- Reports about people and what was decided. `evidence` is what was found when the report came in, as JSON; `was` the kind of an
-- account that was suspended.
CREATE TABLE complaint (
    n INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    by TEXT NOT NULL,
    about TEXT NOT NULL,
    subject TEXT NOT NULL,
    words TEXT NOT NULL,
    evidence TEXT NOT NULL,
    made_ms INTEGER NOT NULL,
    decider TEXT,
    decision TEXT,
    reason TEXT,
    decided_ms INTEGER,
    until_ms INTEGER,
    was TEXT,
    appeal TEXT,
    appealed_ms INTEGER
);
CREATE INDEX complaint_open ON complaint (n) WHERE decided_ms IS NULL;
CREATE INDEX complaint_appealed ON complaint (n) WHERE appealed_ms IS NOT NULL;
CREATE INDEX complaint_about ON complaint (about);
CREATE INDEX complaint_by ON complaint (by);

-- Ratings of `person` begin anew after game `after_n`.
CREATE TABLE rating_reset (
    person TEXT NOT NULL,
    after_n INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (after_n, person)
) WITHOUT ROWID;

-- Games that somebody left: aborted, or lost by letting the clock run before they had moved.
CREATE TABLE left_game (
    person TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    seating TEXT NOT NULL,
    PRIMARY KEY (person, at_ms, seating)
) WITHOUT ROWID;

-- Which ratings whoever opened a table wants to play against.
CREATE TABLE seek (
    seating TEXT PRIMARY KEY NOT NULL,
    min INTEGER,
    max INTEGER
) WITHOUT ROWID;

PRAGMA user_version = 8;
