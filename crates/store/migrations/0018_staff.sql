-- The desk of the staff: bans of addresses, what was taken down, announcements, invitations, names and addresses that are held
-- back, and the log of what the staff did.

-- `low` and `high` are the first and the last address of `network` as 32 hexadecimal digits, IPv4 as ::ffff:a.b.c.d.
CREATE TABLE ban (
    n INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    network TEXT NOT NULL,
    low TEXT NOT NULL,
    high TEXT NOT NULL,
    by TEXT,
    reason TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    until_ms INTEGER NOT NULL,
    spares_days INTEGER
);

-- Works that nobody finds or starts, by the decision that says why.
CREATE TABLE taken_down (
    work TEXT PRIMARY KEY NOT NULL,
    decision INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE announcement (
    n INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    en TEXT NOT NULL,
    zh TEXT NOT NULL,
    by TEXT,
    at_ms INTEGER NOT NULL,
    until_ms INTEGER NOT NULL
);

-- `hash` is the SHA-256 of the code.
CREATE TABLE invitation (
    hash BLOB PRIMARY KEY NOT NULL,
    id TEXT NOT NULL,
    label TEXT NOT NULL,
    by TEXT,
    at_ms INTEGER NOT NULL,
    until_ms INTEGER NOT NULL,
    uses INTEGER NOT NULL,
    used INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE UNIQUE INDEX invitation_id ON invitation (id);

-- Hashes of mailboxes, and of accounts elsewhere, of whom the staff had closed.
CREATE TABLE held (
    hash BLOB PRIMARY KEY NOT NULL,
    until_ms INTEGER NOT NULL
) WITHOUT ROWID;

-- What the staff did and looked at. `by` is a public id, or empty for the keeper of the hall at its machine. Lines are added; only
-- those beyond the newest 200 000 may go.
CREATE TABLE staff_log (
    n INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    at_ms INTEGER NOT NULL,
    by TEXT NOT NULL,
    act TEXT NOT NULL,
    about TEXT,
    detail TEXT,
    reason TEXT
);
CREATE INDEX staff_log_about ON staff_log (about, n) WHERE about IS NOT NULL;
CREATE TRIGGER staff_log_stays BEFORE UPDATE ON staff_log BEGIN
    SELECT RAISE(ABORT, 'the log of the staff is not rewritten');
END;
CREATE TRIGGER staff_log_is_kept BEFORE DELETE ON staff_log
    WHEN OLD.n > (SELECT max(n) FROM staff_log) - 200000 BEGIN
    SELECT RAISE(ABORT, 'the log of the staff is kept');
END;

CREATE INDEX complaint_suspended ON complaint (until_ms) WHERE decision = 'suspend';
CREATE INDEX noted_network ON noted (network) WHERE network IS NOT NULL;

PRAGMA user_version = 19;
