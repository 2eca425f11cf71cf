-- What a program with event schema 10 has written; the filler of the metadata was longer.
PRAGMA auto_vacuum=INCREMENTAL;
PRAGMA application_id=1197829957;
PRAGMA user_version=10;
CREATE TABLE event (
    seq INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    fence TEXT,
    title TEXT NOT NULL,
    time INTEGER NOT NULL,
    fix_time INTEGER NOT NULL,
    presence INTEGER,
    inferred INTEGER NOT NULL,
    reason TEXT,
    distance REAL,
    error REAL,
    speed REAL,
    course REAL,
    latitude REAL,
    longitude REAL,
    stay INTEGER,
    announced INTEGER NOT NULL,
    metadata TEXT NOT NULL,
    boot TEXT
, approach BLOB, evidence BLOB, beacon BLOB, terms BLOB);
INSERT INTO event VALUES(1,2,'fence-0','',1000000000,1000000000,1,0,'certain',NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,'{"filler":"x"}','child',NULL,NULL,NULL,NULL);
INSERT INTO event VALUES(2,1,'fence-1','',2000000000,2000000000,2,0,'certain',NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,'{"filler":"x"}','child',NULL,NULL,NULL,NULL);
INSERT INTO event VALUES(3,2,'fence-1','',3000000000,3000000000,1,0,'certain',NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,'{"filler":"x"}','child',NULL,NULL,NULL,NULL);
INSERT INTO event VALUES(4,1,'fence-2','',4000000000,4000000000,2,0,'certain',NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,'{"filler":"x"}','child',NULL,NULL,NULL,NULL);
CREATE TABLE stay (
    fence TEXT PRIMARY KEY,
    added INTEGER NOT NULL,
    began INTEGER NOT NULL,
    dwell_told INTEGER NOT NULL
, stage INTEGER, manual_until INTEGER, watch BLOB) WITHOUT ROWID;
INSERT INTO stay VALUES('fence-2',1,4000000000,0,NULL,NULL,NULL);
CREATE TABLE state (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    last INTEGER NOT NULL,
    announced INTEGER NOT NULL,
    known INTEGER NOT NULL,
    position_lost INTEGER NOT NULL
, fences_lost INTEGER);
INSERT INTO state VALUES(1,4,0,1,0,0);
CREATE TABLE position (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    latitude REAL NOT NULL,
    longitude REAL NOT NULL,
    time INTEGER NOT NULL
);
CREATE TABLE snapshot (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    boot TEXT,
    engine BLOB NOT NULL
);
CREATE TABLE consumer (
    name TEXT PRIMARY KEY,
    uid INTEGER NOT NULL,
    acknowledged INTEGER NOT NULL,
    options TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE identity (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    log TEXT NOT NULL
);
INSERT INTO identity VALUES(1,'ffc457d2a217e9d5cf5da2153b5512cf');
CREATE TABLE sink (
    name TEXT PRIMARY KEY,
    announced INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE spent (
    fence TEXT NOT NULL,
    added INTEGER NOT NULL,
    PRIMARY KEY (fence, added)
) WITHOUT ROWID;
CREATE TABLE parking (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    state BLOB NOT NULL
);
CREATE INDEX event_by_fence ON event (fence) WHERE fence IS NOT NULL;
