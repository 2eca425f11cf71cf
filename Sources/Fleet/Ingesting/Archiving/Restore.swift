import Bytes
package import PostgreSQL
import Program

/// The events of a week, from their file back into the database.
@MainActor
package enum Restore {
    /// Puts back what the database lacks of a file, all of it or nothing; returns a line about it. May be
    /// called again.
    /// - Parameter path: of a file that ``Archive`` has written of the same database.
    /// - Throws: ``Failure`` that names file, line and reason, ``DatabaseError``.
    package static func run(_ path: String, in database: Database) throws -> String {
        try Archive.prepare(database)
        // Whole before any of it goes anywhere.
        let first = try ArchiveReader(path)
        try check(first, database)
        while try first.next() != nil {}
        return try Archive.transaction(database) {
            let reader = try ArchiveReader(path)
            try stage(reader, in: database)
            return try put(reader, database)
        }
    }

    /// Of this database, and of tenants that it has.
    private static func check(_ reader: ArchiveReader, _ database: Database) throws {
        let identity = try database.run("SELECT fleet.identity()").values.first?.first ?? nil
        guard reader.header.database == identity else {
            throw Failure(
                "is of the database \(reader.header.database), and this one is \(identity ?? "none")",
                reader.path)
        }
        var tenants: [String: String] = [:]
        for row in try database.run("SELECT id, name FROM fleet.tenant").values {
            tenants[row[0] ?? ""] = row[1]
        }
        for (number, name) in reader.header.tenants.sorted(by: { $0.key < $1.key })
        where tenants[number] != name {
            throw Failure(
                "its tenant \(number) is \(name), which is here "
                    + "\(tenants[number] ?? "none")", reader.path)
        }
    }

    /// Makes the table `incoming` of the rows of a file, until the end of the transaction.
    static func stage(_ reader: ArchiveReader, in database: Database) throws {
        try check(reader, database)
        try database.runAll(
            """
            CREATE TEMP TABLE incoming (LIKE fleet.event INCLUDING DEFAULTS) ON COMMIT DROP
            """)
        do {
            try database.copyIn(
                "COPY incoming (\(reader.header.columns.joined(separator: ", "))) FROM STDIN"
            ) { try reader.portion() }
        } catch let error as DatabaseError {
            throw Failure("\(error)", reader.path)
        }
        let strays = try database.run(
            """
            SELECT count(*) FROM (SELECT at AT TIME ZONE 'UTC' AS at FROM incoming
                UNION ALL SELECT to_date($1, 'IYYY-"W"IW')) AS i
            WHERE to_char(at, 'IYYY-"W"IW') IS DISTINCT FROM $1
            """, [reader.header.week])
        guard strays.values == [["0"]] else {
            throw Failure(
                "\(reader.header.week) is no week, or it has events of another one", reader.path)
        }
    }

    private static func put(_ reader: ArchiveReader, _ database: Database) throws -> String {
        let week = reader.header.week
        let parts = try database.run(
            """
            SELECT 'fleet.event_' || to_char(d, 'YYYYMMDD') FROM generate_series(
                to_date($1, 'IYYY-"W"IW'), to_date($1, 'IYYY-"W"IW') + 6, interval '1 day') AS d
            WHERE to_regclass('fleet.event_' || to_char(d, 'YYYYMMDD')) IS NOT NULL ORDER BY d
            """, [week]
        ).values.compactMap { $0[0] }
        guard parts.count == 7 else {
            throw Failure(
                "\(week) is older than RetentionSec: its events would be dropped again",
                reader.path)
        }
        // An older one may lack what came late: the week would pass for whole without it.
        let other = try database.run(
            """
            SELECT events, digest, made::timestamptz(0) FROM fleet.archived_week
            WHERE week = $1 AND digest <> $2
            """, [week, reader.total.hexadecimal]
        ).values.first?.compactMap(\.self)
        if let other {
            throw Failure(
                "is not what \(week) was archived to last: \(other[0]) events on \(other[2]), "
                    + "whose file ends with \(other[1])", reader.path)
        }
        for part in parts { try database.runAll("DROP TRIGGER IF EXISTS archived ON \(part)") }
        let back = try database.run(
            "WITH back AS (\(ArchivedRows.refill) RETURNING 1) SELECT count(*) FROM back")
        let gone = try database.run(
            """
            SELECT count(*) FROM incoming i
            WHERE NOT EXISTS (SELECT FROM fleet.box b WHERE b.id = i.box AND b.tenant = i.tenant)
            """)
        _ = try database.run("DELETE FROM fleet.archived_week WHERE week = $1", [week])
        func number(_ rows: Rows) -> String { rows.values.first?.first.flatMap(\.self) ?? "0" }
        let others = number(gone)
        return "\(week): \(number(back)) of \(reader.rows) events were not here, and are back"
            + (others == "0" ? "" : "; \(others) of boxes that were forgotten are left out")
    }
}
