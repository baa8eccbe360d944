-- The shelf of maps: works and their versions, who finished games on them, stars, and reports.

-- `id` is that of the first version's files; `newest` counts versions. `tags` has a blank before and after each word.
-- `fork` and `fork_n` name the work and the version it was made from, which may be gone. Counts are kept here, so that lists
-- read nothing else. `first_share` is in thousandths.
CREATE TABLE work (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    tags TEXT COLLATE "C" NOT NULL DEFAULT ' ',
    listed BOOLEAN NOT NULL DEFAULT true,
    newest BIGINT NOT NULL DEFAULT 1,
    map TEXT COLLATE "C" NOT NULL,
    fork TEXT COLLATE "C",
    fork_n BIGINT,
    made_ms BIGINT NOT NULL,
    changed_ms BIGINT NOT NULL,
    games BIGINT NOT NULL DEFAULT 0,
    plies BIGINT NOT NULL DEFAULT 0,
    players BIGINT NOT NULL DEFAULT 0,
    stars BIGINT NOT NULL DEFAULT 0,
    starred BIGINT NOT NULL DEFAULT 0,
    first_share BIGINT
);
CREATE INDEX work_owner ON work (owner);
CREATE INDEX work_changed ON work (listed, changed_ms);
CREATE INDEX work_fork ON work (fork) WHERE fork IS NOT NULL;

CREATE TABLE work_version (
    work TEXT COLLATE "C" NOT NULL,
    n BIGINT NOT NULL,
    map TEXT COLLATE "C" NOT NULL,
    note TEXT COLLATE "C" NOT NULL,
    at_ms BIGINT NOT NULL,
    PRIMARY KEY (work, n)
);
CREATE INDEX work_version_map ON work_version (map);

-- Who finished a game on a work, and the stars they gave.
CREATE TABLE work_player (
    work TEXT COLLATE "C" NOT NULL,
    person TEXT COLLATE "C" NOT NULL,
    games BIGINT NOT NULL,
    stars BIGINT,
    PRIMARY KEY (work, person)
);
CREATE INDEX work_player_person ON work_player (person);

-- Reports that are done, and games of those that are not.
CREATE TABLE balance (
    map TEXT COLLATE "C" NOT NULL,
    plan TEXT COLLATE "C" NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (map, plan)
);
CREATE TABLE balance_game (
    map TEXT COLLATE "C" NOT NULL,
    plan TEXT COLLATE "C" NOT NULL,
    level BIGINT NOT NULL,
    number BIGINT NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (map, plan, level, number)
);

-- Each map that was on the shelf is a work with one version.
INSERT INTO work (id, owner, name, map, made_ms, changed_ms)
    SELECT id, owner, name, id, created_ms, created_ms FROM map WHERE NOT trial;
INSERT INTO work_version (work, n, map, note, at_ms)
    SELECT id, 1, id, '', created_ms FROM map WHERE NOT trial;

-- What happens to files happens to the works made of them: they go with their last version, and follow their owner.
CREATE FUNCTION map_gone() RETURNS TRIGGER
    LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM work_version WHERE map = old.id;
        DELETE FROM work WHERE map = old.id AND id NOT IN (SELECT work FROM work_version);
        UPDATE work SET
            newest = (SELECT max(v.n) FROM work_version v WHERE v.work = work.id),
            map = (SELECT v.map FROM work_version v WHERE v.work = work.id ORDER BY v.n DESC LIMIT 1)
            WHERE map = old.id;
        DELETE FROM balance WHERE map = old.id;
        DELETE FROM balance_game WHERE map = old.id;
        RETURN NULL;
    END $$;
CREATE TRIGGER map_gone AFTER DELETE ON map FOR EACH ROW EXECUTE FUNCTION map_gone();
CREATE FUNCTION map_moves() RETURNS TRIGGER
    LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE work SET owner = new.owner
            WHERE owner = old.owner AND id IN (SELECT work FROM work_version WHERE map = new.id);
        RETURN NULL;
    END $$;
CREATE TRIGGER map_moves AFTER UPDATE OF owner ON map FOR EACH ROW EXECUTE FUNCTION map_moves();
