-- Studies: analyses that people save.

-- `whole` is the study as it was at version `whole_ver`; the entries after it make it what it is at `ver`. `access` is 0 for the
-- owner and contributors, 1 for whoever has the address, 2 for everybody. `games` has a blank between keys.
CREATE TABLE study (
    id TEXT PRIMARY KEY NOT NULL,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    access INTEGER NOT NULL,
    games TEXT NOT NULL,
    chapters INTEGER NOT NULL,
    ver INTEGER NOT NULL,
    whole TEXT NOT NULL,
    whole_ver INTEGER NOT NULL,
    made_ms INTEGER NOT NULL,
    changed_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX study_owner ON study (owner, changed_ms);
CREATE INDEX study_access ON study (access, changed_ms);

CREATE TABLE study_entry (
    study TEXT NOT NULL,
    ver INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (study, ver)
) WITHOUT ROWID;

-- Who may change a study beside its owner.
CREATE TABLE study_member (
    study TEXT NOT NULL,
    person TEXT NOT NULL,
    PRIMARY KEY (study, person)
) WITHOUT ROWID;
CREATE INDEX study_member_person ON study_member (person);

-- Maps that a study needs: they are kept as long as it is.
CREATE TABLE study_map (
    study TEXT NOT NULL,
    map TEXT NOT NULL,
    PRIMARY KEY (study, map)
) WITHOUT ROWID;
CREATE INDEX study_map_map ON study_map (map);

PRAGMA user_version = 14;
