-- How many accounts played each other on a version of a map, and how many games: kept with each game, since the page of a map
-- and every rated table ask.

CREATE TABLE map_pool (
    map TEXT PRIMARY KEY NOT NULL,
    players INTEGER NOT NULL,
    games INTEGER NOT NULL
) WITHOUT ROWID;

-- Each game was counted for both.
INSERT INTO map_pool (map, players, games)
    SELECT m.map, count(*), sum(m.games) / 2 FROM map_play m JOIN person p ON p.id = m.person
    WHERE p.kind = 'account' GROUP BY m.map;

-- From now on these are the accounts that are counted: a guest that becomes one is counted with its next game.
DELETE FROM map_play WHERE person NOT IN (SELECT id FROM person WHERE kind = 'account');

DROP TRIGGER extension_unused;
CREATE TRIGGER extension_unused AFTER DELETE ON map BEGIN
    DELETE FROM extension_use WHERE map = OLD.id;
    DELETE FROM map_play WHERE map = OLD.id;
    DELETE FROM map_pool WHERE map = OLD.id;
END;

-- Players of a work are no longer counted anew with each game, so they must go with it: the same files may come again.
DELETE FROM work_player WHERE work NOT IN (SELECT id FROM work);
UPDATE work SET players = (SELECT count(*) FROM work_player p WHERE p.work = work.id);
CREATE TRIGGER work_gone AFTER DELETE ON work BEGIN
    DELETE FROM work_player WHERE work = OLD.id;
END;

PRAGMA user_version = 16;
