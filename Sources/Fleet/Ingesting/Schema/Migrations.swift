import OfficeSchema
package import PostgreSQL

// Unsafe: a constant of the program, which ends with a zero.

/// The versions of the schema: a new one is made as `Sources/Fleet/OfficeSchema/office.sql` has it, and each
/// step makes one version more of it, once and for all.
@MainActor
package enum Migrations {
    /// The version that the file makes. None before it was released.
    nonisolated package static let first = 20

    /// In order; the first makes version 21. It must be additive: programs of this version go on with it.
    nonisolated package static let steps: [String] = []

    /// For each lock of a step: who comes behind it waits as long.
    nonisolated package static let patience = "3s"

    /// The version that this program needs.
    nonisolated package static var current: Int { first + steps.count }

    /// What makes version ``first`` in a database without a schema.
    nonisolated static var made: String { unsafe String(cString: office_schema_sql()) }

    /// The version of a database; 0 without a schema.
    package static func version(of database: Database) throws(DatabaseError) -> Int {
        let there = try database.run("SELECT to_regclass('fleet.schema_version') IS NOT NULL")
        guard there.values.first?.first == "t" else { return 0 }
        let rows = try database.run("SELECT coalesce(max(version), 0) FROM fleet.schema_version")
        return rows.values.first?.first.flatMap { $0.flatMap(Int.init) } ?? 0
    }

    /// Brings a database up to ``current``, each step in a transaction of its own. A step that would wait
    /// for a lock for longer than ``patience`` is given up, whole. A schema before ``first`` is refused and
    /// left as it is.
    /// - Parameter steps: others, in a test.
    /// - Returns: the version from which it began.
    package static func migrate(
        _ database: Database, by steps: [String] = steps
    ) throws(DatabaseError) -> Int {
        let old = try version(of: database)
        guard old == 0 || old >= first else {
            throw DatabaseError(
                state: "",
                message: "the schema has version \(old), and this program goes on from \(first): "
                    + "nothing was changed, make another database and run setup there")
        }
        if old == 0 { try take(made, to: first, in: database) }
        for (index, step) in steps.enumerated().dropFirst(max(0, old - first)) {
            try take(step, to: first + 1 + index, in: database)
        }
        return old
    }

    private static func take(
        _ sql: String, to version: Int, in database: Database
    ) throws(DatabaseError) {
        do throws(DatabaseError) {
            try database.runAll(
                """
                BEGIN;
                SET LOCAL client_min_messages = warning; SET LOCAL lock_timeout = '\(patience)';
                \(sql)
                INSERT INTO fleet.schema_version (version) VALUES (\(version));
                COMMIT
                """)
        } catch {
            // The first error is the one to report; a lost connection has rolled back already.
            _ = try? database.run("ROLLBACK")
            throw error
        }
    }
}
