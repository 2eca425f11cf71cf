import JSON
import PostgreSQL
import SystemTestKit
import Systemd
import Testing
import Time

@testable import Ingesting
@testable import LiveBoard

/// With Debian's PostgreSQL.
@MainActor
@Suite("The board of a fleet", .serialized)
struct BoardTests {
    private func settings(role: String? = nil, header: String? = nil) -> BoardSettings {
        var settings = BoardSettings()
        settings.role = role
        settings.userHeader = header
        return settings
    }

    @Test("each one who is signed in at the proxy sees the boxes and places of his tenant alone")
    func tenants() throws {
        let bench = try BoardBench()
        try bench.serve(settings(header: "X-Remote-User"))
        for _ in 0..<2 {
            #expect(try bench.seen("X-Remote-User: reader") == ["a1", "Warehouse <b>"])
            #expect(try bench.seen("X-Remote-User: we\"ird") == ["o1", "Secret place"])
        }
        let stays = try bench.get("/v1/visits?format=csv", "X-Remote-User: reader")
        #expect(stays.status == "200")
        #expect(stays.body.contains("Warehouse <b>") && !stays.body.contains("Secret"))
        let metrics = try bench.get("/metrics", "X-Remote-User: reader")
        #expect(metrics.status == "200" && metrics.body.contains("geofenced_fleet_boxes{"))
        #expect(!metrics.body.contains("other"), "\(metrics.body)")
        let stay = "/v1/stay?box=o1&place=wh&from=2000-01-01"
        #expect(try bench.get(stay, "X-Remote-User: reader").body == "[]")
        #expect(try bench.get(stay, "X-Remote-User: we\"ird").body.contains("Secret") == false)
        #expect(try bench.get(stay, "X-Remote-User: we\"ird").body.contains("\"seq\":1"))
    }

    @Test(
        "nobody becomes a role that is not there, not granted, no reader, or above row security",
        arguments: [
            "", "nobody", "stranger", "keeper", "worker", "board", "none", "fleet", "READER",
            "reader; RESET ROLE", "reader\"; DROP SCHEMA fleet; --", "reader, keeper", "reader'",
            "$1",
        ])
    func refusedRoles(_ name: String) throws {
        let bench = try BoardBench()
        try bench.serve(settings(header: "X-Remote-User"))
        let refusal = name.isEmpty ? "401" : "403"
        for path in [
            "/v1/now", "/v1/areas", "/v1/last", "/v1/live", "/v1/visits", "/metrics",
            "/v1/stay?box=a1&place=wh&from=2000-01-01",
        ] {
            #expect(try bench.get(path, "X-Remote-User: \(name)").status == refusal)
        }
        // The next one is asked with his own rights.
        #expect(try bench.seen("X-Remote-User: reader") == ["a1", "Warehouse <b>"])
    }

