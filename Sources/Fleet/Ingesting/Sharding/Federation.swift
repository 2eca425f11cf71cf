package import PostgreSQL

/// A database of reports over the databases of several brokers.
@MainActor
package enum Federation {
    /// The numbers of the shards that a session leaves out, as an array; `{}` of any other database.
    nonisolated package static let leftOut =
        "coalesce(nullif(pg_catalog.current_setting('fleet.without', true), ''), '{}')::int[]"

    /// Of a failure that says which shard does not answer: its number.
    nonisolated package static func silentShard(_ error: DatabaseError) -> Int? {
        // Class 08, "Connection Exception": `could not connect to server "shard_2"`.
        guard error.state.hasPrefix("08") else { return nil }
        let quoted = error.message.split(separator: "\"").first { $0.hasPrefix("shard_") }
        return quoted.flatMap { Int($0.dropFirst("shard_".count)) }
    }

    /// Makes it, or makes it anew; returns lines about it. All of it or nothing: every shard must answer.
    package static func setUp(
        _ database: Database, over addresses: [String]
    ) throws(DatabaseError) -> [String] {
        guard (1...FederationSchema.most).contains(addresses.count) else {
            throw DatabaseError(
                state: "", message: "1 to \(FederationSchema.most) shards, not \(addresses.count)")
        }
        guard try Migrations.version(of: database) == 0 else {
            throw DatabaseError(
                state: "", message: "a fleet is in this database: reports need one of their own")
        }
        var shards: [Shard] = []
        for (index, address) in addresses.enumerated() {
            shards.append(try Shard(address, number: index + 1))
        }
        try database.runAll(
            """
            BEGIN; SET LOCAL client_min_messages = warning;
            SET LOCAL lock_timeout = '\(Migrations.patience)'
            """)
        do {
            try make(database, shards)
            try database.runAll("COMMIT")
        } catch {
            // What went wrong first is what is told; without a connection nothing is left anyway.
            _ = try? database.run("ROLLBACK")
            throw error
        }
        return shards.map { "\($0.name): \($0.place)" }
    }

    private static func make(_ database: Database, _ shards: [Shard]) throws(DatabaseError) {
        if try isOne(database) {
            for row in try database.run("SELECT number FROM fleet.shard").values {
                let name = "shard_\((row[0] ?? ""))"
                try database.runAll(
                    "DROP SCHEMA IF EXISTS \(name) CASCADE; DROP SERVER IF EXISTS \(name) CASCADE")
            }
            try database.runAll("DROP SCHEMA fleet CASCADE")
        }
        try database.runAll(
            "CREATE EXTENSION IF NOT EXISTS postgres_fdw;\n\(FederationSchema.begin)")
        let readers = try database.run(
            """
            SELECT rolname FROM pg_roles WHERE pg_has_role(oid, 'fleet_reader', 'member')
                AND NOT rolsuper AND rolname NOT IN ('fleet_reader', 'fleet_keeper', current_user)
                ORDER BY 1
            """)
        for shard in shards {
            try database.runAll(shard.sql(readers: readers.values.compactMap { $0[0] }))
            let version =
                try database.run(
                    "SELECT coalesce(max(version), 0) FROM \(shard.name).schema_version"
                ).values.first?.first ?? nil
            guard version == String(Migrations.current) else {
                throw DatabaseError(
                    state: "",
                    message: "\(shard.name) (\(shard.place)): its schema has version "
                        + "\(version ?? "0"), and this program \(Migrations.current): "
                        + "run setup there")
            }
        }
        try database.runAll(FederationSchema.end(1...shards.count))
    }

    /// Whether the database is one of reports.
    package static func isOne(_ database: Database) throws(DatabaseError) -> Bool {
        try database.run("SELECT to_regclass('fleet.shard') IS NOT NULL").values == [["t"]]
    }

    /// For what is asked of the database of each shard: throws where these are, at one of reports.
    package static func refuse(_ database: Database) throws(DatabaseError) {
        guard try isOne(database) else { return }
        let places = try database.run("SELECT number, place FROM fleet.shard ORDER BY number")
            .values
            .map { "shard_\($0[0] ?? "") (\($0[1] ?? ""))" }
        throw DatabaseError(
            state: "",
            message: "this is asked of the database of each shard: "
                + places.joined(separator: ", "))
    }

    /// Leaves out of this session the shards that do not answer; returns a line about each. Of a database
    /// that is not over shards there are none.
    package static func leaveOutSilent(_ database: Database) throws(DatabaseError) -> [String] {
        guard try isOne(database) else { return [] }
        var silent: [(number: String, line: String)] = []
        for row in try database.run(
            "SELECT number, place FROM fleet.shard ORDER BY number"
        ).values {
            let (number, place) = (row[0] ?? "", row[1] ?? "")
            do throws(DatabaseError) {
                _ = try database.run("SELECT FROM shard_\(number).tenant LIMIT 1")
            } catch {
                // Class 08, "Connection Exception".
                guard error.state.hasPrefix("08") else { throw error }
                silent.append((number, "shard_\(number) (\(place)) is left out: \(error.message)"))
            }
        }
        _ = try database.run(
            "SELECT set_config('fleet.without', $1, false)",
            ["{\(silent.map(\.number).joined(separator: ","))}"])
        return silent.map(\.line)
    }
}
