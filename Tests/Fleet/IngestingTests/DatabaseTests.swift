import PostgreSQL
import SystemTestKit
import Systemd
import Testing
import Time

@testable import Ingesting

/// With Debian's PostgreSQL.
@MainActor
@Suite("In the database", .serialized)
struct DatabaseTests {
    let server: PrivatePostgreSQL
    let database: Database
    let loop: EventLoop
    static let log = "5f0c2d9e4b7a4c0e8d1f3a6b9c2e5d71"

    init() throws {
        server = try #require(PrivatePostgreSQL())
        database = try #require(server.open())
        loop = try EventLoop()
        _ = try Questions.setUp(database, tenant: "acme", retention: 12)
    }

    func row(
        _ seq: Int, after previous: Int, _ kind: String, fence: String = "wh",
        minutesAgo: Int = 0, stay: Double? = nil, members: String = "", box: String = "b1"
    ) throws -> Batch.Row {
        let time = try database.run(
            """
            SELECT to_char((now() - $1 * interval '1 minute') AT TIME ZONE 'UTC', \
            'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
            """, ["\(minutesAgo)"])
        let event = """
            {"seq":\(seq),"kind":"\(kind)","fence":"\(fence)",
            "time":"\(try #require(time.values[0][0]))"\(stay.map { ",\"stay_s\":\($0)" } ?? "")\(members)}
            """
        let isSpan = ["gap", "skip"].contains(kind)
        let what = isSpan ? "\"\(kind)\":\(seq)" : "\"event\":\(event)"
        let text = "{\"v\":2,\"log\":\"\(Self.log)\",\"prev\":\(previous),\(what)}"
        let element = try #require(Payload.elements(of: Array(text.utf8)).first)
        return Batch.Row(
            broker: 0, topic: try #require(BoxTopic("gf/1/acme/\(box)/event")),
            event: try element.get())
    }

    func take(_ rows: Batch.Row...) throws -> String? {
        try database.run(Batch.sql, binary: Batch(rows).parameters).values[0][0]
    }

