-- Questions that wait a few minutes for their answers: passkeys, codes of devices, people who are at an OpenID provider. `hash`
-- is that of a secret that only the asker has; `body` is sealed with a key that follows from the same secret, where it says more
-- than who. `asker` is an address, so that one takes no room of others.
CREATE TABLE question (
    kind TEXT COLLATE "C" NOT NULL,
    hash BYTEA NOT NULL,
    asker TEXT COLLATE "C" NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    until_ms BIGINT NOT NULL,
    PRIMARY KEY (kind, hash)
);
CREATE INDEX question_asker ON question (kind, asker, until_ms);
CREATE INDEX question_until ON question (until_ms);
CREATE INDEX question_oldest ON question (kind, until_ms, hash);
