-- Which map a table is played on, by an index: whether a map is in use was read out of the setup of every table there is. And
-- which works show a map as their newest.
ALTER TABLE seating ADD COLUMN map TEXT COLLATE "C";
UPDATE seating SET map = json_extract(setup, '$.map.id') WHERE json_extract(setup, '$.map.id') IS NOT NULL;
CREATE INDEX seating_map_first ON seating (map, first) WHERE map IS NOT NULL;
CREATE INDEX seating_map_second ON seating (map, second) WHERE map IS NOT NULL;
CREATE INDEX work_map ON work (map);
