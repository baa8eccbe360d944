-- How many accounts played each other on a version of a map, and how many games: kept with each game, since the page of a map
-- and every rated table ask.

CREATE TABLE map_pool (
    map TEXT COLLATE "C" PRIMARY KEY,
    players BIGINT NOT NULL,
    games BIGINT NOT NULL
);

-- Each game was counted for both.
INSERT INTO map_pool (map, players, games)
    SELECT m.map, count(*), CAST(sum(m.games) AS BIGINT) / 2 FROM map_play m JOIN person p ON p.id = m.person
    WHERE p.kind = 'account' GROUP BY m.map;

-- From now on these are the accounts that are counted: a guest that becomes one is counted with its next game.
DELETE FROM map_play WHERE person NOT IN (SELECT id FROM person WHERE kind = 'account');

CREATE OR REPLACE FUNCTION extension_unused() RETURNS TRIGGER
    LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM extension_use WHERE map = old.id;
        DELETE FROM map_play WHERE map = old.id;
        DELETE FROM map_pool WHERE map = old.id;
        RETURN NULL;
    END $$;

-- Players of a work are no longer counted anew with each game, so they must go with it: the same files may come again.
DELETE FROM work_player WHERE work NOT IN (SELECT id FROM work);
UPDATE work SET players = (SELECT count(*) FROM work_player p WHERE p.work = work.id);
CREATE FUNCTION work_gone() RETURNS TRIGGER
    LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM work_player WHERE work = old.id;
        RETURN NULL;
    END $$;
CREATE TRIGGER work_gone AFTER DELETE ON work FOR EACH ROW EXECUTE FUNCTION work_gone();
