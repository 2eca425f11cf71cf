import PostgreSQL
import SystemTestKit
import Systemd
import Testing
import Time

@testable import LiveBoard

/// Nobody who looks keeps others from looking, with Debian's PostgreSQL.
@MainActor
@Suite("A board for many", .serialized)
struct BoardFairnessTests {
    /// No tenant waits longer for another: 2 s on a machine that does nothing else; a queue for all took
    /// 26.
    private static let most = TimeSpan.seconds(6)

    private let bench: BoardBench

    init() throws {
        bench = try BoardBench()
        var settings = BoardSettings()
        settings.userHeader = "X-Remote-User"
        try bench.serve(settings)
    }

    /// Roles of acme, whose questions take half a minute.
    private func slowDown(_ roles: [String]) throws {
        for role in roles where role != "reader" {
            try bench.database.runAll(
                """
                CREATE ROLE \(role) IN ROLE fleet_reader; GRANT \(role) TO board;
                INSERT INTO fleet.access SELECT '\(role)', id FROM fleet.tenant WHERE name = 'acme'
                """)
        }
        let names = roles.map { "'\($0)'" }.joined(separator: ",")
        try bench.database.runAll(
            """
            CREATE POLICY slow ON fleet.tenant AS RESTRICTIVE USING (CASE WHEN current_user IN (\(names))
                THEN (SELECT pg_sleep(30))::text IS NOT NULL ELSE true END)
            """)
    }

    private func ask(_ target: String, _ role: String) throws -> RawClient {
        let client = try bench.client()
        client.send(
            "GET \(target) HTTP/1.1\r\nHost: localhost\r\nX-Remote-User: \(role)\r\n\r\n".utf8)
        return client
    }

    /// Another tenant is answered soon.
    private func expectOther(_ comment: Comment) throws {
        let begun = EventLoop.uptime
        let seen = try bench.seen("X-Remote-User: we\"ird")
        #expect(seen == ["o1", "Secret place"], comment)
        #expect(EventLoop.uptime - begun < Self.most, comment)
    }

    private func running() -> Int {
        let rows = try? bench.database.run(
            "SELECT count(*) FROM pg_stat_activity WHERE usename = 'board' AND state = 'active'")
        return rows?.values[0][0].flatMap { Int($0) } ?? -1
    }

    @Test("what is asked by those who hang up is taken back, at the database, too")
    func hangUps() throws {
        try slowDown(["reader"])
        var clients: [RawClient] = []
        for number in 0..<60 {
            clients.append(try ask("/v1/visits?box=b\(number)", "reader"))
            clients.append(try ask("/v1/now", "reader"))
        }
        #expect(try bench.loop.run { running() > 0 })
        clients = []
        try expectOther("after they have hung up")
        #expect(try bench.loop.run { running() == 0 })
    }

