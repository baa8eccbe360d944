-- The shelf of maps: works and their versions, who finished games on them, stars, and reports.

-- `id` is that of the first version's files; `newest` counts versions. `tags` has a blank before and after each word.
-- `fork` and `fork_n` name the work and the version it was made from, which may be gone. Counts are kept here, so that lists
-- read nothing else. `first_share` is in thousandths.
CREATE TABLE work (
    id TEXT PRIMARY KEY NOT NULL,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    tags TEXT NOT NULL DEFAULT ' ',
    listed INTEGER NOT NULL DEFAULT 1,
    newest INTEGER NOT NULL DEFAULT 1,
    map TEXT NOT NULL,
    fork TEXT,
    fork_n INTEGER,
    made_ms INTEGER NOT NULL,
    changed_ms INTEGER NOT NULL,
    games INTEGER NOT NULL DEFAULT 0,
    plies INTEGER NOT NULL DEFAULT 0,
    players INTEGER NOT NULL DEFAULT 0,
    stars INTEGER NOT NULL DEFAULT 0,
    starred INTEGER NOT NULL DEFAULT 0,
    first_share INTEGER
) WITHOUT ROWID;
CREATE INDEX work_owner ON work (owner);
CREATE INDEX work_changed ON work (listed, changed_ms);
CREATE INDEX work_fork ON work (fork) WHERE fork IS NOT NULL;

CREATE TABLE work_version (
    work TEXT NOT NULL,
    n INTEGER NOT NULL,
    map TEXT NOT NULL,
    note TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (work, n)
) WITHOUT ROWID;
CREATE INDEX work_version_map ON work_version (map);

-- Who finished a game on a work, and the stars they gave.
CREATE TABLE work_player (
    work TEXT NOT NULL,
    person TEXT NOT NULL,
    games INTEGER NOT NULL,
    stars INTEGER,
    PRIMARY KEY (work, person)
) WITHOUT ROWID;
CREATE INDEX work_player_person ON work_player (person);

-- Reports that are done, and games of those that are not.
CREATE TABLE balance (
    map TEXT NOT NULL,
    plan TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (map, plan)
);
CREATE TABLE balance_game (
    map TEXT NOT NULL,
    plan TEXT NOT NULL,
    level INTEGER NOT NULL,
    number INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (map, plan, level, number)
);

-- Each map that was on the shelf is a work with one version.
INSERT INTO work (id, owner, name, map, made_ms, changed_ms)
    SELECT id, owner, name, id, created_ms, created_ms FROM map WHERE NOT trial;
INSERT INTO work_version (work, n, map, note, at_ms)
    SELECT id, 1, id, '', created_ms FROM map WHERE NOT trial;

-- What happens to files happens to the works made of them: they go with their last version, and follow their owner.
CREATE TRIGGER map_gone AFTER DELETE ON map BEGIN
    DELETE FROM work_version WHERE map = OLD.id;
    DELETE FROM work WHERE map = OLD.id AND id NOT IN (SELECT work FROM work_version);
    UPDATE work SET
        newest = (SELECT max(n) FROM work_version v WHERE v.work = work.id),
        map = (SELECT v.map FROM work_version v WHERE v.work = work.id ORDER BY n DESC LIMIT 1)
        WHERE map = OLD.id;
    DELETE FROM balance WHERE map = OLD.id;
    DELETE FROM balance_game WHERE map = OLD.id;
END;
CREATE TRIGGER map_moves AFTER UPDATE OF owner ON map BEGIN
    UPDATE work SET owner = NEW.owner WHERE owner = OLD.owner AND id IN (SELECT work FROM work_version WHERE map = NEW.id);
END;

PRAGMA user_version = 13;
