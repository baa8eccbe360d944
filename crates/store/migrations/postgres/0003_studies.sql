-- Studies: analyses that people save.

-- `whole` is the study as it was at version `whole_ver`; the entries after it make it what it is at `ver`. `access` is 0 for the
-- owner and contributors, 1 for whoever has the address, 2 for everybody. `games` has a blank between keys.
CREATE TABLE study (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    access BIGINT NOT NULL,
    games TEXT COLLATE "C" NOT NULL,
    chapters BIGINT NOT NULL,
    ver BIGINT NOT NULL,
    whole TEXT COLLATE "C" NOT NULL,
    whole_ver BIGINT NOT NULL,
    made_ms BIGINT NOT NULL,
    changed_ms BIGINT NOT NULL
);
CREATE INDEX study_owner ON study (owner, changed_ms);
CREATE INDEX study_access ON study (access, changed_ms);

CREATE TABLE study_entry (
    study TEXT COLLATE "C" NOT NULL,
    ver BIGINT NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (study, ver)
);

-- Who may change a study beside its owner.
CREATE TABLE study_member (
    study TEXT COLLATE "C" NOT NULL,
    person TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (study, person)
);
CREATE INDEX study_member_person ON study_member (person);

-- Maps that a study needs: they are kept as long as it is.
CREATE TABLE study_map (
    study TEXT COLLATE "C" NOT NULL,
    map TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (study, map)
);
CREATE INDEX study_map_map ON study_map (map);
