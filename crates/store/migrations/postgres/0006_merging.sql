-- Guests whose games are on their way to an account, some tables with each commit. Tables up to `done` are there, but for
-- those that the guest came to meanwhile.
CREATE TABLE merging (
    guest TEXT COLLATE "C" PRIMARY KEY,
    account TEXT COLLATE "C" NOT NULL,
    done TEXT COLLATE "C" NOT NULL
);