    func note(
        _ status: String, of box: String, tenant: String = "acme", isRetained: Bool = false
    ) throws {
        var queue = StatusQueue()
        let topic = try #require(BoxTopic("gf/1/\(tenant)/\(box)/status"))
        #expect(queue.add(Array(status.utf8), from: topic, isRetained: isRetained) == nil)
        let parameters = queue.next()
        _ = try database.run(StatusQueue.sql, try #require(parameters))
    }

    func maintain(_ days: Int) throws {
        _ = try database.run("UPDATE fleet.retention SET days = $1", ["\(days)"])
        _ = try database.run("SELECT fleet.maintain()")
    }

    func holes() throws -> String? {
        try database.run("SELECT missing FROM fleet.box_log").values[0][0]
    }

    @Test(
        "a schema that lacks what is asked for, or none, is named as such, with what to do",
        arguments: [false, true])
    func otherSchema(_ isMade: Bool) throws {
        try database.runAll("CREATE DATABASE other")
        let other = try Database("\(server.address) dbname=other", program: "test")
        if isMade {
            _ = try Migrations.migrate(other)
            try other.runAll("DROP FUNCTION fleet.note_positions; DROP VIEW fleet.area")
        }
        for sql in ["SELECT fleet.note_positions('{}')", "SELECT title FROM fleet.area"] {
            #expect {
                _ = try other.run(sql)
            } throws: {
                "\($0)".contains(
                    ": the schema is not that of this program, run geofenced-ingest setup")
            }
        }
        #expect {
            _ = try other.run("SELECT 1 / 0")
        } throws: { !"\($0)".contains("geofenced") }
    }

    @Test(
        "a schema of a version before the first is refused by its number, and nothing is changed",
        arguments: [1, Migrations.first - 1])
    func olderSchema(_ version: Int) throws {
        let made = "SELECT version, made FROM fleet.schema_version"
        try database.runAll("UPDATE fleet.schema_version SET version = \(version)")
        let before = try database.run(made).values
        #expect {
            _ = try Questions.setUp(database, tenant: "other", retention: 7)
        } throws: {
            "\($0)".contains(
                "the schema has version \(version), and this program goes on from 20: "
                    + "nothing was changed, make another database and run setup there")
        }
        #expect(try database.run(made).values == before)
        #expect(try database.run("SELECT name FROM fleet.tenant").values == [["acme"]])
        #expect(try database.run("SELECT days FROM fleet.retention").values == [["12"]])
    }

    @Test("the schema is made once")
    func schema() throws {
        #expect(try Migrations.version(of: database) == Migrations.current)
        #expect(try Migrations.migrate(database) == Migrations.current)
    }

    @Test("an event that comes twice is stored once")
    func once() throws {
        let event = try row(10, after: 9, "enter")
        #expect(try take(event) == "1")
        #expect(try take(event, event) == "0")
        #expect(try database.run("SELECT count(*) FROM fleet.event").values == [["1"]])
    }

    @Test("a hole is named until it is filled; what was filtered on the box is none")
    func missing() throws {
        _ = try take(try row(10, after: 9, "enter"))
        _ = try take(try row(15, after: 13, "exit"))
        #expect(try holes() == "{[11,14)}")
        _ = try take(try row(12, after: 11, "dwell"))
        #expect(try holes() == "{[11,12),[13,14)}")
        _ = try take(try row(13, after: 10, "dwell"))
        #expect(try holes() == "{}")
    }

    @Test("an older event that comes late does not change who is where")
    func presence() throws {
        _ = try take(try row(11, after: 10, "exit", minutesAgo: 1, stay: 60))
        _ = try take(try row(10, after: 9, "enter", minutesAgo: 2))
        #expect(try database.run("SELECT inside FROM fleet.presence").values == [["f"]])
        _ = try take(try row(12, after: 11, "enter"))
        #expect(try database.run("SELECT inside FROM fleet.presence").values == [["t"]])
    }

    @Test("a visit is its exit; one that is not over is there as well, with its driver")
    func visits() throws {
        // What is no length is none.
        _ = try take(
            try row(
                1, after: 0, "exit", minutesAgo: 30, stay: 10_800,
                members: #","way_m":1234.5,"way_error_m":"12","gap_m":-1"#))
        _ = try take(try row(2, after: 1, "enter", fence: "wh2", minutesAgo: 5))
        var selection = Visit.Selection()
        selection.tenant = "acme"
        selection.box = "b1"
        selection.since = "2020-01-01"
        try Questions.assign(selection, driver: "Ada", in: database)
        #expect(throws: DatabaseError.self) {
            try Questions.assign(selection, driver: "Bob", in: database)
        }
        selection.since = nil
        let visits = try Visit.read(selection, from: database)
        #expect(visits.map(\.fence) == ["wh", "wh2"])
        #expect(visits.map(\.driver) == ["Ada", "Ada"])
        #expect(visits[0].stay == 10_800)
        #expect(visits[0].length.text == "3 h 00 min")
        #expect(visits.map(\.way) == [1_234.5, nil])
        #expect(visits[0].wayError == nil && visits[0].gap == nil)
        #expect(visits[1].left == nil)
        let detained = try database.run("SELECT fence, over FROM fleet.detention").values
        #expect(detained == [["wh", "01:00:00"]])
        selection.place = "wh2"
        #expect(try Visit.read(selection, from: database).count == 1)
        (selection.since, selection.until) = ("2026-11-01Z", "2026-11-02 01:00Z")
        #expect(
            try Visit.notes(of: selection, from: database) == [
                "Tenant acme.", "Place wh2.", "Vehicle b1.",
                "From 2026-11-01T00:00:00.000Z to 2026-11-02T01:00:00.000Z.",
                "All times are UTC.",
            ])
        (selection.since, selection.until) = (nil, nil)
        #expect(!(try Visit.notes(of: selection, from: database)[3].contains("infinity")))
    }

    @Test("the visits of a place are found by their beginning")
    func index() throws {
        try database.runAll("SET enable_seqscan = off")
        let plan = try database.run(
            "EXPLAIN SELECT * FROM fleet.visit WHERE fence = 'wh' AND entered < now()"
        ).values.compactMap { $0.first.flatMap(\.self) }
        // Only with the same expression in view and index.
        #expect(plan.contains { $0.contains("Index Cond:") && $0.contains(" - stay)") }, "\(plan)")
    }

    @Test("a reader sees the tenants that its role was given, whatever it sets")
    func tenancy() throws {
        _ = try take(try row(1, after: 0, "enter"))
        try database.runAll(
            """
            INSERT INTO fleet.tenant (name) VALUES ('other');
            CREATE ROLE mine LOGIN IN ROLE fleet_reader;
            CREATE ROLE theirs LOGIN IN ROLE fleet_reader;
            INSERT INTO fleet.access SELECT 'mine', id FROM fleet.tenant WHERE name = 'acme';
            INSERT INTO fleet.access SELECT 'theirs', id FROM fleet.tenant WHERE name = 'other'
            """)
        for (role, count) in [("mine", "1"), ("theirs", "0")] {
            try database.runAll("SET ROLE \(role)")
            for table in ["event", "presence", "visit", "box", "box_log"] {
                let rows = try database.run("SELECT count(*) FROM fleet.\(table)").values
                #expect(rows == [[count]], "\(role) in \(table)")
            }
            #expect(throws: DatabaseError.self) {
                _ = try database.run("INSERT INTO fleet.access VALUES ('theirs', 1)")
            }
            try database.runAll("RESET ROLE")
        }
    }

    @Test("a status makes its box before the first event, of a tenant that is there")
    func status() throws {
        for tenant in ["acme", "other"] {
            try note(#"{"online":true}"#, of: "new", tenant: tenant)
        }
        let boxes = try database.run("SELECT name, status->>'online' FROM fleet.box")
        #expect(boxes.values == [["new", "true"]])
        try note(#"{"online":false}"#, of: "new")
        _ = try take(try row(1, after: 0, "enter", box: "new"))
        let later = try database.run("SELECT name, status->>'online' FROM fleet.box")
        #expect(later.values == [["new", "false"]])
    }

    @Test("the sets of a fleet are counted by their hash, whatever a box says of them")
    func sets() throws {
        for (number, status) in [
            #"{"origins":{"source/wh":{"hash":"aa","fences":5}}}"#,
            #"{"origins":{"source/wh":{"hash":"aa","fences":5}}}"#,
            #"{"origins":{"source/wh":{"hash":"bb","fences":"x"},"source/b":7}}"#,
            #"{"origins":[1]}"#, #"{"online":false}"#,
        ].enumerated() {
            let box = "b\(number)"
            _ = try take(try row(1, after: 0, "enter", box: box))
            try note(status, of: box)
        }
        #expect(
            try Questions.sets(of: database, tenant: "acme") == [
                "acme  source/b  -  boxes 1  fences -  such as b2",
                "acme  source/wh  aa  boxes 2  fences 5  such as b0 b1",
                "acme  source/wh  bb  boxes 1  fences -  such as b2",
            ])
        #expect(try Questions.sets(of: database, tenant: "other").isEmpty)
    }

    @Test("a box that goes is offline, and has the sets and the events that wait which it has told")
    func goodbye() throws {
        let told =
            #"{"online":true,"log":"\#(Self.log)","waiting":3,"origins":{"a":{"hash":"aa","fences":5}}}"#
        let will = #"{"v":1,"online":false}"#
        func stored() throws -> [String?] {
            try database.run("SELECT status - 'origins', xmin FROM fleet.box").values[0]
        }
        try note(told, of: "b1")
        try note(will, of: "b1")
        let gone = try stored()
        #expect(gone[0] == #"{"log": "\#(Self.log)", "online": false, "waiting": 3}"#)
        #expect(
            try Questions.sets(of: database, tenant: nil) == [
                "acme  a  aa  boxes 1  fences 5  such as b1"
            ])
        // As a broker that has kept it says it to each ingest; and no box makes its row grow like this.
        try note(will, of: "b1", isRetained: true)
        try note(#"{"online":false,"more":"x"}"#, of: "b1", isRetained: true)
        #expect(try stored() == gone)
        try note(#"{"online":true,"log":"\#(Self.log)"}"#, of: "b1")
        #expect(try Questions.sets(of: database, tenant: nil).isEmpty)
    }

    @Test("days beyond the retention are dropped, and a late event of such a day is still taken")
    func retention() throws {
        _ = try take(try row(1, after: 0, "exit", minutesAgo: 10 * 1440, stay: 60))
        try maintain(3)
        #expect(try database.run("SELECT count(*) FROM fleet.event").values == [["0"]])
        #expect(try take(try row(2, after: 1, "exit", minutesAgo: 10 * 1440, stay: 60)) == "1")
        #expect(try database.run("SELECT count(*) FROM fleet.event_default").values == [["1"]])
    }

    @Test("one row that the database refuses does not keep the others out")
    func bisection() throws {
        var rows = try (1...9).map { try row($0, after: $0 - 1, "enter") }
        rows[4].event.details = "{"
        var stored = 0
        var refused: [Int64] = []
        var said: [String] = []
        let store = Store(server.address, loop: loop) { said.append($1) }
        store.store(Batch(rows)) { outcome in
            switch outcome {
            case .stored(let batch): stored += batch.rows.count
            case .refused(let row, _): refused.append(row.event.seq)
            case .unknown: Issue.record("\(said)")
            }
        }
        #expect(try loop.run { stored + refused.count == 9 })
        #expect(refused == [5])
    }
}
