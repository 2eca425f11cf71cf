extension DatabaseFormat {
    /// The catalogue's file: `catalogue.sqlite`.
    static let catalogue = DatabaseFormat(
        // "GeoC"
        applicationID: 0x4765_6F43,
        migrations: [
            // The box holds 32-bit floats, which SQLite rounds outward: "the lower-bound
            // coordinates are rounded down and the upper-bound coordinates are rounded up. Thus,
            // bounding boxes might be slightly larger than specified, but will never be any
            // smaller." (sqlite.org/rtree.html) East may lie beyond 180.
            """
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
            """
        ],
        probe: """
            SELECT generation, count FROM state;
            SELECT id, area FROM fence ORDER BY number DESC LIMIT 1;
            SELECT number FROM fence ORDER BY id LIMIT 1;
            SELECT number FROM box WHERE west <= 0 LIMIT 1;
            SELECT name FROM origin
            """,
        checkpoint: 1_000)
}
