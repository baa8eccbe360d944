-- What halls kept before migrations were counted: does nothing to their folders.
CREATE TABLE IF NOT EXISTS seating (
    id TEXT PRIMARY KEY NOT NULL,
    setup TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    stage INTEGER NOT NULL,
    first TEXT,
    second TEXT,
    room TEXT
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS seating_first ON seating (first, stage) WHERE first IS NOT NULL AND stage < 2;
CREATE INDEX IF NOT EXISTS seating_second ON seating (second, stage) WHERE second IS NOT NULL AND stage < 2;
CREATE UNIQUE INDEX IF NOT EXISTS seating_room ON seating (room) WHERE room IS NOT NULL AND stage < 2;
CREATE TABLE IF NOT EXISTS event (
    seating TEXT NOT NULL,
    ver INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    cmd TEXT,
    spent_ms INTEGER,
    body TEXT NOT NULL,
    PRIMARY KEY (seating, ver)
) WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS event_cmd ON event (seating, cmd) WHERE cmd IS NOT NULL;
CREATE TABLE IF NOT EXISTS guest (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS report (
    seating TEXT PRIMARY KEY NOT NULL,
    ver INTEGER NOT NULL,
    body TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS map (
    id TEXT PRIMARY KEY NOT NULL,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    old_names INTEGER NOT NULL,
    trial INTEGER NOT NULL,
    line TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS map_owner ON map (owner);
CREATE INDEX IF NOT EXISTS map_created ON map (created_ms);
CREATE TABLE IF NOT EXISTS map_file (
    map TEXT NOT NULL REFERENCES map (id) ON DELETE CASCADE,
    n INTEGER NOT NULL,
    file TEXT NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (map, n)
);
