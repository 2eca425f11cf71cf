-- The log: events.sqlite, version 18. A later version only adds, see DatabaseFormat, and the default of a
-- column means that nothing is known: older programs write rows without it.

-- One event. Of these columns one is null where there is nothing to tell: `approach` is what was said on the way to
-- a hazard, `evidence` the numbers that proved it, `beacon` the proof of an event of beacons, `terms` the details
-- about the terms of its fence, `odometer` and `way` metres (what it showed; of an exit, how far inside), `driver` the
-- number of a row there, `trip` what the end of a trip tells.
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
    boot TEXT,
    approach BLOB,
    evidence BLOB,
    beacon BLOB,
    terms BLOB,
    odometer REAL,
    way BLOB,
    driver INTEGER,
    trip BLOB
);
-- The last event of a fence is looked up by its id.
CREATE INDEX event_by_fence ON event (fence) WHERE fence IS NOT NULL;

-- Stays that are open, and approaches of which something was said, `stage` 1 or 2. `manual_until` is the end of a
-- presence by hand.
CREATE TABLE stay (
    fence TEXT PRIMARY KEY,
    added INTEGER NOT NULL,
    began INTEGER NOT NULL,
    dwell_told INTEGER NOT NULL,
    stage INTEGER,
    manual_until INTEGER,
    watch BLOB,
    way BLOB
) WITHOUT ROWID;

-- `last` outlives the rows: a number is never given twice, even when the log is empty. The log has lost its
-- end: `log_lost` is the last number of what is lost, `log_lost_at` when that was found, null of a log that is
-- whole; `stays_doubted`: a stay may be over that is open. `fences_lost`: it has been told, and `fences-back`
-- has not. Null is no.
CREATE TABLE state (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    last INTEGER NOT NULL,
    announced INTEGER NOT NULL,
    known INTEGER NOT NULL,
    position_lost INTEGER NOT NULL,
    fences_lost INTEGER,
    driven BLOB,
    log_lost INTEGER,
    log_lost_at INTEGER,
    stays_doubted INTEGER
);
INSERT INTO state (only_row, last, announced, known, position_lost) VALUES (1, 0, 0, 0, 0);

CREATE TABLE position (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    latitude REAL NOT NULL,
    longitude REAL NOT NULL,
    time INTEGER NOT NULL
);

-- The engine's checkpoint, where no file holds it.
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

-- Which log a number belongs to: one that was lost and started again has another id.
CREATE TABLE identity (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    log TEXT NOT NULL
);
INSERT INTO identity VALUES (1, lower(hex(randomblob(16))));

-- Which log the numbers up to `last` belong to, and after that of the row before: the log that a backup was
-- made of, which was restored elsewhere.
CREATE TABLE earlier (
    last INTEGER PRIMARY KEY,
    log TEXT NOT NULL
);

-- Numbers that no event has, since the end of the log was lost: spans, at most 64.
CREATE TABLE lost (
    first INTEGER PRIMARY KEY,
    last INTEGER NOT NULL
);

-- Sinks that have announced further than `state.announced`; usually empty in a quiet log.
CREATE TABLE sink (
    name TEXT PRIMARY KEY,
    announced INTEGER NOT NULL
) WITHOUT ROWID;

-- Fences that have ended but are not yet removed.
CREATE TABLE spent (
    fence TEXT NOT NULL,
    added INTEGER NOT NULL,
    PRIMARY KEY (fence, added)
) WITHOUT ROWID;

-- The place of a parked vehicle, and its trip.
CREATE TABLE parking (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    state BLOB NOT NULL
);

-- `last_seq` is the last event that may have the number, null of the present driver, whom `driving` names.
CREATE TABLE driver (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    first_set INTEGER NOT NULL,
    last_seq INTEGER
);
-- `source`: who has named the driver, a raw value of DriverSource; null is a call.
CREATE TABLE driving (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    driver INTEGER NOT NULL,
    since INTEGER NOT NULL,
    source TEXT
);

-- The route: its line, and what is kept beside it.
CREATE TABLE route (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    positions BLOB NOT NULL
);
CREATE TABLE route_state (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    set_at INTEGER NOT NULL,
    kept INTEGER NOT NULL,
    boot TEXT,
    progress BLOB NOT NULL
);
