package import PostgreSQL

/// A box that reports to another shard: what is not over goes with it, so that its exit ends it there.
@MainActor
package enum Move {
    /// What a box has at its old shard, as the new one takes it; locks it there.
    private static let leaving = """
        SELECT b.id, t.name, b.name, b.last_seen::text, (
            SELECT json_agg(json_build_object('log', l.log, 'first', l.first_seq, 'last', l.last_seq,
                    'missing', l.missing, 'lost', l.lost))
                FROM fleet.box_log l WHERE l.box = b.id), (
            SELECT json_agg(json_build_object('fence', p.fence, 'log', p.log, 'seq', p.seq,
                    'since', p.since, 'title', p.title))
                FROM fleet.presence p WHERE p.box = b.id AND p.inside), (
            SELECT json_agg(json_build_object('driver', a.driver, 'during', a.during))
                FROM fleet.assignment a WHERE a.box = b.id)
        FROM fleet.box b JOIN fleet.tenant t ON t.id = b.tenant WHERE b.id = fleet.box_named($1)
        """

    /// The box, and its log, where it has reported later than there; locked.
    private static let arriving = """
        SELECT b.id, b.log, b.last_seen > $3::timestamptz AND b.log IS NOT NULL
        FROM fleet.box b JOIN fleet.tenant t ON t.id = b.tenant
        WHERE t.name = $1 AND b.name = $2 FOR UPDATE OF b
        """

    /// What was heard of its logs: numbers that the old shard lacks are asked for from now on here. One
    /// whose first event was here before is not a moved one, wherever it was meanwhile.
    private static let logs = """
        INSERT INTO fleet.box_log AS l (box, log, first_seq, last_seq, missing, lost, moved)
            SELECT $1::int, log, first, last, missing, lost, true FROM json_to_recordset($2::json) AS n (
                log uuid, first bigint, last bigint, missing int8multirange, lost int8multirange)
            ON CONFLICT (box, log) DO UPDATE SET \(Expressions.merged),
                moved = l.moved OR l.first_seq > 1
        """

    /// Stays of its current log that are not over; what is known here of that place is newer.
    private static let stays = """
        INSERT INTO fleet.presence (tenant, box, fence, log, seq, inside, since, title)
            SELECT b.tenant, b.id, n.fence, n.log, n.seq, true, n.since, n.title
            FROM json_to_recordset($2::json) AS n (
                fence text, log uuid, seq bigint, since timestamptz, title text)
            JOIN fleet.box b ON b.id = $1 AND b.log = n.log
            ON CONFLICT (box, fence) DO NOTHING
        """

    private static let drivers = """
        INSERT INTO fleet.assignment (box, driver, during)
            SELECT $1::int, driver, during
            FROM json_to_recordset($2::json) AS n (driver text, during tstzrange)
            ON CONFLICT DO NOTHING
        """

    /// Events that both may have: acknowledged by the old shard, but not before the box had moved.
    private static let common = """
        SELECT e.log, e.seq, e.at::text FROM fleet.event e
            JOIN json_to_recordset($2::json) AS n (
                log uuid, first bigint, last bigint, missing int8multirange)
                ON n.log = e.log AND e.seq BETWEEN n.first AND n.last AND NOT n.missing @> e.seq
            WHERE e.box = $1
        """

    /// Of the old shard: what the new one has, too.
    private static let doubled = """
        DELETE FROM fleet.event e USING unnest($2::uuid[], $3::bigint[], $4::timestamptz[])
                AS d (log, seq, at)
            WHERE e.box = $1::int AND e.log = d.log AND e.seq = d.seq AND e.at = d.at
        """

    /// Moves a box, and may be called again, also after it was interrupted; returns a line about it.
    /// - Parameters:
    ///   - box: its name, or `TENANT/NAME`.
    ///   - old: the database that it reported to, of which this runs as the owner.
    ///   - new: that which it reports to now, likewise.
    package static func run(
        _ box: String, from old: Database, to new: Database
    ) throws(DatabaseError) -> String {
        try old.runAll("BEGIN")
        try new.runAll("BEGIN")
        do throws(DatabaseError) {
            let line = try move(box, from: old, to: new)
            // First there: what is then still here would be taken by another call.
            try new.runAll("COMMIT")
            try old.runAll("COMMIT; \(Announcer.sql)")
            try new.runAll(Announcer.sql)
            return line
        } catch {
            _ = try? new.run("ROLLBACK")
            _ = try? old.run("ROLLBACK")
            // What a function of ours complains of is a sentence already.
            guard error.state == "P0001" else { throw error }
            throw DatabaseError(state: "", message: error.message)
        }
    }

    private static func move(
        _ box: String, from old: Database, to new: Database
    ) throws(DatabaseError) -> String {
        guard try old.run("SELECT fleet.identity()") != new.run("SELECT fleet.identity()") else {
            throw DatabaseError(state: "", message: "that is the same database")
        }
        guard let leaving = try old.run(leaving, [box]).values.first else {
            throw DatabaseError(state: "", message: "there is no box \(box)")
        }
        let (id, tenant, name) = (leaving[0], leaving[1], leaving[2])
        let arrived = try new.run(arriving, [tenant, name, leaving[3]]).values.first
        guard let arrived, arrived[2] == "t" else {
            throw DatabaseError(
                state: "",
                message: "\(box) has not reported to the other database since it was heard here: "
                    + "it moves when its uplink has another URL, and has reported there")
        }
        let (there, log) = (arrived[0], arrived[1])
        _ = try new.run("UPDATE fleet.box SET moved = true WHERE id = $1::int", [there])
        _ = try new.run(logs, [there, leaving[4] ?? "[]"])
        let carried = try new.run(stays + " RETURNING 1", [there, leaving[5] ?? "[]"])
        _ = try new.run(drivers, [there, leaving[6] ?? "[]"])
        let common = try new.run(common, [there, leaving[4] ?? "[]"])
        var arrays = (ArrayText(), ArrayText(), ArrayText())
        for row in common.values {
            arrays.0.append(row[0])
            arrays.1.append(row[1])
            arrays.2.append(row[2])
        }
        _ = try old.run(doubled, [id, arrays.0.text, arrays.1.text, arrays.2.text])
        // What is left is of older logs: it ends as with any box that was replaced.
        _ = try old.run(
            "DELETE FROM fleet.presence WHERE box = $1::int AND log = $2::uuid", [id, log])
        _ = try old.run("SELECT fleet.end_presences($1::int, NULL)", [id])
        _ = try old.run("UPDATE fleet.box SET retired = now() WHERE id = $1::int", [id])
        return "\(box) has moved, with \(carried.values.count) stays that are not over"
    }
}
