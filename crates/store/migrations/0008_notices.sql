-- Notices: the devices that are told, when people want quiet, and what they are to be told or were told.

-- Secrets of the hall itself, by name.
CREATE TABLE hall_secret (
    name TEXT PRIMARY KEY NOT NULL,
    body BLOB NOT NULL
) WITHOUT ROWID;

-- A browser that is told, of the session with that id; `point` and `secret` are what notices to it are encrypted with.
-- `failures`: notices that could not be delivered since the last one that could.
CREATE TABLE push (
    session TEXT PRIMARY KEY NOT NULL,
    person TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    point BLOB NOT NULL,
    secret BLOB NOT NULL,
    lang TEXT NOT NULL,
    made_ms INTEGER NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE UNIQUE INDEX push_endpoint ON push (endpoint);
CREATE INDEX push_person ON push (person, made_ms);
-- Whoever signs a device out, in any of the ways there are, is not told there any more.
CREATE TRIGGER push_signed_out AFTER DELETE ON session BEGIN
    DELETE FROM push WHERE session = old.id;
END;

-- When a person is not told: minutes after midnight in the time zone `zone`.
CREATE TABLE quiet (
    person TEXT PRIMARY KEY NOT NULL,
    from_min INTEGER NOT NULL,
    to_min INTEGER NOT NULL,
    zone TEXT NOT NULL
) WITHOUT ROWID;

-- What a person is to be told at `due_ms` about a table or a challenge, the `subject`; `sent_ms`: was told, and has not
-- looked since.
CREATE TABLE notice (
    person TEXT NOT NULL,
    subject TEXT NOT NULL,
    topic TEXT NOT NULL,
    made_ms INTEGER NOT NULL,
    due_ms INTEGER NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    sent_ms INTEGER,
    PRIMARY KEY (person, subject)
) WITHOUT ROWID;
CREATE INDEX notice_due ON notice (due_ms) WHERE sent_ms IS NULL;
CREATE INDEX notice_made ON notice (made_ms);

PRAGMA user_version = 9;
