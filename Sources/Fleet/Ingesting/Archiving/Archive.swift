import Bytes
import Files
import Glibc
package import PostgreSQL
import Program
import Zstandard

// Unsafe: a system call takes a path of ours.

/// Old weeks: their visits and trips stay in the database, their events go to a file each.
@MainActor
package enum Archive {
    /// A week whose days are all in the database.
    struct Week {
        /// `2026-W30`.
        var name: String
        /// Its Monday, `2026-07-20`.
        var first: String
        /// Its partitions, by day.
        var parts: [String]
    }

    /// Weeks that have ended before `$1`, and how many of their days there are.
    private static let weeks = """
        WITH day AS (
            SELECT c.relname AS name, to_date(substr(c.relname, 7), 'YYYYMMDD') AS day
            FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = 'fleet.event'::regclass AND c.relname ~ '^event_[0-9]{8}$')
        SELECT to_char(date_trunc('week', day), 'IYYY-"W"IW'), date_trunc('week', day)::date,
            'fleet.' || string_agg(name, ' fleet.' ORDER BY day)
        FROM day GROUP BY date_trunc('week', day)
        HAVING date_trunc('week', day)::date + 7
            <= least($1::date, (now() AT TIME ZONE 'UTC')::date)
        ORDER BY 2
        """

    /// Archives every whole week that has ended before a date and has events, one file and one transaction
    /// each; what is archived already stays so.
    /// - Parameters:
    ///   - before: what PostgreSQL reads as a date.
    ///   - directory: where the files are to lie, `fleet-event-2026-W30.copy.zst`.
    ///   - tell: gets a line about each week, as soon as it is done.
    /// - Throws: ``Failure``, ``DatabaseError``: then the week is as it was, and those before it are done.
    package static func run(
        _ database: Database, before: String, to directory: String, tell: (String) -> Void
    ) throws {
        try prepare(database)
        var isNone = true
        for row in try database.run(weeks, [before]).values {
            let week = Week(
                name: row[0] ?? "", first: row[1] ?? "",
                parts: (row[2] ?? "").split(separator: " ").map(String.init))
            let path = "\(directory)/fleet-event-\(week.name).copy.zst"
            switch try transaction(database, { try archive(week, to: path, database) }) {
            case .empty: continue
            case .left(let why): tell("\(week.name): \(why)")
            case .archived(let events):
                let note =
                    try compact(week, database)
                    ? "" : "; their space here comes back with VACUUM FULL, once nobody reads them"
                tell("\(week.name): \(events) events are in \(path)\(note)")
            }
            isNone = false
        }
        if isNone { tell("no week before \(before) has events") }
    }

    /// Throws where archiving or restoring is not for this role, or not in this database.
    static func prepare(_ database: Database) throws(DatabaseError) {
        try Federation.refuse(database)
        let owns = try database.run(
            """
            SELECT coalesce((SELECT pg_has_role(relowner, 'usage') FROM pg_class
                WHERE oid = to_regclass('fleet.event')), true)
            """)
        guard owns.values == [["t"]] else {
            throw DatabaseError(state: "42501", message: "this is for the owner of the schema")
        }
        guard try Migrations.version(of: database) == Migrations.current else {
            throw DatabaseError(
                state: "", message: "the schema is not that of this program: run setup")
        }
        // What COPY writes, and reads again.
        try database.runAll(
            """
            SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET IntervalStyle = 'postgres';
            SET client_min_messages = warning
            """)
    }

    /// Gives back the space of what was deleted; false while something reads those days for long, such as a
    /// backup: behind what waits for it everybody else would wait, too.
    private static func compact(_ week: Week, _ database: Database) throws(DatabaseError) -> Bool {
        try database.runAll("SET lock_timeout = '\(patience)'")
        // Fails only without a connection, as whatever comes after it.
        defer { try? database.runAll("RESET lock_timeout") }
        do throws(DatabaseError) {
            for part in week.parts { try database.runAll("VACUUM (FULL, ANALYZE) \(part)") }
        } catch {
            guard error.isAboutLock else { throw error }
            return false
        }
        return true
    }

    /// For a lock: who comes behind it waits as long. Less than a board waits for an answer.
    private static let patience = "10s"

    /// All of it or nothing, while nobody makes or drops a partition.
    static func transaction<Value>(
        _ database: Database, _ body: () throws -> Value
    ) throws -> Value {
        try database.runAll("BEGIN; SET LOCAL lock_timeout = '\(patience)'")
        do {
            try claim(database)
            let value = try body()
            try database.runAll("COMMIT; \(Announcer.sql)")
            return value
        } catch {
            // What went wrong first is what is told; without a connection nothing is left anyway.
            _ = try? database.run("ROLLBACK")
            throw error
        }
    }

    private static func claim(_ database: Database) throws(DatabaseError) {
        do throws(DatabaseError) { _ = try database.run("SELECT \(Upkeep.claim)") } catch {
            guard error.isAboutLock else { throw error }
            throw DatabaseError(
                state: "", message: "another archive or restore is at work: try again after it")
        }
    }

    private enum Outcome {
        case empty
        /// It stays as it is, and why.
        case left(String)
        /// So many events are in its file.
        case archived(Int)
    }

    private static func archive(
        _ week: Week, to path: String, _ database: Database
    ) throws -> Outcome {
        let known = try database.run(
            "SELECT events FROM fleet.archived_week WHERE week = $1", [week.name])
        guard known.values.isEmpty else { return .left("is archived already") }
        // Events of these days wait from now on.
        let parts = week.parts.joined(separator: ", ")
        try database.runAll("LOCK TABLE \(parts) IN SHARE ROW EXCLUSIVE MODE")
        let some = week.parts.map { "EXISTS (SELECT FROM \($0))" }.joined(separator: " OR ")
        guard try database.run("SELECT \(some)").values == [["t"]] else { return .empty }
        guard week.parts.count == 7 else {
            return .left("is left to RetentionSec, which has dropped some of its days")
        }
        let isNew = try !former(week, path, database)
        let (rows, last) = try write(week, to: path, isNew: isNew, database)
        try verify(week, path, last)
        for part in week.parts { try database.runAll(ArchivedRows.shrink(part, week: week.name)) }
        _ = try database.run(
            """
            INSERT INTO fleet.archived_week (week, first, events, digest)
            VALUES ($1, $2::date, $3::bigint, $4)
            """, [week.name, week.first, "\(rows)", last.hexadecimal])
        return .archived(rows)
    }

    /// A file of that name is replaced only if the database has all of its events: it is of an archiving that
    /// did not come to its end, or of a week that was restored.
    /// - Returns: whether there is one.
    private static func former(
        _ week: Week, _ path: String, _ database: Database
    ) throws -> Bool {
        guard unsafe access(path, F_OK) == 0 else { return false }
        let reader = try ArchiveReader(path)
        try Restore.stage(reader, in: database)
        guard reader.header.week == week.name else {
            throw Failure("is of another week, \(reader.header.week)", path)
        }
        let lacks = try database.run(
            """
            SELECT count(*) FROM incoming i JOIN fleet.box b ON b.id = i.box AND b.tenant = i.tenant
            WHERE NOT EXISTS (SELECT FROM fleet.event e WHERE e.box = i.box AND e.log = i.log
                AND e.seq = i.seq AND e.at = i.at)
            """)
        guard lacks.values == [["0"]] else {
            throw Failure(
                "has \(lacks.values.first?.first.flatMap(\.self) ?? "some") events that the "
                    + "database has not: restore it first, or move it away", path)
        }
        try database.runAll("DROP TABLE incoming")
        return true
    }

    /// Writes the file, durably; returns how many rows, and their digest. Another shard may write one of
    /// that name in the same directory.
    private static func write(
        _ week: Week, to path: String, isNew: Bool, _ database: Database
    ) throws -> (rows: Int, digest: [UInt8]) {
        let identity = try database.run("SELECT fleet.identity()").values.first?.first ?? nil
        var header = ArchiveHeader(
            database: identity ?? "", schema: Migrations.current, week: week.name,
            columns: ArchivedRows.columns)
        for row in try database.run("SELECT id, name FROM fleet.tenant").values {
            header.tenants[row[0] ?? ""] = row[1] ?? ""
        }
        let replacement = try Failure.at(path) { () throws(Errno) in
            try Replacement(of: path, .named(header.database))
        }
        var (rows, digest) = (0, SHA256())
        do {
            let writer = try ZstdWriter(replacement.file)
            try writer.write(Array(header.text.utf8))
            for part in week.parts {
                try database.copyOut(
                    """
                    COPY (SELECT \(ArchivedRows.columns.joined(separator: ", ")) FROM \(part)
                        ORDER BY box, log, seq) TO STDOUT
                    """
                ) { row in
                    rows += 1
                    digest.update(row)
                    try writer.write(row)
                }
            }
            let sum = digest.finish()
            try writer.write(Array(ArchiveHeader.last(rows, sum).utf8))
            try writer.finish()
            try replacement.finish(isNew: isNew)
            return (rows, sum)
        } catch let error as DatabaseError { throw error } catch { throw Failure("\(error)", path) }
    }

    /// Reads what lies there now, to its end.
    private static func verify(_ week: Week, _ path: String, _ digest: [UInt8]) throws(Failure) {
        let reader = try ArchiveReader(path)
        while try reader.next() != nil {}
        guard reader.header.week == week.name, reader.total == digest else {
            throw Failure("is not what was written", path)
        }
    }
}
