import Metrics
import PostgreSQL
import SystemTestKit
import Systemd
import Testing
import Time

@testable import Ingesting

/// Faults of boxes, brokers and the database itself.
extension DatabaseTests {
    @Test("a role that was dropped does not affect the other readers")
    func droppedRole() throws {
        try database.runAll(
            """
            INSERT INTO fleet.tenant (name) VALUES ('other');
            CREATE ROLE here LOGIN IN ROLE fleet_reader;
            INSERT INTO fleet.access SELECT 'here', id FROM fleet.tenant WHERE name = 'acme';
            INSERT INTO fleet.access SELECT 'gone', id FROM fleet.tenant WHERE name = 'other';
            SET ROLE here
            """)
        #expect(try database.run("SELECT name FROM fleet.tenant").values == [["acme"]])
        #expect(try database.run("SELECT role FROM fleet.access").values == [["here"]])
        #expect(try database.run("SELECT count(*) FROM fleet.event").values == [["0"]])
    }

    @Test("an event of a day that has no partition yet moves there, and goes with its day")
    func earlyEvent() throws {
        _ = try take(try row(1, after: 0, "exit", minutesAgo: -3 * 1440, stay: 60))
        #expect(try database.run("SELECT count(*) FROM fleet.event_default").values == [["1"]])
        try pass(days: 3)
        try maintain(3)
        #expect(try database.run("SELECT count(*) FROM fleet.event_default").values == [["0"]])
        #expect(try database.run("SELECT count(*) FROM fleet.event").values == [["1"]])
        // It is also unique there.
        #expect(throws: DatabaseError.self) {
            try database.runAll("INSERT INTO fleet.event SELECT * FROM fleet.event")
        }
    }

    /// It is so many days later for what is to be made and dropped.
    private func pass(days: Int) throws {
        try database.runAll(
            """
            DO $$ BEGIN EXECUTE 'CREATE OR REPLACE VIEW fleet.overdue AS '
                || replace(pg_get_viewdef('fleet.overdue'::regclass),
                    'now()', '(now() + interval ''\(days) days'')'); END $$
            """)
    }

    private func upkeep() throws -> String? {
        try database.run("SELECT fleet.maintain()").values[0][0]
    }

    @Test("who reads for long keeps nobody from storing, and partitions are made after that")
    func longReader() throws {
        let late = "0 partitions made, 0 dropped" + Upkeep.waits
        try database.runAll("SET statement_timeout = '20s'")
        let reader = try #require(server.open())
        // As pg_dump does, or a session that is idle in its transaction.
        try reader.runAll("BEGIN; SELECT count(*) FROM fleet.event")
        try pass(days: 1)
        let begun = EventLoop.uptime
        #expect(try upkeep() == late)
        #expect(EventLoop.uptime < begun + .seconds(2))
        #expect(try take(try row(1, after: 0, "enter")) == "1")
        let line = "partitions  overdue: 1 to make, 1 to drop"
        #expect(try Questions.status(of: database).last?.hasPrefix(line) == true)
        let metrics = try FleetMetrics.read(from: database).text
        #expect(metrics.contains("\ngeofenced_fleet_overdue_partitions 2\n"))
        let lines = try Questions.setUp(database, tenant: "third", retention: nil)
        #expect(lines.suffix(2) == ["partitions: \(late)", "tenant: third"])
        // Of one who reads a day the others can be made.
        try reader.runAll(
            "COMMIT; BEGIN; SELECT count(*) FROM fleet.event WHERE at = timestamptz 'now'")
        #expect(try upkeep() == "1 partitions made, 0 dropped" + Upkeep.waits)
        try reader.runAll("COMMIT")
        #expect(try upkeep() == "0 partitions made, 1 dropped")
        #expect(try upkeep() == "0 partitions made, 0 dropped")
        #expect(try Questions.status(of: database).count == 1)
        #expect(try database.run("SELECT count(*) FROM fleet.event").values == [["1"]])
    }

    @Test("what waits for a row is given up, and what is done by another one is left to it")
    func pruning() throws {
        try database.runAll("SET statement_timeout = '20s'")
        _ = try take(try row(1, after: 0, "enter"))
        try database.runAll("UPDATE fleet.box_log SET touched = now() - interval '20 days'")
        let other = try #require(server.open())
        try other.runAll("BEGIN; SELECT fleet.prune_if_due()")
        let prune = "SELECT fleet.prune_if_due()"
        #expect(try database.run(prune).values == [["f"]])
        try other.runAll("ROLLBACK; BEGIN; SELECT FROM fleet.box_log FOR UPDATE")
        #expect { _ = try database.run(prune) } throws: {
            ($0 as? DatabaseError)?.isAboutLock == true
        }
        try other.runAll("COMMIT")
        #expect(try database.run(prune).values == [["t"]])
        #expect(try database.run("SELECT count(*) FROM fleet.box_log").values == [["0"]])
    }

    @Test("a box that somebody has locked is left to itself, and the others are stored")
    func lockedBox() throws {
        for box in ["b1", "b2"] { _ = try take(try row(1, after: 0, "enter", box: box)) }
        let other = try #require(server.open())
        try other.runAll("BEGIN; SELECT fleet.box_named('b1')")
        var said: [String] = []
        var outcomes: [String] = []
        let store = Store(server.address, loop: loop) { said.append($1) }
        for box in ["b1", "b2"] {
            store.store(Batch([try row(2, after: 1, "dwell", box: box)])) { outcome in
                switch outcome {
                case .stored: outcomes.append("stored \(box)")
                case .refused: outcomes.append("refused \(box)")
                case .unknown: outcomes.append("unknown \(box)")
                }
            }
        }
        #expect(
            try loop.run(seconds: 20) { outcomes == ["unknown b1", "stored b2"] }, "\(outcomes)")
        #expect(said.contains { $0.hasPrefix("1 events were not stored: ") && $0.contains("idle") })
        try other.runAll("COMMIT")
        store.store(Batch([try row(2, after: 1, "dwell")])) { outcome in
            if case .stored = outcome { outcomes.append("stored b1") }
        }
        #expect(try loop.run { outcomes.last == "stored b1" }, "\(said)")
    }

    @Test("a schema that is in use is not brought up to date, and says why; later it is")
    func usedSchema() throws {
        try database.runAll("CREATE DATABASE other")
        let address = "\(server.address) dbname=other"
        let other = try Database(address, program: "test")
        try other.runAll("SET statement_timeout = '20s'")
        _ = try Questions.setUp(other, tenant: "acme", retention: nil)
        let later = ["ALTER TABLE fleet.event ADD COLUMN later int;"]
        let reader = try Database(address, program: "test")
        try reader.runAll("BEGIN; SELECT count(*) FROM fleet.trip")
        #expect {
            _ = try Migrations.migrate(other, by: later)
        } throws: { "\($0)".contains("idle in a transaction; nothing was changed, try again") }
        #expect(try Migrations.version(of: other) == Migrations.current)
        try reader.runAll("COMMIT")
        #expect(try Migrations.migrate(other, by: later) == Migrations.current)
        #expect(try Migrations.version(of: other) == Migrations.current + 1)
        #expect(try other.run("SELECT later FROM fleet.event").values.isEmpty)
        // A program of this version goes on with it.
        let lines = try Questions.setUp(other, tenant: "acme", retention: nil)
        #expect(lines[0] == "schema: version \(Migrations.current + 1)")
    }

    @Test("rows outside all daily partitions, and messages set aside, are kept as long as the rest")
    func retentionOfTheRest() throws {
        _ = try take(try row(1, after: 0, "gap"))
        _ = try database.run("SELECT fleet.set_aside('acme', 'b1', 'why', '')")
        try maintain(3)
        let count = """
            SELECT (SELECT count(*) FROM fleet.event_default), count(*) FROM fleet.rejected
            """
        #expect(try database.run(count).values == [["1", "1"]])
        try database.runAll(
            """
            UPDATE fleet.event_default SET received = now() - interval '4 days';
            UPDATE fleet.rejected SET received = now() - interval '4 days'
            """)
        try maintain(3)
        #expect(try database.run(count).values == [["0", "0"]])
    }

    @Test("the ingest's role takes events, and can neither read nor drop anything")
    func ingestRole() throws {
        try database.runAll("CREATE ROLE worker LOGIN IN ROLE fleet_ingest; SET ROLE worker")
        #expect(try take(try row(1, after: 0, "enter")) == "1")
        _ = try database.run("SELECT fleet.maintain()")
        for sql in [
            "SELECT count(*) FROM fleet.event", "UPDATE fleet.retention SET days = 1",
            "DELETE FROM fleet.event", "CREATE TEMP TABLE incoming (box int)",
        ] {
            #expect(throws: DatabaseError.self, "\(sql)") { _ = try database.run(sql) }
        }
    }

    @Test("nobody but the owner can keep partitions from being made and dropped")
    func claim() throws {
        let other = try #require(server.open())
        try other.runAll(
            """
            CREATE ROLE anna LOGIN IN ROLE fleet_keeper;
            INSERT INTO fleet.access SELECT 'anna', id FROM fleet.tenant;
            SET ROLE anna; SELECT pg_advisory_lock(hashtext('fleet.maintain'))
            """)
        try pass(days: 1)
        #expect(try upkeep() == "1 partitions made, 1 dropped")
        for sql in [
            "SELECT FROM fleet.identity FOR UPDATE", "SELECT FROM fleet.identity FOR KEY SHARE",
            "LOCK TABLE fleet.identity IN ACCESS SHARE MODE",
            "SELECT FROM fleet.retention FOR UPDATE",
        ] { #expect(throws: DatabaseError.self, "\(sql)") { _ = try other.run(sql) } }
        // One at a time.
        try other.runAll("RESET ROLE; BEGIN; SELECT \(Upkeep.claim)")
        #expect(try upkeep() == "another one does it")
        try other.runAll("COMMIT")
    }

    @Test("a clock that is set back, even to 1970, neither loses an event nor moves a box")
    func clockSetBack() throws {
        let years = 56 * 525_960
        let enter = try row(1, after: 0, "enter")
        let exit = try row(2, after: 1, "exit", minutesAgo: years, stay: 60)
        #expect(try take(enter, exit) == "2")
        #expect(try take(enter, exit) == "0")
        #expect(try database.run("SELECT inside FROM fleet.presence").values == [["f"]])
        #expect(try database.run("SELECT count(*) FROM fleet.event_default").values == [["1"]])
        _ = try take(try row(3, after: 2, "enter", minutesAgo: years))
        #expect(try database.run("SELECT inside FROM fleet.presence").values == [["t"]])
        #expect(try holes() == "{}")
    }

    @Test("endless gaps of a box are merged into one, whose numbers count as missing")
    func boundedHoles() throws {
        let rows = try (1...2000).map { try row($0 * 2, after: $0 * 2 - 1, "dwell") }
        for start in stride(from: 0, to: rows.count, by: 500) {
            _ = try database.run(
                Batch.sql, binary: Batch(Array(rows[start..<start + 500])).parameters)
        }
        let found = try database.run(
            "SELECT pg_column_size(missing) < 20000, missing @> 3::int8 FROM fleet.box_log")
        #expect(found.values == [["t", "t"]])
    }

    @Test("a retained status is stored, but is no sign of life")
    func retainedStatus() throws {
        let seen = "SELECT last_seen > '2000-01-01', status->>'online' FROM fleet.box"
        try note(#"{"online":true}"#, of: "b1", isRetained: true)
        #expect(try database.run(seen).values == [["f", "true"]])
        #expect(try Questions.status(of: database)[0].contains("seen -"))
        try note(#"{"online":false}"#, of: "b1")
        #expect(try database.run(seen).values == [["t", "false"]])
    }

    @Test(
        "while the database is full nothing is stored, set aside or counted; later everything is",
        arguments: ["53100", "53200", "25006", "40P01", "2200H"])
    func noRoom(_ state: String) throws {
        try database.runAll(
            """
            CREATE FUNCTION fleet.fail() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE 'could not extend file' USING ERRCODE = '\(state)'; END $$;
            CREATE TRIGGER full_disk BEFORE INSERT ON fleet.box
            FOR EACH STATEMENT EXECUTE FUNCTION fleet.fail()
            """)
        let rows = try (1...3).map { try row($0, after: $0 - 1, "enter") }
        let store = Store(server.address, loop: loop) { _, _ in }
        var outcomes: [String] = []
        func tell(_ outcome: Store.Outcome) {
            switch outcome {
            case .stored(let batch): outcomes.append("stored \(batch.rows.count)")
            case .refused: outcomes.append("refused")
            case .unknown(let batch): outcomes.append("unknown \(batch.rows.count)")
            }
        }
        store.store(Batch(rows)) { tell($0) }
        #expect(try loop.run { outcomes == ["unknown 3"] }, "\(outcomes)")
        try database.runAll("DROP TRIGGER full_disk ON fleet.box")
        store.store(Batch(rows)) { tell($0) }
        #expect(try loop.run { outcomes.last == "stored 3" }, "\(outcomes)")
    }
}