    @Test("one who asks much waits for himself alone, and is told that it is too much")
    func greedy() throws {
        try slowDown(["reader"])
        let clients = try (0..<80).map { try ask("/v1/visits?format=csv&box=b\($0)", "reader") }
        #expect(
            try bench.loop.run {
                for client in clients { client.read() }
                return clients.count { $0.status == "503" } >= 40
            })
        let busy = try #require(clients.first { $0.status == "503" })
        #expect(busy.received.contains("busy") && busy.received.contains("\r\nRetry-After: "))
        for _ in 0..<3 { try expectOther("while they wait") }
    }

    @Test("also where as many roles as there are connections have questions that take long")
    func crowd() throws {
        let roles = (1...9).map { "slow\($0)" }
        try slowDown(roles)
        let clients = try roles.flatMap { role in
            try ["/v1/now", "/v1/visits", "/v1/areas"].map { try ask($0, role) }
        }
        #expect(try bench.loop.run { running() >= 6 })
        for _ in 0..<3 { try expectOther("while all connections are in use") }
        withExtendedLifetime(clients) {}
    }

    @Test("the streams of one leave others their place")
    func streams() throws {
        let clients = try (0..<220).map { _ in try ask("/v1/live", "reader") }
        func has(_ client: RawClient, _ text: String) -> Bool {
            client.read()
            return client.received.contains(text)
        }
        #expect(try bench.loop.run { clients.allSatisfy { has($0, "\r\n\r\n") } })
        #expect(clients.count { $0.status == "503" } == 20)
        let other = try ask("/v1/live", "we\"ird")
        #expect(try bench.loop.run { has(other, "event: changed") })
        #expect(
            try bench.loop.run {
                for client in clients { client.read() }
                return clients.count { $0.status == "200" && $0.isClosed } == 1
            })
    }

    @Test("names that are nobody's, and connections that say nothing, are in nobody's way")
    func strangers() throws {
        var clients = try (0..<200).map { try ask("/v1/now", "nobody-\($0)") }
        try expectOther("beside names of nobody")
        clients = try (0..<400).map { _ in
            let client = try bench.client()
            for _ in 0..<2 { try bench.loop.runOnce(timeout: .milliseconds(0)) }
            return client
        }
        try expectOther("beside connections that say nothing")
        withExtendedLifetime(clients) {}
    }

    @Test("answers that nobody takes are given up when others need the memory")
    func untaken() throws {
        let title = String(repeating: "x", count: 200)
        try bench.database.runAll(
            """
            INSERT INTO fleet.event (tenant, box, log, seq, at, kind, fence, title, stay, inferred, details)
                SELECT b.tenant, b.id, '\(BoardBench.log)', 10 + n, now() - n * interval '1 second', 'exit',
                    'f' || n, '\(title)', '1 minute', false, '{}'
                FROM fleet.box b, generate_series(1, 10000) AS n
            """)
        let budget = try #require(bench.board?.budget)
        budget.most = 7 << 20
        // Each has 3 MB, of which a socket takes a part.
        func csv(_ number: Int) -> String { "/v1/visits?format=csv&until=2100-01-0\(number)" }
        let clients = try (1...6).map { try ask(csv($0), "reader") }
        // Of one role those that are taken stay, and the others are told so.
        #expect(
            try bench.loop.run(seconds: 60) {
                for client in clients.dropFirst(2) { client.read() }
                return clients.dropFirst(2).allSatisfy { $0.status == "503" }
            })
        #expect(budget.total > 5 << 20)
        let other = try bench.get(csv(1), "X-Remote-User: we\"ird")
        #expect(other.status == "200" && other.body.utf8.count > 2 << 20)
        #expect(budget.total <= 7 << 20)
        withExtendedLifetime(clients) {}
    }

    @Test("roles whose names differ in their bytes alone are two")
    func sameLetters() throws {
        let (composed, decomposed) = ("jos\u{E9}", "jose\u{301}")
        try bench.database.runAll(
            """
            CREATE ROLE "\(composed)" IN ROLE fleet_reader; GRANT "\(composed)" TO board;
            INSERT INTO fleet.access SELECT '\(composed)', id FROM fleet.tenant WHERE name = 'acme'
            """)
        #expect(try bench.seen("X-Remote-User: \(composed)") == ["a1", "Warehouse <b>"])
        for path in ["/v1/now", "/v1/live", "/v1/visits"] {
            #expect(try bench.get(path, "X-Remote-User: \(decomposed)").status == "403", "\(path)")
        }
        try bench.database.runAll(
            """
            CREATE ROLE "\(decomposed)" IN ROLE fleet_reader; GRANT "\(decomposed)" TO board;
            INSERT INTO fleet.access SELECT '\(decomposed)', id FROM fleet.tenant WHERE name = 'other'
            """)
        for _ in 0..<2 {
            #expect(try bench.seen("X-Remote-User: \(decomposed)") == ["o1", "Secret place"])
            #expect(try bench.seen("X-Remote-User: \(composed)") == ["a1", "Warehouse <b>"])
        }
    }

    @Test("a name that is longer than a role's can be is not that of the role it begins with")
    func longName() throws {
        let name = String(repeating: "r", count: 63)
        try bench.database.runAll(
            """
            CREATE ROLE \(name) IN ROLE fleet_reader; GRANT \(name) TO board;
            INSERT INTO fleet.access SELECT '\(name)', id FROM fleet.tenant WHERE name = 'acme'
            """)
        #expect(try bench.seen("X-Remote-User: \(name)") == ["a1", "Warehouse <b>"])
        #expect(try bench.seen("X-Remote-User: \(name)r") == ["403"])
    }
}
