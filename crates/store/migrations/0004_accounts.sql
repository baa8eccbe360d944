-- Accounts: credentials, recovery codes, tokens, former names, roles, and what is noted about them.
ALTER TABLE person ADD COLUMN roles TEXT NOT NULL DEFAULT '';
-- When the name of an account was chosen.
ALTER TABLE person ADD COLUMN named_ms INTEGER;

-- `id` is public to its owner; `proved_ms`: when its owner last proved to be that.
ALTER TABLE session ADD COLUMN id TEXT;
ALTER TABLE session ADD COLUMN proved_ms INTEGER;
UPDATE session SET id = lower(hex(randomblob(16)));
CREATE UNIQUE INDEX session_id ON session (id);

-- `kind` is `password` or `passkey`; `body` the hash or the public key; `key` what a browser calls a passkey.
CREATE TABLE credential (
    id TEXT PRIMARY KEY NOT NULL,
    person TEXT NOT NULL,
    kind TEXT NOT NULL,
    label TEXT,
    body TEXT NOT NULL,
    key BLOB,
    made_ms INTEGER NOT NULL,
    used_ms INTEGER
) WITHOUT ROWID;
CREATE INDEX credential_person ON credential (person);
CREATE UNIQUE INDEX credential_password ON credential (person) WHERE kind = 'password';
CREATE UNIQUE INDEX credential_key ON credential (key) WHERE key IS NOT NULL;

-- `hash` is that of the code and the person.
CREATE TABLE recovery (
    person TEXT NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (person, hash)
) WITHOUT ROWID;

-- `hash` is the SHA-256 of the secret.
CREATE TABLE token (
    hash BLOB PRIMARY KEY NOT NULL,
    id TEXT NOT NULL,
    person TEXT NOT NULL,
    label TEXT NOT NULL,
    scopes TEXT NOT NULL,
    made_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    used_ms INTEGER
) WITHOUT ROWID;
CREATE UNIQUE INDEX token_id ON token (id);
CREATE INDEX token_person ON token (person);

-- Names that forward to whoever had them. Of those of closed accounts only a hash is kept, and nobody.
CREATE TABLE former_name (
    folded TEXT PRIMARY KEY NOT NULL,
    person TEXT,
    name TEXT
) WITHOUT ROWID;
CREATE INDEX former_name_person ON former_name (person) WHERE person IS NOT NULL;

CREATE TABLE noted (
    n INTEGER PRIMARY KEY,
    person TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    act TEXT NOT NULL,
    network TEXT,
    device TEXT,
    detail TEXT
);
CREATE INDEX noted_person ON noted (person, n);

-- Closed accounts whose name is still in logs; the tables up to `done` are without it.
CREATE TABLE closing (
    person TEXT PRIMARY KEY NOT NULL,
    done TEXT NOT NULL
) WITHOUT ROWID;

PRAGMA user_version = 5;
