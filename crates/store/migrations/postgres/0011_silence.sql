-- Since when a node has said without a break that it lives. Only who was not cut off itself may call others silent. A node of a
-- program before this step leaves it at 0.
ALTER TABLE node ADD COLUMN since_ms BIGINT NOT NULL DEFAULT 0;
