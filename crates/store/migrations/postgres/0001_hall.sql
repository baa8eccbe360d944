-- Everything that the folder of SQLite keeps after its migration 10, and which node owns which table.
--
-- Texts are compared byte by byte, as in SQLite, whatever the database's locale is. Numbers are all BIGINT.

-- Functions that SQLite has and the shared SQL asks for.
CREATE FUNCTION json_each(list TEXT) RETURNS TABLE (value TEXT)
    LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT jsonb_array_elements_text(list::jsonb) $$;
-- Of what is no JSON, NULL: PostgreSQL does not say in which order it asks `json_valid` and this.
CREATE FUNCTION json_extract(body TEXT, path TEXT) RETURNS TEXT
    LANGUAGE plpgsql IMMUTABLE STRICT AS $$
    BEGIN
        RETURN jsonb_path_query_first(body::jsonb, path::jsonpath) #>> '{}';
    EXCEPTION WHEN data_exception THEN
        RETURN NULL;
    END $$;
CREATE FUNCTION json_valid(body TEXT) RETURNS BOOLEAN
    LANGUAGE plpgsql IMMUTABLE STRICT AS $$
    BEGIN
        PERFORM body::jsonb;
        RETURN true;
    EXCEPTION WHEN data_exception THEN
        RETURN false;
    END $$;
CREATE FUNCTION json_list(texts TEXT[]) RETURNS TEXT
    LANGUAGE sql IMMUTABLE AS $$ SELECT coalesce(array_to_json(texts)::text, '[]') $$;
CREATE AGGREGATE json_group_array (TEXT) (SFUNC = array_append, STYPE = TEXT[], FINALFUNC = json_list);
CREATE FUNCTION max(a BIGINT, b BIGINT) RETURNS BIGINT
    LANGUAGE sql IMMUTABLE STRICT AS $$ SELECT greatest(a, b) $$;
-- Now by this database's clock, in Unix milliseconds; it goes on within a transaction.
CREATE FUNCTION now_ms() RETURNS BIGINT
    LANGUAGE sql VOLATILE AS $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;

