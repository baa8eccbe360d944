-- Extensions that people share: a name, an owner, versions; and which maps use which version. Who finished games on which
-- version of a map.

CREATE TABLE extension (
    name TEXT PRIMARY KEY NOT NULL,
    owner TEXT NOT NULL,
    about TEXT NOT NULL,
    listed INTEGER NOT NULL DEFAULT 1,
    newest INTEGER NOT NULL DEFAULT 1,
    made_ms INTEGER NOT NULL,
    changed_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX extension_owner ON extension (owner);
CREATE INDEX extension_changed ON extension (listed, changed_ms);

CREATE TABLE extension_version (
    name TEXT NOT NULL,
    n INTEGER NOT NULL,
    note TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (name, n)
);

CREATE TABLE extension_use (
    map TEXT NOT NULL,
    name TEXT NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (map, name, n)
) WITHOUT ROWID;
CREATE INDEX extension_use_name ON extension_use (name);

-- Games against other people that somebody finished on a map; enough of them make a rated pool.
CREATE TABLE map_play (
    map TEXT NOT NULL,
    person TEXT NOT NULL,
    games INTEGER NOT NULL,
    PRIMARY KEY (map, person)
) WITHOUT ROWID;

-- A map that goes uses nothing any more.
CREATE TRIGGER extension_unused AFTER DELETE ON map BEGIN
    DELETE FROM extension_use WHERE map = OLD.id;
    DELETE FROM map_play WHERE map = OLD.id;
END;

PRAGMA user_version = 15;
