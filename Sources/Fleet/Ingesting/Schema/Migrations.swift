package import PostgreSQL

/// The versions of the schema, each made once and never changed afterwards.
@MainActor
package enum Migrations {
    /// In order; the first makes version 1.
    nonisolated private static let steps: [[String]] = [
        [Tables.sql, Views.sql, Functions.sql], [Quotas.sql], [Lives.sql], [Ends.sql], [Holes.sql],
        [Metres.sql], [Drivers.sql], [Trips.sql], [Areas.sql], [Identity.sql], [Positions.sql],
        [Sequences.sql], [Archived.sql], [Strays.sql], [Upkeep.sql],
        [Repeats.sql], [Finite.sql], [Newest.sql, Rights.sql], [Sequences.take(version: 19)],
        [Heard.sql],
    ]

    /// For each lock of a step: who comes behind it waits as long.
    nonisolated package static let patience = "3s"

    /// The version that this program needs.
    nonisolated package static var current: Int { steps.count }

    /// The version of a database; 0 without a schema.
    package static func version(of database: Database) throws(DatabaseError) -> Int {
        let there = try database.run("SELECT to_regclass('fleet.schema_version') IS NOT NULL")
        guard there.values.first?.first == "t" else { return 0 }
        let rows = try database.run("SELECT coalesce(max(version), 0) FROM fleet.schema_version")
        return rows.values.first?.first.flatMap { $0.flatMap(Int.init) } ?? 0
    }

    /// Brings a database up to ``current``, each step in a transaction of its own. A step that would wait
    /// for a lock for longer than ``patience`` is given up, whole.
    /// - Parameter last: an earlier version, which a test begins with.
    /// - Returns: the version from which it began.
    package static func migrate(
        _ database: Database, to last: Int = current
    ) throws(DatabaseError) -> Int {
        let old = try version(of: database)
        guard old < last else { return old }
        for (index, step) in steps.enumerated().prefix(last).dropFirst(old) {
            let sql = step.joined(separator: "\n")
            do throws(DatabaseError) {
                try database.runAll(
                    """
                    BEGIN;
                    SET LOCAL client_min_messages = warning; SET LOCAL lock_timeout = '\(patience)';
                    \(sql)
                    CREATE TABLE IF NOT EXISTS fleet.schema_version (
                        version int PRIMARY KEY, made timestamptz NOT NULL DEFAULT now());
                    INSERT INTO fleet.schema_version (version) VALUES (\(index + 1));
                    COMMIT
                    """)
            } catch {
                // The first error is the one to report; a lost connection has rolled back already.
                _ = try? database.run("ROLLBACK")
                throw error
            }
        }
        return old
    }
}
