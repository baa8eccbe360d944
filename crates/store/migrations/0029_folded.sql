-- Logs of finished games whose rows were folded: all entries up to version `ver`, whose checksum is `sum`. Later entries of the same
-- table are rows of `event` as ever. `format` says how `body` is to be read.
CREATE TABLE folded (
    seating TEXT PRIMARY KEY NOT NULL,
    ver INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    format INTEGER NOT NULL,
    body BLOB NOT NULL
);

-- Who has a role: few among all.
CREATE INDEX person_roles ON person (id) WHERE roles <> '';

PRAGMA user_version = 30;
