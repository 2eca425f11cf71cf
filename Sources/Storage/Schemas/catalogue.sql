-- The catalogue: catalogue.sqlite, version 5.

-- `fences` of an origin, the generation and the time of its last change, and what was accepted of it, see
-- SetMark. The first is that of the bus.
CREATE TABLE origin (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    fences INTEGER NOT NULL DEFAULT 0,
    generation INTEGER NOT NULL DEFAULT 0,
    changed_at INTEGER NOT NULL DEFAULT 0,
    accepted INTEGER NOT NULL DEFAULT 0,
    sum INTEGER NOT NULL DEFAULT 0,
    hazards INTEGER NOT NULL DEFAULT 0
);
INSERT INTO origin (number, name) VALUES (0, '');

CREATE TABLE state (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    generation INTEGER NOT NULL,
    count INTEGER NOT NULL,
    next INTEGER NOT NULL DEFAULT 1
);
INSERT INTO state (only_row, generation, count) VALUES (1, 0, 0);

-- Fences that lie together, see FenceCell.
CREATE TABLE cell (
    number INTEGER PRIMARY KEY,
    fences BLOB NOT NULL
);
-- Which cell has a fence.
CREATE TABLE fence (
    id TEXT PRIMARY KEY,
    number INTEGER NOT NULL
) WITHOUT ROWID;

-- The box of a cell holds 32-bit floats, which SQLite rounds outward: "the lower-bound coordinates are rounded
-- down and the upper-bound coordinates are rounded up. Thus, bounding boxes might be slightly larger than
-- specified, but will never be any smaller." (sqlite.org/rtree.html) East may lie beyond 180.
CREATE VIRTUAL TABLE box USING rtree (number, west, east, south, north);

-- The cells of beacon fences, which have no box: one fence in each.
CREATE TABLE beacon (number INTEGER PRIMARY KEY);
