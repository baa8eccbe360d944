-- Extensions that people share: a name, an owner, versions; and which maps use which version. Who finished games on which
-- version of a map.

CREATE TABLE extension (
    name TEXT COLLATE "C" PRIMARY KEY,
    owner TEXT COLLATE "C" NOT NULL,
    about TEXT COLLATE "C" NOT NULL,
    listed BOOLEAN NOT NULL DEFAULT true,
    newest BIGINT NOT NULL DEFAULT 1,
    made_ms BIGINT NOT NULL,
    changed_ms BIGINT NOT NULL
);
CREATE INDEX extension_owner ON extension (owner);
CREATE INDEX extension_changed ON extension (listed, changed_ms);

CREATE TABLE extension_version (
    name TEXT COLLATE "C" NOT NULL,
    n BIGINT NOT NULL,
    note TEXT COLLATE "C" NOT NULL,
    at_ms BIGINT NOT NULL,
    bytes BYTEA NOT NULL,
    PRIMARY KEY (name, n)
);

CREATE TABLE extension_use (
    map TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    n BIGINT NOT NULL,
    PRIMARY KEY (map, name, n)
);
CREATE INDEX extension_use_name ON extension_use (name);

-- Games against other people that somebody finished on a map; enough of them make a rated pool.
CREATE TABLE map_play (
    map TEXT COLLATE "C" NOT NULL,
    person TEXT COLLATE "C" NOT NULL,
    games BIGINT NOT NULL,
    PRIMARY KEY (map, person)
);

-- A map that goes uses nothing any more.
CREATE FUNCTION extension_unused() RETURNS TRIGGER
    LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM extension_use WHERE map = old.id;
        DELETE FROM map_play WHERE map = old.id;
        RETURN NULL;
    END $$;
CREATE TRIGGER extension_unused AFTER DELETE ON map FOR EACH ROW EXECUTE FUNCTION extension_unused();
