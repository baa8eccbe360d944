-- Games that have ended, ratings, and every change of a rating.

-- `n` is the order in which games ended, which is the order in which they are rated. `setup`, `players` and `record` are
-- written in `format`; `pool` stands where the game was rated.
CREATE TABLE game (
    n INTEGER PRIMARY KEY NOT NULL,
    id TEXT NOT NULL UNIQUE,
    format INTEGER NOT NULL,
    setup TEXT NOT NULL,
    players TEXT NOT NULL,
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    winner INTEGER,
    void INTEGER NOT NULL,
    reason TEXT NOT NULL,
    plies INTEGER NOT NULL,
    speed TEXT,
    pool TEXT,
    begun_ms INTEGER NOT NULL,
    ended_ms INTEGER NOT NULL,
    record BLOB NOT NULL
);

-- The same games by who played, with what they are looked for by. `result` is 1, 0 or -1 for a win, a draw or a loss; a game
-- that counts for nobody has none.
CREATE TABLE game_player (
    person TEXT NOT NULL,
    ended_ms INTEGER NOT NULL,
    n INTEGER NOT NULL,
    side INTEGER NOT NULL,
    opponent TEXT NOT NULL,
    game TEXT NOT NULL,
    result INTEGER,
    speed TEXT,
    rated INTEGER NOT NULL,
    PRIMARY KEY (person, ended_ms, n)
) WITHOUT ROWID;
CREATE INDEX game_player_n ON game_player (n);

CREATE TABLE rating (
    person TEXT NOT NULL,
    pool TEXT NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    games INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (person, pool)
) WITHOUT ROWID;

-- `n` is that of the game; `cause` says what changed the rating.
CREATE TABLE rating_change (
    person TEXT NOT NULL,
    pool TEXT NOT NULL,
    n INTEGER NOT NULL,
    cause TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    rating_before REAL NOT NULL,
    deviation_before REAL NOT NULL,
    volatility_before REAL NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    PRIMARY KEY (person, pool, n)
) WITHOUT ROWID;

-- Games that ended before have no rows until `qiguan admin rebuild` makes them.
INSERT INTO hall (key, value) VALUES ('games_since_ms', unixepoch() * 1000);

PRAGMA user_version = 6;
