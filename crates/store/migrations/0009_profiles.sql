-- The page of a person who has played tens of thousands of games asks for the last change of each day, and for the results
-- by game: both are read from an index alone, in order.
CREATE INDEX rating_change_day ON rating_change (person, pool, at_ms / 86400000, n);
CREATE INDEX game_player_result ON game_player (person, game, result);

PRAGMA user_version = 10;
