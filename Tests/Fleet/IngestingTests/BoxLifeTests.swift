import PostgreSQL
import SystemTestKit
import Testing

@testable import Ingesting

/// With Debian's PostgreSQL.
@MainActor
@Suite("The life of a box", .serialized)
struct BoxLifeTests {
    private let server: PrivatePostgreSQL
    private let database: Database
    private static let old = "5f0c2d9e4b7a4c0e8d1f3a6b9c2e5d71"
    private static let new = "00000000000040000000000000000002"

    init() throws {
        server = try #require(PrivatePostgreSQL())
        database = try #require(server.open())
        _ = try Questions.setUp(database, tenant: "acme", retention: 12)
    }

    private func ask(_ sql: String) throws -> [[String?]] { try database.run(sql).values }

    /// An event of the fence `wh`, at a time that PostgreSQL reads.
    private func take(
        _ log: String, _ seq: Int, _ kind: String, at time: String, stay: Double? = nil,
        fence: String = "wh"
    ) throws {
        let at = try ask(
            """
            SELECT to_char((\(time)) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
            """)
        let text = """
            {"v":2,"log":"\(log)","prev":\(seq - 1),"event":{"seq":\(seq),"kind":"\(kind)",
            "fence":"\(fence)","time":"\(try #require(at[0][0]))"
            \(stay.map { ",\"stay_s\":\($0)" } ?? "")}}
            """
        let element = try #require(Payload.elements(of: Array(text.utf8)).first)
        let row = Batch.Row(
            broker: 0, topic: try #require(BoxTopic("gf/1/acme/b1/event")),
            event: try element.get())
        _ = try database.run(Batch.sql, binary: Batch([row]).parameters)
    }

