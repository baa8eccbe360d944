-- E-mail: confirmed addresses, links in letters, and mailboxes that want no more.

-- `mailbox` is a keyed hash of the address, by which it is found. `digest`: slow games that wait are told once a day;
-- `digest_ms`: when they last were.
CREATE TABLE mail_address (
    person TEXT PRIMARY KEY NOT NULL,
    address TEXT NOT NULL,
    mailbox BLOB NOT NULL,
    lang TEXT NOT NULL,
    since_ms INTEGER NOT NULL,
    digest INTEGER NOT NULL DEFAULT 0,
    digest_ms INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX mail_address_mailbox ON mail_address (mailbox);
CREATE INDEX mail_address_digest ON mail_address (digest_ms) WHERE digest = 1;

-- `hash` is the SHA-256 of the link's secret; `purpose` is `confirm` or `recover`.
CREATE TABLE mail_link (
    hash BLOB PRIMARY KEY NOT NULL,
    person TEXT NOT NULL,
    purpose TEXT NOT NULL,
    address TEXT NOT NULL,
    mailbox BLOB NOT NULL,
    lang TEXT NOT NULL,
    until_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX mail_link_person ON mail_link (person, purpose, until_ms);
CREATE INDEX mail_link_until ON mail_link (until_ms);

-- Mailboxes whose owner has said in a letter's link that no more are wanted.
CREATE TABLE mail_stop (
    mailbox BLOB PRIMARY KEY NOT NULL,
    at_ms INTEGER NOT NULL
) WITHOUT ROWID;

PRAGMA user_version = 11;
