-- What a program with catalogue schema 1 has written.
PRAGMA auto_vacuum=INCREMENTAL;
PRAGMA application_id=1197829955;
PRAGMA user_version=1;
CREATE TABLE origin (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);
INSERT INTO origin (number, name) VALUES (0, '');
CREATE TABLE fence (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    origin INTEGER NOT NULL REFERENCES origin,
    added INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    dwell INTEGER NOT NULL,
    flags INTEGER NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    metadata TEXT NOT NULL,
    area BLOB NOT NULL
);
CREATE INDEX fence_by_origin ON fence (origin);
CREATE VIRTUAL TABLE box USING rtree (number, west, east, south, north);
CREATE TABLE state (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    generation INTEGER NOT NULL,
    count INTEGER NOT NULL
);
INSERT INTO state (only_row, generation, count) VALUES (1, 0, 0);
INSERT INTO origin VALUES (1, 'roads.csv');
INSERT INTO fence VALUES (1, 'bridge', 0, 1, 2, 90000000000, 3, 'Low bridge', '3.9 m', '{"height":3.9}',
    x'01000c395d4cfbadbe40000000000000484000000000000026400000000000004940');
INSERT INTO fence VALUES (2, 'depot', 1, 2, 2, 0, 7, '', '', '{}',
    x'010091d4a853ecf70741000000000080484000000000000028400000000000406f40');
INSERT INTO box VALUES (1, 10.9993, 11.0007, 47.9995, 48.0005);
INSERT INTO box VALUES (2, 11.9965, 12.0035, 48.9977, 49.0023);
UPDATE state SET generation = 2, count = 2;
