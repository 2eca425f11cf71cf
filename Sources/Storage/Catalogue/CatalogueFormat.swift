import Bytes
import Geodesy
import Model
import Time

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
            """,
            Migration(
                sql: """
                    ALTER TABLE fence RENAME TO old_fence;
                    DROP TABLE box;
                    DROP INDEX fence_by_origin;
                    ALTER TABLE origin ADD COLUMN fences INTEGER NOT NULL DEFAULT 0;
                    UPDATE origin SET fences =
                        (SELECT count(*) FROM old_fence WHERE origin = origin.number);
                    ALTER TABLE state ADD COLUMN next INTEGER NOT NULL DEFAULT 1;
                    CREATE TABLE cell (
                        number INTEGER PRIMARY KEY,
                        fences BLOB NOT NULL
                    );
                    CREATE TABLE fence (
                        id TEXT PRIMARY KEY,
                        number INTEGER NOT NULL
                    ) WITHOUT ROWID;
                    CREATE VIRTUAL TABLE box USING rtree (number, west, east, south, north);
                    """, program: CatalogueMigration.fillCells),
            // When an origin's fences were last changed. For existing origins all that is known is
            // that it was not later than now.
            """
            ALTER TABLE origin ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE origin ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
            UPDATE origin SET generation = (SELECT generation FROM state) WHERE fences > 0;
            """,
            // The cells of beacon fences, which have no box: one fence in each.
            "CREATE TABLE beacon (number INTEGER PRIMARY KEY);",
            // What was accepted of each origin, see ``SetMark``.
            Migration(
                sql: """
                    ALTER TABLE origin ADD COLUMN accepted INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE origin ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE origin ADD COLUMN hazards INTEGER NOT NULL DEFAULT 0;
                    """,
                program: { database in
                    for (name, mark) in try CatalogueNumbers(counting: database).marks(database) {
                        try mark.write(of: name.text, database)
                    }
                }),
        ],
        probe: """
            SELECT only_row, generation, count, next FROM state;
            SELECT number, name, fences, generation, changed_at, accepted, sum, hazards FROM origin
            """,
        survey: """
            SELECT fences FROM cell ORDER BY number DESC LIMIT 1;
            SELECT number FROM fence ORDER BY id LIMIT 1;
            SELECT number, east, south, north FROM box WHERE west <= 0 LIMIT 1;
            SELECT number FROM beacon LIMIT 1
            """,
        sanity: """
            SELECT count = (SELECT coalesce(sum(fences), 0) FROM origin)
                AND (SELECT coalesce(min(fences), 0) FROM origin) >= 0
                AND generation BETWEEN (SELECT coalesce(max(generation), 0) FROM origin) AND 1 << 60
                AND next > (SELECT coalesce(max(number), 0) FROM cell)
                AND NOT EXISTS (
                    SELECT 1 FROM origin AS one NOT INDEXED
                    WHERE (SELECT number FROM origin WHERE name = one.name) IS NOT one.number)
            FROM state
            """,
        repair: Migration(
            sql: "REINDEX origin", program: { try CatalogueNumbers(counting: $0).write($0) }),
        lastNumber: "SELECT generation FROM state WHERE generation BETWEEN 0 AND 1 << 60",
        pageSize: 4_096, walLimit: 1_000 * 4_096)
}

/// From version 1, which had a row and a box for every fence, to cells.
enum CatalogueMigration {
    static func fillCells(_ database: Database) throws {
        var loader = CellLoader(directory: database.directory)
        var lost: [Int64: Int64] = [:]
        try database.rows(
            """
            SELECT id, origin, added, changed, dwell, flags, title, description, metadata, area
            FROM old_fence
            """
        ) { row in
            let flags = row.integer(5)
            guard let area = row.withBytes(9, { try? AreaCoding.decode($0) }) else {
                // Only this fence is left out, not the others with it.
                lost[row.integer(1), default: 0] += 1
                return true
            }
            let fence = Fence(
                id: row.text(0),
                area: area,
                title: row.text(6), description: row.text(7),
                dwell: TimeSpan(nanoseconds: row.integer(4)), notifyOnEntry: flags & 1 != 0,
                notifyOnExit: flags & 2 != 0, initialEnter: flags & 4 != 0,
                metadata: row.text(8))
            try loader.add(
                fence,
                .init(added: row.number(2), changed: row.number(3), origin: row.integer(1)))
            return true
        }
        var next: Int64 = 1
        while try !loader.write(to: database, loosely: false, next: &next, until: { false }) {}
        try database.run("UPDATE state SET next = ?", .integer(next))
        for (origin, count) in lost {
            try database.run("UPDATE state SET count = count - ?", .integer(count))
            try database.run(
                "UPDATE origin SET fences = fences - ? WHERE number = ?", .integer(count),
                .integer(origin))
        }
        try database.script("DROP TABLE old_fence")
    }
}
