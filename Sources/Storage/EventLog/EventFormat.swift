extension DatabaseFormat {
    /// The file of the event log: `events.sqlite`.
    static let events = DatabaseFormat(
        // "GeoE"
        applicationID: 0x4765_6F45,
        migrations: [
            // From version 9 on a migration only adds, see ``isAdditive``, and the default of a column
            // means that nothing is known: older programs write rows without it.
            //
            // `last` outlives the rows: a number is never given twice, even when the log is empty.
            """
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
            CREATE TABLE stay (
                fence TEXT PRIMARY KEY,
                added INTEGER NOT NULL,
                began INTEGER NOT NULL,
                dwell_told INTEGER NOT NULL
            ) WITHOUT ROWID;
            CREATE TABLE state (
                only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
                last INTEGER NOT NULL,
                announced INTEGER NOT NULL,
                known INTEGER NOT NULL,
                position_lost INTEGER NOT NULL
            );
            INSERT INTO state VALUES (1, 0, 0, 0, 0);
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
            """,
            // The last event of a fence is looked up by its id; a consumer has its own position.
            """
            CREATE INDEX event_by_fence ON event (fence) WHERE fence IS NOT NULL;
            CREATE TABLE consumer (
                name TEXT PRIMARY KEY,
                uid INTEGER NOT NULL,
                acknowledged INTEGER NOT NULL,
                options TEXT NOT NULL
            ) WITHOUT ROWID;
            """,
            // Which log a number belongs to: one that was lost and started again has another id.
            """
            CREATE TABLE identity (
                only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
                log TEXT NOT NULL
            );
            INSERT INTO identity VALUES (1, lower(hex(randomblob(16))));
            """,
            // Sinks that have announced further than `state.announced`; usually empty in a quiet
            // log.
            """
            CREATE TABLE sink (
                name TEXT PRIMARY KEY,
                announced INTEGER NOT NULL
            ) WITHOUT ROWID;
            """,
            // Approaches: what was said of one is open like a stay, `stage` 1 or 2.
            """
            ALTER TABLE event ADD COLUMN approach BLOB;
            ALTER TABLE stay ADD COLUMN stage INTEGER;
            """,
            // The numbers that proved an event; the earlier ones have none.
            "ALTER TABLE event ADD COLUMN evidence BLOB;",
            // The end of a presence by hand; null for any other stay.
            "ALTER TABLE stay ADD COLUMN manual_until INTEGER;",
            // The proof of an event of beacons; null for any other.
            "ALTER TABLE event ADD COLUMN beacon BLOB;",
            // Terms: the details of an event, the state of a stay, and the fences that have ended
            // but are not yet removed; the place of a parked vehicle.
            """
            ALTER TABLE event ADD COLUMN terms BLOB;
            ALTER TABLE stay ADD COLUMN watch BLOB;
            CREATE TABLE spent (
                fence TEXT NOT NULL,
                added INTEGER NOT NULL,
                PRIMARY KEY (fence, added)
            ) WITHOUT ROWID;
            CREATE TABLE parking (
                only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
                state BLOB NOT NULL
            );
            """,
            // `fences-lost` has been told and `fences-back` has not; null is no.
            "ALTER TABLE state ADD COLUMN fences_lost INTEGER;",
        ],
        isAdditive: true,
        probe: """
            SELECT only_row, last, announced, known, position_lost, fences_lost FROM state;
            SELECT seq, kind, fence, title, time, fix_time, presence, inferred, reason, distance, error,
                speed, course, latitude, longitude, stay, announced, metadata, boot, approach,
                evidence, beacon, terms FROM event ORDER BY seq DESC LIMIT 1;
            SELECT * FROM event ORDER BY seq LIMIT 1;
            SELECT fence, added, began, dwell_told, stage, manual_until, watch FROM stay LIMIT 1;
            SELECT only_row, latitude, longitude, time FROM position;
            SELECT only_row, boot, engine IS NULL FROM snapshot;
            SELECT name, uid, acknowledged, options FROM consumer LIMIT 1;
            SELECT only_row, log FROM identity;
            SELECT name, announced FROM sink LIMIT 1;
            SELECT fence, added FROM spent LIMIT 1;
            SELECT only_row, state FROM parking
            """,
        sanity: """
            SELECT last BETWEEN coalesce((SELECT max(seq) FROM event), 0) AND 1 << 60
            AND announced BETWEEN 0 AND last AND known BETWEEN 0 AND 1 << 60
            AND coalesce((SELECT min(seq) FROM event), 1) > 0 FROM state
            """,
        repair: """
            DELETE FROM event WHERE seq <= 0;
            UPDATE state SET last = (SELECT coalesce(max(seq), 0) FROM event)
                WHERE last NOT BETWEEN (SELECT coalesce(max(seq), 0) FROM event) AND 1 << 60;
            UPDATE state SET announced = last WHERE announced NOT BETWEEN 0 AND last;
            UPDATE state SET known = (SELECT coalesce(max(added), 0) FROM stay)
                WHERE known NOT BETWEEN 0 AND 1 << 60
            """,
        lastNumber: """
            SELECT max(coalesce((SELECT max(seq) FROM event WHERE seq < 1 << 60), 0), last)
            FROM state WHERE last BETWEEN 0 AND 1 << 60
            """,
        pageSize: 1_024, walLimit: 250 * 4_096)
}
