import Bytes
import MQTT
package import PostgreSQL

/// What `setup`, `status` and `assign` do in the database.
@MainActor
package enum Questions {
    /// Makes or updates the schema, the partitions and a tenant; returns lines about it.
    /// - Parameter retention: days; nil for the previous setting, or 90.
    package static func setUp(
        _ database: Database, tenant: String?, retention: Int?
    ) throws(DatabaseError) -> [String] {
        guard try !Federation.isOne(database) else {
            throw DatabaseError(
                state: "", message: "this is a database of reports: see --report-over")
        }
        let old = try Migrations.migrate(database)
        var lines = [
            old >= Migrations.current
                ? "schema: version \(old)" : "schema: version \(old) → \(Migrations.current)"
        ]
        try database.runAll("SET LOCAL lock_timeout = '\(Migrations.patience)';\n\(DrawnAreas.sql)")
        if let retention {
            _ = try database.run("UPDATE fleet.retention SET days = $1", [String(retention)])
        }
        let made = try database.run("SELECT fleet.maintain()")
        lines.append("partitions: \((made.values.first?.first ?? nil) ?? "none")")
        if let tenant {
            guard TopicLevel.isPlain(tenant) else {
                throw DatabaseError(
                    state: "", message: "\(tenant): 1 to 64 of A-Z, a-z, 0-9, - and _")
            }
            _ = try database.run(
                "INSERT INTO fleet.tenant (name) VALUES ($1) ON CONFLICT DO NOTHING", [tenant])
            lines.append("tenant: \(tenant)")
        }
        return lines
    }

    /// One line for each box, then what was set aside, then the weeks whose events lie in files, and then
    /// the partitions that are overdue.
    package static func status(of database: Database) throws(DatabaseError) -> [String] {
        let boxes = try database.run(
            """
            SELECT t.name, b.name, concat(\(Expressions.online), ', ' || (\(Expressions.absence)),
                    CASE WHEN (\(Expressions.absence)) IS NOT NULL
                        THEN coalesce(' since ' || (\(Expressions.since)), '') END),
                to_char(b.last_seen AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
                coalesce(string_agg(concat(l.last_seq, CASE WHEN l.first_seq > 1 AND NOT l.moved
                    THEN ' from ' || l.first_seq END), ' '), 'none'),
                coalesce(string_agg(nullif(l.missing::text, '{}'), ' '), 'none'),
                coalesce(string_agg(nullif(l.lost::text, '{}'), ' '), 'none'),
                coalesce('  log changed '
                    || to_char((\(Expressions.newLog)) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
                    || ' was ' || replace(b.former_log::text, '-', ''), '')
            FROM fleet.box b JOIN fleet.tenant t ON t.id = b.tenant
            LEFT JOIN fleet.box_log l ON l.box = b.id
            GROUP BY b.id, 1, 2, 3, 4, 8 ORDER BY 1, 2
            """)
        var lines = boxes.values.map { row in
            let cells = row.map { ($0 ?? "-").printable }
            return "\(cells[0])/\(cells[1])  online \(cells[2])  seen \(cells[3])  "
                + "last \(cells[4])  missing \(cells[5])  lost on the box \(cells[6])\(cells[7])"
        }
        let aside = try database.run(
            """
            SELECT tenant, box, reason, count(*) FROM fleet.rejected GROUP BY 1, 2, 3 ORDER BY 1, 2
            """)
        lines += aside.values.map { row in
            let cells = row.map { ($0 ?? "-").printable }
            return "set aside  \(cells[0])/\(cells[1])  \(cells[3]) × \(cells[2])"
        }
        // Over shards a week is that of each of them.
        let weeks = try database.run(
            "SELECT week, sum(events), max(made)::date FROM fleet.archived GROUP BY 1 ORDER BY 1")
        lines += weeks.values.map { row in
            let cells = row.map { ($0 ?? "-").printable }
            return "archived  \(cells[0])  \(cells[1]) events  \(cells[2])"
        }
        return try lines + overdue(in: database)
    }

    /// A line about partitions that are overdue; none if there are none.
    private static func overdue(in database: Database) throws(DatabaseError) -> [String] {
        let rows = try database.run(
            """
            SELECT count(*) FILTER (WHERE is_missing), count(*) FILTER (WHERE NOT is_missing)
            FROM fleet.overdue HAVING count(*) > 0
            """)
        return rows.values.map { row in
            "partitions  overdue: \(row[0] ?? "-") to make, \(row[1] ?? "-") to drop; no ingest runs, or "
                + "something reads fleet.event for long"
        }
    }

    /// A line for each set of fences that boxes have of an origin, the most usual first: a roll-out
    /// is over when an origin has one line.
    package static func sets(
        of database: Database, tenant: String?
    ) throws(DatabaseError) -> [String] {
        let sets = try database.run(
            """
            SELECT t.name, s.origin, coalesce(left(s.hash, 16), '-'), count(*),
                coalesce(max(s.fences)::text, '-'),
                array_to_string((array_agg(b.name ORDER BY b.name))[1:10], ' ')
            FROM fleet.fence_set s JOIN fleet.box b ON b.id = s.box
            JOIN fleet.tenant t ON t.id = s.tenant
            WHERE $1::text IS NULL OR t.name = $1
            GROUP BY t.name, s.origin, left(s.hash, 16) ORDER BY 1, 2, 4 DESC, 3
            """, [tenant])
        return sets.values.map { row in
            let cells = row.map { ($0 ?? "-").printable }
            return "\(cells[0])  \(cells[1])  \(cells[2])  boxes \(cells[3])  "
                + "fences \(cells[4])  such as \(cells[5])"
        }
    }

    /// A driver drives a box; two at a time are an error of the database.
    package static func assign(
        _ selection: Visit.Selection, driver: String, in database: Database
    ) throws(DatabaseError) {
        let rows = try database.run(
            """
            INSERT INTO fleet.assignment (box, driver, during)
            SELECT b.id, $3, tstzrange($4::timestamptz, $5::timestamptz)
            FROM fleet.box b JOIN fleet.tenant t ON t.id = b.tenant
            WHERE t.name = $1 AND b.name = $2 RETURNING box
            """, [selection.tenant, selection.box, driver, selection.since, selection.until])
        guard !rows.values.isEmpty else {
            throw DatabaseError(
                state: "",
                message: "no such box: \(selection.tenant ?? "")/\(selection.box ?? "")")
        }
        try database.runAll(Announcer.sql)
    }

    /// Takes a box out of service; returns a line about it.
    package static func retire(
        _ box: String, in database: Database
    ) throws(DatabaseError) -> String {
        let ended = try count("SELECT fleet.retire($1)", of: box, in: database)
        try database.runAll(Announcer.sql)
        return "\(box) is retired; \(ended) stays ended where it was last heard"
    }

    /// Erases every row of a box; returns a line about it.
    package static func forget(
        _ box: String, in database: Database
    ) throws(DatabaseError) -> String {
        let erased = try count("SELECT fleet.forget($1)", of: box, in: database)
        try database.runAll(Announcer.sql)
        return "\(box) is forgotten; \(erased) rows erased"
    }

    /// What a box is asked for within a minute, by an ingest that runs; returns a line about it.
    /// - Parameter numbers: of its current log; nil: all that is missing.
    package static func resend(
        _ box: String, _ numbers: ClosedRange<Int64>?, in database: Database
    ) throws(DatabaseError) -> String {
        let count = try count(
            "SELECT fleet.resend($1, $2, $3)", of: box,
            numbers.map { ["\($0.lowerBound)", "\($0.upperBound)"] } ?? [nil, nil], in: database)
        return count == "0"
            ? "nothing is missing of \(box)" : "\(box) is asked for \(count) events"
    }

    /// The number that a function answers about a box. What it complains of is a sentence already.
    private static func count(
        _ sql: String, of box: String, _ others: [String?] = [], in database: Database
    ) throws(DatabaseError) -> String {
        do throws(DatabaseError) {
            return try database.run(sql, [box] + others).values.first?.first.flatMap(\.self) ?? "0"
        } catch {
            guard error.state == "P0001" else { throw error }
            throw DatabaseError(state: "", message: error.message)
        }
    }
}
