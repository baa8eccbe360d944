-- Logs of finished games whose rows were folded: all entries up to version `ver`, whose checksum is `sum`. Later entries of the same
-- table are rows of `event` as ever. `format` says how `body` is to be read.
CREATE TABLE folded (
    seating TEXT COLLATE "C" PRIMARY KEY,
    ver BIGINT NOT NULL,
    sum BIGINT NOT NULL,
    format BIGINT NOT NULL,
    body BYTEA NOT NULL
);
-- It is compressed already.
ALTER TABLE folded ALTER COLUMN body SET STORAGE EXTERNAL;

-- The newest format of folded logs that a node can read; one of a program before this step leaves it at 0. Nothing is folded while
-- there is one that cannot read it.
ALTER TABLE node ADD COLUMN folds BIGINT NOT NULL DEFAULT 0;

-- Who has a role: few among all.
CREATE INDEX person_roles ON person (id) WHERE roles <> '';