    private func note(_ status: String, isRetained: Bool = false) throws {
        var queue = StatusQueue()
        let topic = try #require(BoxTopic("gf/1/acme/b1/status"))
        #expect(queue.add(Array(status.utf8), from: topic, isRetained: isRetained) == nil)
        let parameters = queue.next()
        _ = try database.run(StatusQueue.sql, try #require(parameters))
    }

    /// It was heard last half an hour ago.
    private func age() throws {
        try database.runAll(
            """
            UPDATE fleet.box_log SET touched = now() - interval '30 minutes';
            UPDATE fleet.box SET log_seen = now() - interval '30 minutes'
            """)
    }

    private func visits() throws -> [Visit] {
        try Visit.read(Visit.Selection(), from: database)
    }

    @Test("a status with another log ends what the old one left open, where it was last heard")
    func status() throws {
        try note(#"{"online":true,"log":"\#(Self.old)"}"#)
        try take(Self.old, 1, "enter", at: "now() - interval '9 hours'")
        try age()
        #expect(try visits().map(\.left) == [nil])
        // Neither the broker's word, nor what another broker has kept, is another log.
        try note(#"{"online":false}"#)
        try note(#"{"online":true,"log":"\#(Self.new)"}"#, isRetained: true)
        #expect(try visits().map(\.left) == [nil])
        try note(#"{"online":true,"log":"\#(Self.new)"}"#)
        let ended = try #require(try visits().first)
        #expect(ended.left != nil && ended.inferred)
        #expect((30_599...30_660).contains(ended.stay))
        #expect(
            try ask("SELECT fence, left_at IS NULL, over < interval '7 hours' FROM fleet.detention")
                == [["wh", "f", "t"]])
        // The same status again changes nothing.
        try note(#"{"online":true,"log":"\#(Self.new)"}"#)
        #expect(try visits() == [ended])
    }

    @Test("a box that writes another log is told of as that, by either word of it")
    func logChanged() throws {
        func told() throws -> String { try #require(Questions.status(of: database).first) }
        try note(#"{"online":true,"log":"\#(Self.old)"}"#)
        try note(#"{"online":true,"log":"\#(Self.old)","last":3}"#)
        #expect(try !told().contains("log changed"))
        try take(Self.new, 1, "enter", at: "now()")
        #expect(try told().contains("  log changed 20") && told().hasSuffix(" was \(Self.old)"))
        try note(#"{"online":true,"log":"\#(Self.old)"}"#)
        #expect(try told().hasSuffix(" was \(Self.new)"))
        #expect(
            try ask("SELECT there, log_changed > now() - interval '1 minute' FROM fleet.daemon")
                == [["t", "t"]])
        // It is news for a week, and stays in the database.
        _ = try ask("UPDATE fleet.box SET log_changed = now() - interval '8 days'")
        #expect(try !told().contains("log changed"))
        #expect(try ask("SELECT log_changed IS NOT NULL FROM fleet.daemon") == [["t"]])
    }

    @Test("that geofenced does not run is told of a box that can be reached, since when it says so")
    func absent() throws {
        let since = "2026-11-28T12:00:00.000Z"
        for state in ["no-daemon", "stopped"] {
            try note(#"{"online":true,"state":"\#(state)","since":"\#(since)"}"#)
            let line = try #require(Questions.status(of: database).first)
            #expect(line.contains("online true, \(state) since \(since)  seen"), "\(line)")
            #expect(
                try ask("SELECT there, absence, since FROM fleet.daemon") == [["f", state, since]])
        }
        for nonsense in [
            #"'; DROP \u001b"#, "1970-01-01T00:00:07Z", "2026-13-28T12:00:00Z",
            "2099-01-01T00:00:00Z",
            "2026-11-28", "2026-11-28T12:00:00Z2026-11-28T12:00:00Z", "-.:Z",
        ] {
            try note(#"{"online":true,"state":"no-daemon","since":"\#(nonsense)"}"#)
            let line = try #require(Questions.status(of: database).first)
            #expect(line.contains("true, no-daemon  seen"), "\(line)")
            #expect(try ask("SELECT since FROM fleet.daemon") == [[nil]])
        }
        // One that is silent or gone is told of as that alone.
        try note(#"{"v":1,"online":false}"#)
        #expect(try #require(Questions.status(of: database).first).contains("online false  seen"))
        try note(#"{"online":true,"state":"no-daemon"}"#)
        _ = try ask("UPDATE fleet.box SET last_seen = now() - interval '1 hour'")
        #expect(try #require(Questions.status(of: database).first).contains("online unknown  seen"))
        #expect(try ask("SELECT absence FROM fleet.daemon") == [[nil]])
    }

    @Test("a clock years ahead makes no stay negative, and does not hide the log after it")
    func clockAhead() throws {
        try take(Self.old, 1, "enter", at: "now() + interval '10 years'")
        #expect(try ask("SELECT stay FROM fleet.visit") == [["00:00:00"]])
        // Its first event is enough, should it be there before its status.
        try take(Self.new, 1, "enter", at: "now() - interval '1 hour'")
        let visit = "SELECT left_at IS NULL, stay >= '0' FROM fleet.visit ORDER BY 1"
        #expect(try ask(visit) == [["f", "t"], ["t", "t"]])
        #expect(try ask("SELECT log::text, inside FROM fleet.presence").count == 1)
        try take(Self.new, 2, "exit", at: "now()", stay: 3600)
        #expect(try ask("SELECT inside FROM fleet.presence") == [["f"]])
    }

    @Test("an old log that comes late does not move its box, and its exit ends its visit")
    func late() throws {
        try take(Self.old, 1, "enter", at: "now() - interval '3 hours'")
        try take(Self.old, 2, "enter", at: "now() - interval '3 hours'", fence: "gate")
        try take(Self.new, 1, "enter", at: "now() - interval '1 hour'", fence: "depot")
        #expect(try ask("SELECT fence FROM fleet.ended ORDER BY 1") == [["gate"], ["wh"]])
        try take(Self.old, 3, "exit", at: "now() - interval '2 hours'", stay: 3600)
        try take(Self.old, 4, "enter", at: "now() - interval '90 minutes'")
        #expect(try ask("SELECT fence FROM fleet.ended") == [["gate"]])
        #expect(try ask("SELECT fence FROM fleet.presence WHERE inside") == [["depot"]])
        let ends = "SELECT fence, inferred FROM fleet.visit WHERE left_at IS NOT NULL ORDER BY 1"
        #expect(try ask(ends) == [["gate", "t"], ["wh", "f"]])
    }

    @Test("a box that was restored on another disk ends a visit once more, and it is one")
    func endedAgain() throws {
        let began = "'2026-11-20 06:00:00+00'::timestamptz"
        let places = ["wh", "gate", "depot"]
        for (index, place) in places.enumerated() {
            try take(Self.old, index + 1, "enter", at: began, fence: place)
        }
        // Here it was copied.
        try take(Self.old, 4, "exit", at: "\(began) + interval '1 hour'", stay: 3600)
        try take(Self.old, 5, "enter", at: "\(began) + interval '2 hours'")
        try take(Self.old, 6, "exit", at: "\(began) + interval '3 hours'", stay: 3600)
        // The disk has died, and the copy goes on with what was open in it.
        try take(Self.new, 4, "exit", at: "\(began) + interval '9 hours'", stay: 32_400)
        let exits = (2...3).map { ($0 + 3, places[$0 - 1]) }
        for (number, place) in exits {
            try take(
                Self.new, number, "exit", at: "\(began) + interval '9 hours'", stay: 32_400,
                fence: place)
        }
        try take(Self.new, 7, "enter", at: "\(began) + interval '10 hours'")
        try take(Self.new, 8, "exit", at: "\(began) + interval '11 hours'", stay: 3600)
        let visits = """
            SELECT fence, extract(epoch FROM entered - \(began))::int / 3600,
                extract(epoch FROM stay)::int / 3600, inferred FROM fleet.visit ORDER BY 1, 2
            """
        let whole: [[String?]] = [
            ["depot", "0", "9", "f"], ["gate", "0", "9", "f"], ["wh", "0", "1", "f"],
            ["wh", "2", "1", "f"], ["wh", "10", "1", "f"],
        ]
        #expect(try ask(visits) == whole)
        #expect(try ask("SELECT count(*) FROM fleet.event") == [["11"]])
        // What was asked for once more changes nothing.
        try take(Self.new, 4, "exit", at: "\(began) + interval '9 hours'", stay: 32_400)
        #expect(try ask(visits) == whole)
    }

    @Test("what the office has is not lost, though the box no longer has it")
    func notLost() throws {
        try take(Self.old, 1, "enter", at: "now()")
        try take(Self.old, 5, "exit", at: "now()", stay: 1)
        let gap = #"{"v":2,"log":"\#(Self.old)","prev":0,"gap":5}"#
        let element = try #require(Payload.elements(of: Array(gap.utf8)).first)
        let row = Batch.Row(
            broker: 0, topic: try #require(BoxTopic("gf/1/acme/b1/event")),
            event: try element.get())
        for _ in 1...2 { _ = try database.run(Batch.sql, binary: Batch([row]).parameters) }
        #expect(try ask("SELECT missing, lost FROM fleet.box_log") == [["{}", "{[2,5)}"]])
    }

    @Test("each hole is asked for once an hour, and so is the end of a log that the office lacks")
    func holes() throws {
        func lacking() throws -> String? { try ask("SELECT ranges FROM fleet.lacking()").first?[0] }
        try note(#"{"online":true,"log":"\#(Self.old)","waiting":9,"last":12}"#)
        for number in [1, 4, 8] {
            try take(Self.old, number, "dwell", at: "now()")
        }
        #expect(try lacking() == "[[2, 3], [5, 7]]")
        #expect(try lacking() == nil)
        try take(Self.old, 10, "dwell", at: "now()")
        #expect(try lacking() == "[[9, 9]]")
        #expect(try lacking() == nil)
        try database.runAll("UPDATE fleet.box_log SET asked = now() - interval '61 minutes'")
        #expect(try lacking() == "[[2, 3], [5, 7], [9, 9]]")
        // It has sent everything, and the database was restored since.
        let drained = #"{"online":true,"log":"\#(Self.old)","waiting":0,"last":12}"#
        try note(drained)
        #expect(try lacking() == nil)
        try database.runAll("UPDATE fleet.box_log SET asked = now() - interval '61 minutes'")
        try note(drained, isRetained: true)
        #expect(try lacking() == "[[2, 3], [5, 7], [9, 9]]")
        try database.runAll("UPDATE fleet.box_log SET asked = now() - interval '61 minutes'")
        try note(drained)
        #expect(try lacking() == "[[2, 3], [5, 7], [9, 9], [11, 12]]")
        // A backup may still have what an older log lacks.
        try note(#"{"online":true,"log":"\#(Self.new)","waiting":0,"last":12}"#)
        try database.runAll("UPDATE fleet.box_log SET asked = now() - interval '61 minutes'")
        #expect(try lacking() == "[[2, 3], [5, 7], [9, 9]]")
        try database.runAll(
            """
            UPDATE fleet.box_log SET asked = now() - interval '61 minutes',
                touched = now() - interval '8 days'
            """)
        #expect(try lacking() == nil)
        try note(drained)
        // A box that says nothing is not asked.
        try database.runAll(
            """
            UPDATE fleet.box_log SET asked = now() - interval '61 minutes';
            UPDATE fleet.box SET last_seen = now() - interval '40 minutes'
            """)
        #expect(try lacking() == nil)
    }

    @Test("from where on the office has a log is said, and what was before can be asked for")
    func beginning() throws {
        func status() throws -> String { try Questions.status(of: database)[0] }
        for number in 1...3 { try take(Self.old, number, "dwell", at: "now()") }
        #expect(try status().contains("  last 3  missing none  "))
        // A backup of the office does not know what came after it.
        try database.runAll("DELETE FROM fleet.event; DELETE FROM fleet.box_log")
        try take(Self.old, 4, "dwell", at: "now()")
        #expect(try status().contains("  last 4 from 4  missing none  "))
        #expect(
            try Questions.resend("b1", 1...3, in: database) == "b1 is asked for 3 events")
        #expect(try ask("SELECT ranges FROM fleet.lacking()") == [["[[1, 3]]"]])
        try take(Self.old, 1, "dwell", at: "now()")
        #expect(try status().contains("  last 4  missing {[2,4)}  "))
        // Those before are at another shard.
        try take(Self.new, 7, "dwell", at: "now()")
        #expect(try status().contains("from 7"))
        try database.runAll("UPDATE fleet.box_log SET moved = true WHERE first_seq = 7")
        #expect(try !status().contains("from"))
    }

    @Test("a box that has said nothing for long is no longer online")
    func silence() throws {
        try note(#"{"online":true}"#)
        #expect(try Questions.status(of: database)[0].contains("online true"))
        try database.runAll("UPDATE fleet.box SET last_seen = now() - interval '40 minutes'")
        #expect(try Questions.status(of: database)[0].contains("online unknown"))
    }

    @Test("stays that no exit ended go with the retention")
    func retention() throws {
        try take(Self.old, 1, "enter", at: "now() - interval '3 hours'")
        try note(#"{"log":"\#(Self.new)"}"#)
        try database.runAll(
            """
            UPDATE fleet.ended SET since = now() - interval '15 days',
                left_at = now() - interval '13 days';
            SELECT fleet.prune()
            """)
        #expect(try ask("SELECT count(*) FROM fleet.ended") == [["0"]])
    }

    @Test("a keeper ends no stay of a box of another tenant, and nobody makes large objects")
    func strangeEnds() throws {
        try take(Self.old, 1, "enter", at: "now() - interval '9 hours'")
        try database.runAll(
            """
            INSERT INTO fleet.tenant (name) VALUES ('other');
            INSERT INTO fleet.box (tenant, name) SELECT id, 'o1' FROM fleet.tenant WHERE name = 'other';
            CREATE ROLE theirs LOGIN IN ROLE fleet_keeper;
            INSERT INTO fleet.access SELECT 'theirs', id FROM fleet.tenant WHERE name = 'other'
            """)
        let row = """
            INSERT INTO fleet.ended (tenant, box, fence, log, seq, since, left_at)
                SELECT t.id, b.id, 'wh', '\(Self.old)', 1, now(), now()
                FROM (VALUES (%t)) AS t (id), (VALUES (%b)) AS b (id)
            """
        let ids = try ask(
            """
            SELECT t.id, b.id FROM fleet.box b JOIN fleet.tenant t ON t.id = b.tenant ORDER BY t.name
            """)
        try database.runAll("SET ROLE theirs")
        func insert(_ tenant: String?, _ box: String?) throws {
            let sql = row.replacing("%t", with: tenant ?? "").replacing("%b", with: box ?? "")
            try database.runAll(sql)
        }
        // Of its own tenant, and a box of the other one.
        #expect(throws: DatabaseError.self) { try insert(ids[1][0], ids[0][1]) }
        #expect(throws: DatabaseError.self) { try insert(ids[0][0], ids[0][1]) }
        try insert(ids[1][0], ids[1][1])
        for call in ["lo_create(0)", "lo_creat(-1)", "lo_from_bytea(0, 'x')"] {
            #expect(throws: DatabaseError.self, "\(call)") { try database.run("SELECT \(call)") }
        }
        try database.runAll("RESET ROLE")
        #expect(try ask("SELECT count(*) FROM pg_largeobject_metadata") == [["0"]])
    }

    @Test("a box is retired and forgotten by who keeps its tenant, and by nobody else")
    func ends() throws {
        try database.runAll(
            """
            INSERT INTO fleet.tenant (name) VALUES ('other');
            CREATE ROLE mine LOGIN IN ROLE fleet_keeper;
            CREATE ROLE theirs LOGIN IN ROLE fleet_keeper;
            CREATE ROLE reads LOGIN IN ROLE fleet_reader;
            INSERT INTO fleet.access SELECT r, t.id FROM fleet.tenant t,
                (VALUES ('mine', 'acme'), ('reads', 'acme'), ('theirs', 'other')) AS v (r, n)
                WHERE t.name = n
            """)
        try take(Self.old, 1, "enter", at: "now() - interval '9 hours'")
        try take(Self.old, 2, "exit", at: "now() - interval '8 hours'", stay: 60, fence: "gate")
        try age()
        try database.runAll(
            """
            SELECT fleet.set_aside('acme', 'b1', 'why', 'x');
            SELECT fleet.set_aside('acme', 'b2', 'why', 'x');
            SET ROLE theirs
            """)
        #expect(throws: DatabaseError(state: "", message: "there is no box b1")) {
            try Questions.retire("b1", in: database)
        }
        try database.runAll("SET ROLE reads")
        #expect(throws: DatabaseError.self) { try Questions.forget("acme/b1", in: database) }
        #expect(try Questions.status(of: database).count == 3)
        try database.runAll("SET ROLE mine")
        #expect(
            try Questions.retire("b1", in: database)
                == "b1 is retired; 1 stays ended where it was last heard")
        let stays = try visits()
        #expect(stays.count == 2 && stays.allSatisfy { $0.left != nil })
        #expect(try Questions.status(of: database)[0].contains("online retired"))
        // Two events, one of them a presence that became a stay, the log, the message, the box.
        #expect(
            try Questions.forget("acme/b1", in: database) == "acme/b1 is forgotten; 6 rows erased")
        try database.runAll("RESET ROLE")
        for table in ["event", "presence", "ended", "box_log", "box"] {
            #expect(try ask("SELECT count(*) FROM fleet.\(table)") == [["0"]], "\(table)")
        }
        #expect(try ask("SELECT box FROM fleet.rejected") == [["b2"]])
        for tenant in ["acme", "other"] {
            try database.runAll(
                """
                INSERT INTO fleet.box (tenant, name)
                    SELECT id, 'b1' FROM fleet.tenant WHERE name = '\(tenant)'
                """)
        }
        #expect(throws: DatabaseError.self) { try Questions.forget("b1", in: database) }
        #expect(try ask("SELECT count(*) FROM fleet.box") == [["2"]])
    }
}
