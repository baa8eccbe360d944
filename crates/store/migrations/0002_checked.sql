-- Checksums, formats, people with sessions, sleeping tables.
ALTER TABLE seating ADD COLUMN format INTEGER NOT NULL DEFAULT 1;
ALTER TABLE seating ADD COLUMN strikes INTEGER NOT NULL DEFAULT 0;

-- `person` sent the command; empty where that was not written down.
ALTER TABLE event ADD COLUMN person TEXT NOT NULL DEFAULT '';
ALTER TABLE event ADD COLUMN format INTEGER NOT NULL DEFAULT 1;
ALTER TABLE event ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
DROP INDEX event_cmd;
CREATE UNIQUE INDEX event_cmd ON event (seating, person, cmd) WHERE cmd IS NOT NULL;

-- The end of each log.
CREATE TABLE tip (
    seating TEXT PRIMARY KEY NOT NULL,
    ver INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    at_ms INTEGER NOT NULL
) WITHOUT ROWID;

-- Who ever sat at which table.
CREATE TABLE sat (
    person TEXT NOT NULL,
    seating TEXT NOT NULL,
    PRIMARY KEY (person, seating)
) WITHOUT ROWID;
CREATE INDEX sat_seating ON sat (seating);

CREATE TABLE asleep (
    seating TEXT PRIMARY KEY NOT NULL,
    since_ms INTEGER NOT NULL,
    deadline_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX asleep_deadline ON asleep (deadline_ms);

CREATE TABLE person (
    id TEXT PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL,
    name TEXT,
    folded TEXT,
    former_id TEXT,
    made_ms INTEGER NOT NULL,
    seen_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX person_folded ON person (folded) WHERE folded IS NOT NULL;
CREATE UNIQUE INDEX person_former_id ON person (former_id) WHERE former_id IS NOT NULL;
CREATE INDEX person_guest_seen ON person (seen_ms) WHERE kind = 'guest';
INSERT INTO person (id, kind, name, made_ms, seen_ms)
    SELECT id, 'guest', name, unixepoch() * 1000, unixepoch() * 1000 FROM guest;
DROP TABLE guest;

-- `hash` is the SHA-256 of the secret.
CREATE TABLE session (
    hash BLOB PRIMARY KEY NOT NULL,
    person TEXT NOT NULL,
    label TEXT,
    made_ms INTEGER NOT NULL,
    used_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX session_person ON session (person);

ALTER TABLE map ADD COLUMN format INTEGER NOT NULL DEFAULT 1;

-- Numbers about the whole: `commits`, `beat_ms`, `sealed`.
CREATE TABLE hall (
    key TEXT PRIMARY KEY NOT NULL,
    value INTEGER NOT NULL
) WITHOUT ROWID;

-- Halls that do not know migrations refuse this folder.
PRAGMA user_version = 3;
