-- What a program with event schema 2 has written.
PRAGMA auto_vacuum=INCREMENTAL;
PRAGMA application_id=1197829957;
PRAGMA user_version=2;
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
);
INSERT INTO event VALUES(2,1,'bridge','Low bridge',1000000000,2000000000,2,0,'certain',-12.4,5.0,22.1,87.0,48.0,11.0,NULL,1,'{"height":3.9}','0123456789abcdef0123456789abcdef');
INSERT INTO event VALUES(3,5,NULL,'',3000000000,3000000000,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,'{}','0123456789abcdef0123456789abcdef');
CREATE TABLE stay (
    fence TEXT PRIMARY KEY,
    added INTEGER NOT NULL,
    began INTEGER NOT NULL,
    dwell_told INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO stay VALUES('bridge',1,1000000000,0);
CREATE TABLE state (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    last INTEGER NOT NULL,
    announced INTEGER NOT NULL,
    known INTEGER NOT NULL,
    position_lost INTEGER NOT NULL
);
INSERT INTO state VALUES(1,3,3,2,1);
CREATE TABLE position (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    latitude REAL NOT NULL,
    longitude REAL NOT NULL,
    time INTEGER NOT NULL
);
INSERT INTO position VALUES(1,48.0,11.0,3000000000);
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
CREATE INDEX event_by_fence ON event (fence) WHERE fence IS NOT NULL;
INSERT INTO consumer VALUES('com.example.Alert1',1000,2,'{"kinds":[1]}');