-- Runs of halls that live, and those that were buried since, with their last beat.
CREATE TABLE node (
    incarnation TEXT COLLATE "C" PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL UNIQUE,
    begun_ms BIGINT NOT NULL,
    beat_ms BIGINT NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE buried (
    incarnation TEXT COLLATE "C" PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    beat_ms BIGINT NOT NULL,
    at_ms BIGINT NOT NULL
);

CREATE TABLE seating (
    id TEXT COLLATE "C" PRIMARY KEY,
    setup TEXT COLLATE "C" NOT NULL,
    created_ms BIGINT NOT NULL,
    stage BIGINT NOT NULL,
    first TEXT COLLATE "C",
    second TEXT COLLATE "C",
    room TEXT COLLATE "C",
    format BIGINT NOT NULL,
    strikes BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX seating_first ON seating (first, stage) WHERE first IS NOT NULL AND stage < 2;
CREATE INDEX seating_second ON seating (second, stage) WHERE second IS NOT NULL AND stage < 2;
CREATE UNIQUE INDEX seating_room ON seating (room) WHERE room IS NOT NULL AND stage < 2;

CREATE TABLE event (
    seating TEXT COLLATE "C" NOT NULL,
    ver BIGINT NOT NULL,
    at_ms BIGINT NOT NULL,
    person TEXT COLLATE "C" NOT NULL,
    cmd TEXT COLLATE "C",
    spent_ms BIGINT,
    format BIGINT NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    sum BIGINT NOT NULL,
    PRIMARY KEY (seating, ver)
);

-- The end of each log, and the node that may write after it: one row to lock for both. `epoch` counts the owners; `tried`
-- the nodes that died with it one after the other, before anybody said that it goes on.
CREATE TABLE tip (
    seating TEXT COLLATE "C" PRIMARY KEY,
    ver BIGINT NOT NULL,
    sum BIGINT NOT NULL,
    at_ms BIGINT NOT NULL,
    owner TEXT COLLATE "C",
    epoch BIGINT NOT NULL DEFAULT 0,
    tried BIGINT NOT NULL DEFAULT 0
) WITH (fillfactor = 70);
CREATE INDEX tip_owner ON tip (owner) WHERE owner IS NOT NULL;

CREATE TABLE sat (
    person TEXT COLLATE "C" NOT NULL,
    seating TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (person, seating)
);
CREATE INDEX sat_seating ON sat (seating);

CREATE TABLE asleep (
    seating TEXT COLLATE "C" PRIMARY KEY,
    since_ms BIGINT NOT NULL,
    deadline_ms BIGINT NOT NULL,
    turn BIGINT,
    held_ms BIGINT
);
CREATE INDEX asleep_due ON asleep (deadline_ms, seating) WHERE held_ms IS NULL;

CREATE TABLE person (
    id TEXT COLLATE "C" PRIMARY KEY,
    kind TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C",
    folded TEXT COLLATE "C",
    former_id TEXT COLLATE "C",
    made_ms BIGINT NOT NULL,
    seen_ms BIGINT NOT NULL,
    roles TEXT COLLATE "C" NOT NULL DEFAULT '',
    named_ms BIGINT
);
CREATE UNIQUE INDEX person_folded ON person (folded) WHERE folded IS NOT NULL;
CREATE UNIQUE INDEX person_former_id ON person (former_id) WHERE former_id IS NOT NULL;
CREATE INDEX person_guest_seen ON person (seen_ms) WHERE kind = 'guest';

CREATE TABLE session (
    hash BYTEA PRIMARY KEY,
    person TEXT COLLATE "C" NOT NULL,
    label TEXT COLLATE "C",
    made_ms BIGINT NOT NULL,
    used_ms BIGINT NOT NULL,
    id TEXT COLLATE "C",
    proved_ms BIGINT
);
CREATE INDEX session_person ON session (person);
CREATE UNIQUE INDEX session_id ON session (id);

CREATE TABLE credential (
    id TEXT COLLATE "C" PRIMARY KEY,
    person TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    label TEXT COLLATE "C",
    body TEXT COLLATE "C" NOT NULL,
    key BYTEA,
    made_ms BIGINT NOT NULL,
    used_ms BIGINT
);
CREATE INDEX credential_person ON credential (person);
CREATE UNIQUE INDEX credential_password ON credential (person) WHERE kind = 'password';
CREATE UNIQUE INDEX credential_key ON credential (key) WHERE key IS NOT NULL;

CREATE TABLE recovery (
    person TEXT COLLATE "C" NOT NULL,
    hash BYTEA NOT NULL,
    PRIMARY KEY (person, hash)
);

CREATE TABLE token (
    hash BYTEA PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL,
    person TEXT COLLATE "C" NOT NULL,
    label TEXT COLLATE "C" NOT NULL,
    scopes TEXT COLLATE "C" NOT NULL,
    made_ms BIGINT NOT NULL,
    expires_ms BIGINT NOT NULL,
    used_ms BIGINT
);
CREATE UNIQUE INDEX token_id ON token (id);
CREATE INDEX token_person ON token (person);

CREATE TABLE former_name (
    folded TEXT COLLATE "C" PRIMARY KEY,
    person TEXT COLLATE "C",
    name TEXT COLLATE "C"
);
CREATE INDEX former_name_person ON former_name (person) WHERE person IS NOT NULL;

CREATE TABLE noted (
    n BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    person TEXT COLLATE "C" NOT NULL,
    at_ms BIGINT NOT NULL,
    act TEXT COLLATE "C" NOT NULL,
    network TEXT COLLATE "C",
    device TEXT COLLATE "C",
    detail TEXT COLLATE "C"
);
CREATE INDEX noted_person ON noted (person, n);

CREATE TABLE closing (
    person TEXT COLLATE "C" PRIMARY KEY,
    done TEXT COLLATE "C" NOT NULL
);

-- `rowid` is the order in which maps came, as SQLite has it.
CREATE TABLE map (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    created_ms BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    old_names BOOLEAN NOT NULL,
    trial BOOLEAN NOT NULL,
    line TEXT COLLATE "C" NOT NULL,
    format BIGINT NOT NULL,
    rowid BIGINT GENERATED ALWAYS AS IDENTITY
);
CREATE INDEX map_owner ON map (owner);
CREATE INDEX map_created ON map (created_ms);
CREATE TABLE map_file (
    map TEXT COLLATE "C" NOT NULL REFERENCES map (id) ON DELETE CASCADE,
    n BIGINT NOT NULL,
    file TEXT COLLATE "C" NOT NULL,
    bytes BYTEA NOT NULL,
    PRIMARY KEY (map, n)
);

CREATE TABLE report (
    seating TEXT COLLATE "C" PRIMARY KEY,
    ver BIGINT NOT NULL,
    body TEXT COLLATE "C" NOT NULL
);

CREATE TABLE hall (
    key TEXT COLLATE "C" PRIMARY KEY,
    value BIGINT NOT NULL
);

CREATE TABLE game (
    n BIGINT PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    format BIGINT NOT NULL,
    setup TEXT COLLATE "C" NOT NULL,
    players TEXT COLLATE "C" NOT NULL,
    first TEXT COLLATE "C" NOT NULL,
    second TEXT COLLATE "C" NOT NULL,
    winner BIGINT,
    void BOOLEAN NOT NULL,
    reason TEXT COLLATE "C" NOT NULL,
    plies BIGINT NOT NULL,
    speed TEXT COLLATE "C",
    pool TEXT COLLATE "C",
    begun_ms BIGINT NOT NULL,
    ended_ms BIGINT NOT NULL,
    record BYTEA NOT NULL
);
CREATE TABLE game_player (
    person TEXT COLLATE "C" NOT NULL,
    ended_ms BIGINT NOT NULL,
    n BIGINT NOT NULL,
    side BIGINT NOT NULL,
    opponent TEXT COLLATE "C" NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    result BIGINT,
    speed TEXT COLLATE "C",
    rated BOOLEAN NOT NULL,
    PRIMARY KEY (person, ended_ms, n)
);
CREATE INDEX game_player_n ON game_player (n);
CREATE INDEX game_player_result ON game_player (person, game, result);

CREATE TABLE rating (
    person TEXT COLLATE "C" NOT NULL,
    pool TEXT COLLATE "C" NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    games BIGINT NOT NULL,
    at_ms BIGINT NOT NULL,
    PRIMARY KEY (person, pool)
);
CREATE TABLE rating_change (
    person TEXT COLLATE "C" NOT NULL,
    pool TEXT COLLATE "C" NOT NULL,
    n BIGINT NOT NULL,
    cause TEXT COLLATE "C" NOT NULL,
    at_ms BIGINT NOT NULL,
    rating_before DOUBLE PRECISION NOT NULL,
    deviation_before DOUBLE PRECISION NOT NULL,
    volatility_before DOUBLE PRECISION NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (person, pool, n)
);
CREATE INDEX rating_change_day ON rating_change (person, pool, (at_ms / 86400000), n);
CREATE TABLE rating_reset (
    person TEXT COLLATE "C" NOT NULL,
    after_n BIGINT NOT NULL,
    at_ms BIGINT NOT NULL,
    PRIMARY KEY (after_n, person)
);

CREATE TABLE vacation (
    person TEXT COLLATE "C" PRIMARY KEY,
    year BIGINT NOT NULL,
    used_ms BIGINT NOT NULL,
    since_ms BIGINT
);
CREATE INDEX vacation_since ON vacation (since_ms) WHERE since_ms IS NOT NULL;
CREATE TABLE plan (
    seating TEXT COLLATE "C" NOT NULL,
    person TEXT COLLATE "C" NOT NULL,
    from_ply BIGINT NOT NULL,
    lines TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (seating, person)
);
CREATE INDEX plan_person ON plan (person);
CREATE TABLE seat_note (
    seating TEXT COLLATE "C" NOT NULL,
    person TEXT COLLATE "C" NOT NULL,
    text TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (seating, person)
);
CREATE INDEX seat_note_person ON seat_note (person);

CREATE TABLE challenge (
    id TEXT COLLATE "C" PRIMARY KEY,
    challenger TEXT COLLATE "C" NOT NULL,
    challenged TEXT COLLATE "C" NOT NULL,
    format BIGINT NOT NULL,
    setup TEXT COLLATE "C" NOT NULL,
    side BIGINT,
    made_ms BIGINT NOT NULL,
    until_ms BIGINT NOT NULL
);
CREATE INDEX challenge_challenger ON challenge (challenger);
CREATE INDEX challenge_challenged ON challenge (challenged);
CREATE INDEX challenge_until ON challenge (until_ms);

CREATE TABLE relation (
    person TEXT COLLATE "C" NOT NULL,
    other TEXT COLLATE "C" NOT NULL,
    follows BOOLEAN NOT NULL,
    blocks BOOLEAN NOT NULL,
    note TEXT COLLATE "C",
    at_ms BIGINT NOT NULL,
    PRIMARY KEY (person, other)
);
CREATE INDEX relation_other ON relation (other) WHERE blocks;

CREATE TABLE said (
    n BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    seating TEXT COLLATE "C" NOT NULL,
    person TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C",
    place BOOLEAN NOT NULL,
    phrase BOOLEAN NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    at_ms BIGINT NOT NULL
);
CREATE INDEX said_seating ON said (seating, n);
CREATE INDEX said_person ON said (person);

CREATE TABLE complaint (
    n BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    by TEXT COLLATE "C" NOT NULL,
    about TEXT COLLATE "C" NOT NULL,
    subject TEXT COLLATE "C" NOT NULL,
    words TEXT COLLATE "C" NOT NULL,
    evidence TEXT COLLATE "C" NOT NULL,
    made_ms BIGINT NOT NULL,
    decider TEXT COLLATE "C",
    decision TEXT COLLATE "C",
    reason TEXT COLLATE "C",
    decided_ms BIGINT,
    until_ms BIGINT,
    was TEXT COLLATE "C",
    appeal TEXT COLLATE "C",
    appealed_ms BIGINT
);
CREATE INDEX complaint_open ON complaint (n) WHERE decided_ms IS NULL;
CREATE INDEX complaint_appealed ON complaint (n) WHERE appealed_ms IS NOT NULL;
CREATE INDEX complaint_about ON complaint (about);
CREATE INDEX complaint_by ON complaint (by);

CREATE TABLE left_game (
    person TEXT COLLATE "C" NOT NULL,
    at_ms BIGINT NOT NULL,
    seating TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (person, at_ms, seating)
);

CREATE TABLE seek (
    seating TEXT COLLATE "C" PRIMARY KEY,
    min BIGINT,
    max BIGINT
);

CREATE TABLE hall_secret (
    name TEXT COLLATE "C" PRIMARY KEY,
    body BYTEA NOT NULL
);

CREATE TABLE push (
    session TEXT COLLATE "C" PRIMARY KEY,
    person TEXT COLLATE "C" NOT NULL,
    endpoint TEXT COLLATE "C" NOT NULL,
    point BYTEA NOT NULL,
    secret BYTEA NOT NULL,
    lang TEXT COLLATE "C" NOT NULL,
    made_ms BIGINT NOT NULL,
    failures BIGINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX push_endpoint ON push (endpoint);
CREATE INDEX push_person ON push (person, made_ms);
-- Whoever signs a device out, in any of the ways there are, is not told there any more.
CREATE FUNCTION push_signed_out() RETURNS TRIGGER
    LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM push WHERE session = old.id;
        RETURN NULL;
    END $$;
CREATE TRIGGER push_signed_out AFTER DELETE ON session FOR EACH ROW EXECUTE FUNCTION push_signed_out();

CREATE TABLE quiet (
    person TEXT COLLATE "C" PRIMARY KEY,
    from_min BIGINT NOT NULL,
    to_min BIGINT NOT NULL,
    zone TEXT COLLATE "C" NOT NULL
);

CREATE TABLE notice (
    person TEXT COLLATE "C" NOT NULL,
    subject TEXT COLLATE "C" NOT NULL,
    topic TEXT COLLATE "C" NOT NULL,
    made_ms BIGINT NOT NULL,
    due_ms BIGINT NOT NULL,
    tries BIGINT NOT NULL DEFAULT 0,
    sent_ms BIGINT,
    PRIMARY KEY (person, subject)
);
CREATE INDEX notice_due ON notice (due_ms) WHERE sent_ms IS NULL;
CREATE INDEX notice_made ON notice (made_ms);

CREATE TABLE mail_address (
    person TEXT COLLATE "C" PRIMARY KEY,
    address TEXT COLLATE "C" NOT NULL,
    mailbox BYTEA NOT NULL,
    lang TEXT COLLATE "C" NOT NULL,
    since_ms BIGINT NOT NULL,
    digest BOOLEAN NOT NULL DEFAULT false,
    digest_ms BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX mail_address_mailbox ON mail_address (mailbox);
CREATE INDEX mail_address_digest ON mail_address (digest_ms) WHERE digest;
CREATE TABLE mail_link (
    hash BYTEA PRIMARY KEY,
    person TEXT COLLATE "C" NOT NULL,
    purpose TEXT COLLATE "C" NOT NULL,
    address TEXT COLLATE "C" NOT NULL,
    mailbox BYTEA NOT NULL,
    lang TEXT COLLATE "C" NOT NULL,
    until_ms BIGINT NOT NULL
);
CREATE INDEX mail_link_person ON mail_link (person, purpose, until_ms);
CREATE INDEX mail_link_until ON mail_link (until_ms);
CREATE TABLE mail_stop (
    mailbox BYTEA PRIMARY KEY,
    at_ms BIGINT NOT NULL
);

INSERT INTO hall (key, value) VALUES ('games_since_ms', now_ms());
