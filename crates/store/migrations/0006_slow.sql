-- Slow games: whose turn it is, whether their clock stands still, vacations, and what players keep to themselves.

-- `turn` is the side to move, 0 or 1, in slow games, which have a row while they are played; `held_ms`: the clock has
-- stood still since then.
ALTER TABLE asleep ADD COLUMN turn INTEGER;
ALTER TABLE asleep ADD COLUMN held_ms INTEGER;
DROP INDEX asleep_deadline;
CREATE INDEX asleep_due ON asleep (deadline_ms, seating) WHERE held_ms IS NULL;

-- `used_ms` of the vacation of `year`; `since_ms`: on vacation since then.
CREATE TABLE vacation (
    person TEXT PRIMARY KEY NOT NULL,
    year INTEGER NOT NULL,
    used_ms INTEGER NOT NULL,
    since_ms INTEGER
) WITHOUT ROWID;
CREATE INDEX vacation_since ON vacation (since_ms) WHERE since_ms IS NOT NULL;

-- Moves that are played for a person when the opponent's fit: lines that begin after `from_ply` plies, as JSON.
CREATE TABLE plan (
    seating TEXT NOT NULL,
    person TEXT NOT NULL,
    from_ply INTEGER NOT NULL,
    lines TEXT NOT NULL,
    PRIMARY KEY (seating, person)
) WITHOUT ROWID;
CREATE INDEX plan_person ON plan (person);

-- What a player notes about a game for nobody else.
CREATE TABLE seat_note (
    seating TEXT NOT NULL,
    person TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (seating, person)
) WITHOUT ROWID;
CREATE INDEX seat_note_person ON seat_note (person);

PRAGMA user_version = 7;
