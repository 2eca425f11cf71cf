import Bytes
import Foundation
import JSON
import PostgreSQL
import Reports
import SystemTestKit
import Testing

@testable import Ingesting

/// With three of Debian's PostgreSQL: two shards, and the database of their reports.
@MainActor
@Suite("Reports over shards", .serialized)
final class FederationTests {
    private let servers: [PrivatePostgreSQL]
    private let shards: [Database]
    private let office: PrivatePostgreSQL
    private let reports: Database
    private static let logs = [
        "5f0c2d9e4b7a4c0e8d1f3a6b9c2e5d71", "6f0c2d9e4b7a4c0e8d1f3a6b9c2e5d72",
    ]
    private static let readers = """
        CREATE ROLE anna LOGIN IN ROLE fleet_reader; CREATE ROLE otto LOGIN IN ROLE fleet_reader
        """

    init() throws {
        servers = [try #require(PrivatePostgreSQL()), try #require(PrivatePostgreSQL())]
        office = try #require(PrivatePostgreSQL())
        shards = try servers.map { try #require($0.open()) }
        reports = try #require(office.open())
        // The same name has another number at each.
        for (shard, tenants) in zip(shards, [["acme", "other"], ["first", "other", "acme"]]) {
            for tenant in tenants {
                _ = try Questions.setUp(shard, tenant: tenant, retention: 12)
            }
            try shard.runAll(Self.readers)
            for (role, tenant) in [("anna", "acme"), ("otto", "other")] {
                _ = try shard.run(
                    "INSERT INTO fleet.access SELECT $1, id FROM fleet.tenant WHERE name = $2",
                    [role, tenant])
            }
        }
        try reports.runAll("CREATE ROLE fleet_reader NOLOGIN; \(Self.readers)")
        for (index, shard) in shards.enumerated() {
            for (tenant, box) in [("acme", "b\(index)"), ("other", "b9"), ("acme", "c\(index)")] {
                try fill(shard, tenant, box, Self.logs[index])
            }
        }
        _ = try shards[1].run(
            "INSERT INTO fleet.free_time SELECT id, 'wh', '3 hours' FROM fleet.tenant")
        _ = try shards[0].run("SELECT fleet.set_aside('acme', 'b0', 'why', 'x')")
    }

    private func fill(_ shard: Database, _ tenant: String, _ box: String, _ log: String) throws {
        let now = try #require(
            try shard.run(
                """
                SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:')
                """
            ).values[0][0])
        let topic = try #require(BoxTopic("gf/1/\(tenant)/\(box)/event"))
        let rows = try [
            #""kind":"exit","fence":"wh","title":"W","stay_s":10800,"way_m":7,"odometer_m":7,"driver":"\#(tenant)""#,
            #""kind":"exit","fence":"yard","stay_s":60"#,
            #""kind":"enter","fence":"wh","driver":"\#(tenant)""#,
            #""kind":"trip","stay_s":900,"from":"wh","to":"yard","way_m":8000,"odometer_m":8007,"stops":2"#,
        ].enumerated().map { index, members in
            let text = """
                {"v":2,"log":"\(log)","prev":\(index),"event":{"seq":\(index + 1),\
                "time":"\(now)00:0\(index).000Z",\(members)}}
                """
            return Batch.Row(
                broker: 0, topic: topic,
                event: try #require(Payload.elements(of: Array(text.utf8)).first).get())
        }
        _ = try shard.run(Batch.sql, binary: Batch(rows).parameters)
        var queue = StatusQueue()
        let status = #"""
            {"online":true,"log":"\#(log)","waiting":0,
            "origins":{"wh":{"hash":"\#(log.prefix(9))\#(box)","state":"good","fences":3}}}
            """#
        #expect(
            queue.add(
                Array(status.utf8), from: try #require(BoxTopic("gf/1/\(tenant)/\(box)/status")),
                isRetained: false) == nil)
        let parameters = queue.next()
        _ = try shard.run(StatusQueue.sql, try #require(parameters))
    }

    private func setUp() throws {
        _ = try Federation.setUp(reports, over: servers.map(\.address))
    }

    /// Of those that are not over the stay goes on.
    private func visits(
        _ selection: Visit.Selection = .init(), from database: Database
    ) throws -> [Visit] {
        try Visit.read(selection, from: database).map { visit in
            var visit = visit
            if visit.left == nil { visit.stay = 0 }
            return visit
        }
    }

    private func become(_ role: String) throws {
        for database in shards + [reports] { try database.runAll("SET ROLE \(role)") }
    }

    @Test(
        "the report over two shards is the union of theirs, also with the rights of a reader",
        arguments: ["fleet", "anna", "otto"])
    func union(_ role: String) throws {
        try setUp()
        try become(role)
        #expect(try Federation.leaveOutSilent(reports).isEmpty)
        let boxes = ["fleet": 6, "anna": 4, "otto": 2][role]
        var place = Visit.Selection()
        place.place = "wh"
        var tenant = Visit.Selection()
        tenant.tenant = "acme"
        var past = Visit.Selection()
        past.until = "yesterday"
        for selection in [Visit.Selection(), place, tenant, past] {
            let all = try visits(selection, from: reports)
            let theirs = try shards.flatMap { try visits(selection, from: $0) }
            #expect(Set(all) == Set(theirs) && all.count == theirs.count)
            #expect(all.map(\.fence) == all.map(\.fence).sorted())
        }
        #expect(try visits(from: reports).count == boxes.map { $0 * 3 })
        #expect(try visits(past, from: reports).isEmpty)
        #expect(
            Set(try visits(from: reports).compactMap(\.driver))
                == (role == "fleet" ? ["acme", "other"] : role == "anna" ? ["acme"] : ["other"]))
        let open = try visits(from: reports).filter { $0.left == nil }
        #expect(open.count == boxes && open.allSatisfy { $0.driver != nil }, "\(open)")
        let trips = try Trip.read(.init(), from: reports)
        #expect(Set(trips) == Set(try shards.flatMap { try Trip.read(.init(), from: $0) }))
        #expect(trips.count == boxes)
        var first = Visit.Selection()
        first.box = "b0"
        let areas = [ExactText("wh"): JurisdictionSums.Area(title: "W", size: 1)]
        let ways = try [reports, shards[0]].map {
            Report.csv.text(try Jurisdictions.read(first, areas, from: $0).sheet)
        }
        #expect(ways[0] == ways[1] && ways[0].contains("8000") == (role != "otto"), "\(ways)")
        for ask in [
            { try Questions.status(of: $0) }, { try Questions.sets(of: $0, tenant: nil) },
        ] as [(Database) throws -> [String]] {
            let (all, theirs) = (try ask(reports), try shards.flatMap(ask))
            #expect(all.sorted() == theirs.sorted() && !all.isEmpty)
        }
    }

    @Test("a place that two shards know, and who is there, is one place of the board")
    func board() throws {
        try setUp()
        try become("anna")
        let now = try #require(try reports.run(FleetNow.sql).values[0][0])
        #expect(now.contains(#""tenants" : ["acme"]"#), "\(now)")
        #expect(now.components(separatedBy: #"["acme", "wh", "#).count == 2, "\(now)")
        // Three hours, and both boxes of both shards.
        #expect(now.contains("10800"))
        for box in ["b0", "c0", "b1", "c1"] { #expect(now.contains("\"\(box)\"")) }
    }

    @Test("the map of two shards has the places and the vehicles of both, each once")
    func map() throws {
        for (index, shard) in shards.enumerated() {
            // The one that was published last counts.
            try shard.runAll(
                """
                INSERT INTO fleet.published_set SELECT id, 'o', 'h', now() + interval '\(index) s'
                    FROM fleet.tenant WHERE name = 'acme';
                INSERT INTO fleet.fence SELECT id, 'o', 'h', f, f || '\(index)',
                    '{"type":"Point","coordinates":[\(index),2]}', '{"radius":50}'
                    FROM fleet.tenant, unnest('{wh,only-\(index)}'::text[]) AS f WHERE name = 'acme'
                """)
        }
        try setUp()
        try become("anna")
        let areas = try JSONValue(parsing: try #require(reports.run(FleetMap.areas).values[0][0]))
        #expect(
            areas["areas"]?.array?.map { $0[2]?.string } == ["wh1", "only-00", "only-11"],
            "\(areas)")
        let last = try JSONValue(parsing: try #require(reports.run(FleetMap.last).values[0][0]))
        #expect(last["published"]?.array?.count == 2, "\(last)")
        // All are inside: the map has them from what is now.
        #expect(last["vehicles"]?.array?.isEmpty == true, "\(last)")
        try become("otto")
        for sql in [FleetMap.areas, FleetMap.last] {
            let text = try #require(try reports.run(sql).values[0][0])
            #expect(!text.contains("acme") && !text.contains("wh"), "\(text)")
        }
    }

    @Test("fence and time are asked of the shards, and not sought here")
    func pushedDown() throws {
        try setUp()
        let plan = try reports.run(
            """
            EXPLAIN (VERBOSE, COSTS off) SELECT * FROM fleet.visit
            WHERE fence = 'wh' AND left_at >= '2026-11-01' AND entered < '2026-12-01'
            """
        ).values.compactMap { $0[0] }.filter { $0.contains("Remote SQL") }
        #expect(plan.count == 2)
        for line in plan {
            for column in ["fence = 'wh'", "left_at >= ", "entered < "] {
                #expect(line.contains(column), "\(line)")
            }
        }
    }

    @Test("a shard that does not answer is named, the others answer; and it is back when it is")
    func silent() throws {
        try setUp()
        // A new session: one that was connected learns it when it asks.
        servers[1].stop()
        let session = try #require(office.open())
        for role in ["fleet", "anna"] {
            try session.runAll("SET ROLE \(role)")
            let silent = try Federation.leaveOutSilent(session)
            #expect(silent.count == 1)
            #expect(silent.first?.hasPrefix("shard_2 (dbname=postgres host=") == true, "\(silent)")
            #expect(silent.first?.contains("could not connect to server") == true, "\(silent)")
            try shards[0].runAll("SET ROLE \(role)")
            #expect(
                Set(try visits(from: session)) == Set(try visits(from: shards[0])))
            #expect(try Questions.status(of: session) == Questions.status(of: shards[0]))
            #expect(
                try Questions.sets(of: session, tenant: nil)
                    == Questions.sets(of: shards[0], tenant: nil))
        }
        try #require(servers[1].start())
        _ = try #require(servers[1].open())
        #expect(try Federation.leaveOutSilent(session).isEmpty)
        #expect(Set(try visits(from: session).map(\.box)) == ["b0", "b1", "c0", "c1"])
    }

    @Test("a driver is assigned at the shard of the box; what ends a box says where that is")
    func assign() throws {
        try setUp()
        var selection = Visit.Selection()
        (selection.tenant, selection.box, selection.since) = ("acme", "b1", "2026-11-01")
        try Questions.assign(selection, driver: "Jane", in: reports)
        let sql = "SELECT driver FROM fleet.assignment"
        #expect(try shards[0].run(sql).values.isEmpty)
        #expect(try shards[1].run(sql).values == [["Jane"]])
        #expect(try reports.run(sql).values == [["Jane"]])
        // Two at a time: the shard refuses.
        #expect(throws: DatabaseError.self) {
            try Questions.assign(selection, driver: "Eve", in: reports)
        }
        selection.box = "b7"
        #expect(throws: DatabaseError(state: "", message: "no such box: acme/b7")) {
            try Questions.assign(selection, driver: "Eve", in: reports)
        }
        #expect {
            _ = try Questions.retire("acme/b1", in: reports)
        } throws: {
            "\($0)".hasPrefix(
                "this is asked of the database of its shard: acme/b1 is at shard_2 (dbname=")
        }
        #expect(throws: DatabaseError(state: "", message: "there is no box b7")) {
            _ = try Questions.forget("b7", in: reports)
        }
        #expect {
            try Federation.refuse(reports)
        } throws: {
            "\($0)".hasPrefix("this is asked of the database of each shard: shard_1 (dbname=")
        }
        try Federation.refuse(shards[0])
        try reports.runAll("SET ROLE anna")
        for sql in [
            "INSERT INTO fleet.assignment SELECT id, 'Eve', '(,)' FROM fleet.box",
            "INSERT INTO shard_1.assignment SELECT id, 'Eve', '(,)' FROM shard_1.box",
            "ALTER USER MAPPING FOR anna SERVER shard_1 OPTIONS (SET user 'otto')",
            "CREATE USER MAPPING FOR PUBLIC SERVER shard_1 OPTIONS (user 'otto')",
        ] { #expect(throws: DatabaseError.self, "\(sql)") { try reports.runAll(sql) } }
    }

    @Test("it is made anew with other shards, and is not a database of a fleet, nor made in one")
    func again() throws {
        try setUp()
        try reports.runAll("CREATE ROLE late LOGIN IN ROLE fleet_reader")
        #expect(
            try Federation.setUp(reports, over: [servers[0].address])
                .map { $0.prefix { $0 != " " } } == ["shard_1:"])
        #expect(Set(try visits(from: reports)) == Set(try visits(from: shards[0])))
        #expect(
            try reports.run("SELECT count(*) FROM pg_user_mappings WHERE usename = 'late'").values
                == [["1"]])
        #expect {
            _ = try Questions.setUp(reports, tenant: nil, retention: nil)
        } throws: { "\($0)".hasPrefix("this is a database of reports") }
        for (address, said) in [
            ("host=x password=secret", "no password on a command line"),
            ("postgresql://u:secret@x/d", "no password on a command line"),
            ("host=/nowhere", "could not connect to server \"shard_1\""),
            ("=nonsense", "no connection string"), ("user=x", "does not say where it is"),
            (servers[1].address + "' OPTIONS (", "no connection string"),
        ] {
            #expect {
                _ = try Federation.setUp(reports, over: [address])
            } throws: { "\($0)".contains(said) && !"\($0)".contains("secret") }
        }
        // All of it or nothing.
        #expect(Set(try visits(from: reports)) == Set(try visits(from: shards[0])))
        #expect {
            _ = try Federation.setUp(shards[0], over: [servers[1].address])
        } throws: { "\($0)".contains("a fleet is in this database") }
        try shards[1].runAll("UPDATE fleet.schema_version SET version = 7")
        #expect {
            _ = try Federation.setUp(reports, over: servers.map(\.address))
        } throws: { "\($0)".contains("its schema has version 7") }
    }
}