    @Test("without the header nobody is signed in, nor with two of them")
    func header() throws {
        let bench = try BoardBench()
        try bench.serve(settings(role: "reader", header: "X-Remote-User"))
        for path in ["/v1/now", "/v1/areas", "/v1/last", "/v1/live", "/v1/visits", "/metrics"] {
            #expect(try bench.get(path).status == "401")
            #expect(
                try bench.get(path, "X-Remote-User: reader", "X-Remote-User: reader").status
                    == "401")
        }
        #expect(try bench.get("/").status == "200")
    }

    @Test("on the loopback the header is not believed")
    func loopback() throws {
        let bench = try BoardBench()
        let (port, token) = try bench.serveOnLoopback(
            settings(role: "reader", header: "X-Remote-User"))
        let answer = Subprocess([
            "curl", "-s", "-H", "X-Remote-User: we\"ird", "-H", "Authorization: Bearer \(token)",
            "http://127.0.0.1:\(port)/v1/now",
        ])
        let stranger = Subprocess(["curl", "-s", "http://127.0.0.1:\(port)/v1/now"])
        _ = try bench.loop.run { answer.hasEnded && stranger.hasEnded }
        let body = try #require(answer.wait()).output
        #expect(body.contains("Warehouse") && !body.contains("Secret"))
        #expect(try #require(stranger.wait()).output.contains("token"))
    }

    @Test(
        "who looks is told that something was stored, about once a second, and nothing of what it is"
    )
    func live() throws {
        let bench = try BoardBench()
        try bench.serve(settings(role: "reader"))
        let client = try bench.client()
        client.send("GET /v1/live HTTP/1.0\r\nHost: localhost\r\n\r\n".utf8)
        func told() -> Int {
            client.read()
            return BoardBench.body(client).split(separator: "\n\n").count {
                $0.hasPrefix("event: changed")
            }
        }
        #expect(try bench.loop.run { told() == 1 })
        #expect(try bench.seen() == ["a1", "Warehouse <b>"])
        let announcer = try Announcer(bench.loop) {
            try? bench.database.runAll(Announcer.sql)
        }
        try bench.event("acme", "a2", 1, "enter", fence: "yard", title: "Yard")
        announcer.changed()
        let begun = EventLoop.uptime
        #expect(try bench.loop.run { told() == 2 })
        #expect(Set(try bench.seen()) == ["a1", "a2", "Warehouse <b>", "Yard"])
        for _ in 0..<100 { announcer.changed() }
        #expect(try bench.loop.run { told() == 3 })
        #expect(EventLoop.uptime >= begun + .milliseconds(900))
        #expect(!BoardBench.body(client).contains("Yard"))
    }

    @Test("when the database comes back, so does the board")
    func lostDatabase() throws {
        let bench = try BoardBench()
        try bench.serve(settings(role: "reader"))
        #expect(try bench.seen() == ["a1", "Warehouse <b>"])
        bench.server.stop()
        #expect(try bench.loop.run { !bench.store.isConnected })
        #expect(bench.told.absence != nil)
        #expect(try bench.get("/v1/now").status == "503")
        #expect(bench.server.start())
        #expect(try bench.loop.run { bench.store.isConnected })
        #expect(bench.told.absence == nil)
        #expect(try bench.seen() == ["a1", "Warehouse <b>"])
    }

    @Test("now says since when, who drives, what is free, and what is wrong with a box")
    func now() throws {
        let bench = try BoardBench()
        try bench.database.runAll(
            """
            INSERT INTO fleet.free_time SELECT id, 'wh', '45 minutes' FROM fleet.tenant;
            UPDATE fleet.box SET last_seen = now() - interval '36 minutes',
                status = '{"online":true,"waiting":312,"degraded":["fences-lost"]}' WHERE name = 'a1'
            """)
        try bench.event(
            "acme", "a2", 1, "enter", title: "Warehouse", details: #"{"driver":"driver 17"}"#)
        // It is older than what is there, and has no place of its own.
        try bench.event("acme", "a2", 3, "dwell", title: "Warehouse")
        try bench.serve(settings(role: "reader"))
        let json = try JSONValue(parsing: try bench.get("/v1/now").body)
        #expect(json["tenants"]?.array?.map(\.string) == ["acme"])
        let box = try #require(json["boxes"]?.array?.first?.array)
        #expect(box[3].string == "unknown" && box[5] == .bool(false) && box[6].integer == 312)
        #expect(box[8].array?.map(\.string) == ["fences-lost"])
        let other = try #require(json["boxes"]?.array?.last?.array)
        #expect(other[5] == .bool(true) && other[7].integer == 1)
        #expect(box[10].integer == 1 && other[10].integer == 1)
        try bench.database.runAll("UPDATE fleet.box_log SET first_seq = 3 WHERE last_seq = 3")
        let rows = try bench.database.run(FleetNow.sql)
        let later = try JSONValue(parsing: try #require(rows.values[0][0]))
        #expect(later["boxes"]?.array?.map { $0.array?[10].integer } == [1, 3, 1])
        let place = try #require(json["places"]?.array?.first?.array)
        #expect(place[1].string == "wh" && place[3].double == 2700)
        #expect(place[4].array?.compactMap { $0.array?[2].string } == ["driver 17"])
    }

    @Test("a daemon that is gone is told of a box that can be reached, with since when as it says")
    func absence() throws {
        let bench = try BoardBench()
        func told(_ status: String) throws -> [JSONValue] {
            _ = try bench.database.run(
                "UPDATE fleet.box SET status = $1::jsonb, last_seen = now()", [status])
            let rows = try bench.database.run(FleetNow.sql)
            let json = try JSONValue(parsing: try #require(rows.values[0][0]))
            return Array(try #require(json["boxes"]?.array?.first?.array).suffix(2))
        }
        let since = "2026-11-28T12:00:00.000Z"
        for state in ["no-daemon", "stopped"] {
            #expect(
                try told(#"{"online":true,"state":"\#(state)","since":"\#(since)"}"#)
                    == [.string(state), .string(since)])
        }
        for status in [
            #"{"online":true,"state":"idle","since":"\#(since)"}"#,
            #"{"online":false,"state":"no-daemon","since":"\#(since)"}"#,
            #"{"online":true,"state":["no-daemon"],"since":7}"#,
        ] { #expect(try told(status) == [.null, .null], "\(status)") }
        #expect(
            try told(#"{"online":true,"state":"stopped","since":"<b>"}"#)
                == [.string("stopped"), .null])
    }

    @Test("a status of any kind does not keep the others from being seen")
    func hostileStatus() throws {
        let bench = try BoardBench()
        for status in [
            #"{"waiting":"x","degraded":{"a":1},"online":[]}"#, "[]", "7", #""x""#, "null",
            #"{"waiting":1e300,"degraded":"x"}"#, #"{"waiting":99999999999999999999}"#,
            #"{"degraded":["\#(String(repeating: "x", count: 3000))"]}"#,
        ] {
            _ = try bench.database.run(
                "UPDATE fleet.box SET status = $1::jsonb, last_seen = '-infinity'", [status])
            let rows = try bench.database.run(FleetNow.sql)
            let json = try JSONValue(parsing: try #require(rows.values[0][0]))
            #expect(json["boxes"]?.array?.count == 2, "\(status)")
        }
    }

    @Test("a box in as many places as it likes, with names of any kind, makes no answer long")
    func hostilePlaces() throws {
        let bench = try BoardBench()
        try bench.database.runAll(
            """
            INSERT INTO fleet.presence (tenant, box, fence, log, seq, inside, since, title)
                SELECT tenant, id, lpad(n::text, 255, 'x'), log, 10 + n, true,
                    now() - n * interval '1 second', repeat(E'\\u0001', 1024)
                FROM fleet.box, generate_series(1, 50000) AS n WHERE name = 'a1';
            UPDATE fleet.box SET status = jsonb_build_object('online', repeat('x', 10000))
                WHERE name = 'a1'
            """)
        let long = String(repeating: "y", count: 1_000)
        try bench.event("acme", "a2", 1, "exit", fence: "y", title: long)
        try bench.serve(settings(role: "reader"))
        bench.board?.longest = 100_000
        #expect(try bench.get("/v1/now").status == "413")
        bench.board?.longest = 16 << 20
        let (status, body) = try bench.get("/v1/now")
        #expect(status == "200" && body.utf8.count < 250_000, "\(status) \(body.utf8.count)")
        let json = try JSONValue(parsing: body)
        let boxes = (json["boxes"]?.array ?? []).map { $0.array ?? [] }
        // With the place that it was in for longest.
        #expect(boxes.map { $0[1].string } == ["a1", "a2"])
        #expect(boxes.map { $0[9].integer } == [49_901, 0])
        let places = (json["places"]?.array ?? []).compactMap { $0.array?[1].string }
        #expect(Set(places.map { $0.drop { $0 == "x" } }) == Set((1...100).map { "\($0)" }))
        let last = try bench.get("/v1/last")
        #expect(last.status == "200" && last.body.utf8.count < 1_000, "\(last.body.utf8.count)")
    }

    @Test("the stays of a day are found by vehicle, driver or place, in any case")
    func search() throws {
        let bench = try BoardBench()
        try bench.event(
            "acme", "a7", 2, "exit", fence: "dock", title: "Süd", stay: 60,
            details: #"{"driver":"Ärmel"}"#)
        try bench.serve(settings(role: "reader"))
        func found(_ text: String) throws -> Int {
            let stays = try bench.get("/v1/visits?text=\(text)").body
            return stays.split(separator: "\n").count
        }
        #expect(try found("") == 2)
        #expect(try found("A7") == 1 && found("DOCK") == 1 && found("%C3%BCd") == 1)
        #expect(try found("rmel") == 1)
        #expect(try found("%25") == 0 && found("_") == 0 && found("'") == 0)
        #expect(try bench.get("/v1/visits?since=never").status == "400")
        #expect(try bench.get("/v1/visits?format=html").status == "400")
    }

    @Test("an answer that has not all stays says so, and a file is never cut")
    func mostStays() throws {
        let bench = try BoardBench()
        for (number, box) in ["a5", "a6", "a7"].enumerated() {
            try bench.event(
                "acme", box, 1, "exit", fence: "dock", title: "Dock", minutesAgo: number, stay: 60)
        }
        try bench.serve(settings(role: "reader"))
        func stays(_ format: String) throws -> String {
            let client = try bench.client()
            client.send(
                "GET /v1/visits?format=\(format) HTTP/1.0\r\nHost: localhost\r\n\r\n".utf8)
            _ = try bench.loop.run {
                client.read()
                return client.isClosed
            }
            let lines = BoardBench.body(client).split(whereSeparator: \.isNewline).count
            let more = client.received.contains("\r\nGeofenced-More: yes\r\n") ? " and more" : ""
            return "\(client.status): \(lines)\(more)"
        }
        // With the one that is not over; CSV has a line of names.
        #expect(try stays("json") == "200: 4" && stays("csv") == "200: 5")
        bench.board?.most = (shown: 4, file: 4, bytes: 1_000)
        #expect(try stays("json") == "200: 4" && stays("csv") == "200: 5")
        bench.board?.most = (shown: 3, file: 3, bytes: 1_000)
        #expect(try stays("json") == "200: 3 and more" && stays("csv") == "413: 1")
        let long = String(repeating: "y", count: 1_000)
        try bench.event("acme", "a8", 1, "exit", fence: "dock", title: long, stay: 60)
        bench.board?.most = (shown: 9, file: 9, bytes: 1_000)
        #expect(try stays("json") == "200: 5" && stays("csv") == "200: 6")
        #expect(try !bench.get("/v1/visits").body.contains(String(long.prefix(201))))
        bench.board?.most = (shown: 9, file: 9, bytes: 100)
        #expect(try stays("json") == "200: 1 and more" && stays("csv") == "413: 1")
    }

    @Test("the page is in the language of the browser, and asks nobody else for anything")
    func page() throws {
        let bench = try BoardBench()
        try bench.serve(settings(role: "reader"))
        let page = try bench.get("/", "Accept-Language: xx, de-AT;q=0.9, en")
        #expect(page.body.contains("<html lang=\"de\""))
        #expect(try bench.get("/board.js", "Accept-Language: de").body.contains("kein Fahrer"))
        #expect(try bench.get("/board.js").body.contains("no driver"))
        for path in ["/", "/board.js", "/board.css"] {
            let body = try bench.get(path).body
            #expect(!body.contains("http://") && !body.contains("https://"), "\(path)")
        }
        #expect(try bench.get("/nothing").status == "404")
    }
}
