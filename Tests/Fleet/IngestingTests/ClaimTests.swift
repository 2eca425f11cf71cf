import Foundation
import MQTT
import PostgreSQL
import SystemTestKit
import Systemd
import Testing
import Time

@testable import Ingesting

/// With Debian's mosquitto, PostgreSQL, and the access list of the manual page.
@MainActor
@Suite("Whose a broker is", .serialized)
final class ClaimTests {
    private let server: PrivatePostgreSQL
    private let directory = TemporaryDirectory()
    private let loop: EventLoop
    private let port: UInt16
    private var broker: Subprocess?
    /// A second one.
    private let otherPort: UInt16
    private var otherBroker: Subprocess?
    private var said: [String: [String]] = [:]
    private var refused: [String: String] = [:]
    private var kept: String?
    private static let log = "5f0c2d9e4b7a4c0e8d1f3a6b9c2e5d71"

    init() throws {
        server = try #require(PrivatePostgreSQL())
        loop = try EventLoop()
        port = try #require(freePort())
        otherPort = try #require(freePort())
        let database = try #require(server.open())
        for name in ["north", "south"] {
            try database.runAll("CREATE DATABASE \(name)")
            _ = try Questions.setUp(open(name), tenant: "acme", retention: 12)
        }
    }

    private func address(_ name: String) -> String { server.address + " dbname=\(name)" }

    private func open(_ name: String) throws -> Database {
        try Database(address(name), program: "test")
    }

    private func value(_ name: String, _ sql: String) throws -> String? {
        try open(name).run(sql).values.first?.first ?? nil
    }

    /// Between the lines of the page that begin and end the example.
    private func accessList() throws -> String {
        let root = #filePath.components(separatedBy: "/Tests/Fleet/")[0]
        let page = try String(
            contentsOfFile: "\(root)/docs/man/geofenced-ingest.8", encoding: .utf8)
        let lines = page.split(separator: "\n").drop { !$0.hasPrefix("pattern ") }.prefix {
            $0 != ".Ed"
        }
        #expect(lines.contains("topic readwrite gf/1/office"))
        return lines.joined(separator: "\n") + "\n"
    }

    private func start(_ list: String? = nil) throws { broker = try start(list, at: port) }

    private func start(_ list: String? = nil, at port: UInt16) throws -> Subprocess {
        let list = directory.write(try list ?? accessList(), to: "list")
        chmod(list, 0o644)
        let config = directory.write(
            """
            listener \(port) 127.0.0.1
            allow_anonymous true
            acl_file \(list)
            \(geteuid() == 0 ? "user root" : "")
            """, to: "mosquitto-\(port).conf")
        let broker = Subprocess(["/usr/sbin/mosquitto", "-c", config])
        try #require(waitUntil { connects(to: port) }, "\(broker.errorsSoFar)")
        return broker
    }

    private func stop() {
        broker?.signal(SIGKILL)
        _ = broker?.wait(seconds: 10)
    }

    private func intake(
        _ name: String, as worker: String, takesOver: Bool = false, at ports: [UInt16] = []
    ) throws -> Intake {
        let brokers = (ports.isEmpty ? [port] : ports).map { port in
            var settings = MQTTSettings(host: "127.0.0.1", port: port, clientID: "")
            settings.user = "ingest"
            return settings
        }
        return try Intake(
            IngestSettings(
                brokers: brokers, database: address(name), isShared: true, retention: 12),
            worker: worker, takesOver: takesOver, loop: loop,
            log: { [weak self] in self?.said[worker, default: []].append($1) },
            status: { [weak self] in self?.said[worker, default: []].append("status: \($0)") },
            refuse: { [weak self] in self?.refused[worker] = $0 })
    }

    /// Somebody at the broker, who reads what is kept there.
    private func client(_ user: String, at port: UInt16? = nil) throws -> MQTTConnection {
        var settings = MQTTSettings(
            host: "127.0.0.1", port: port ?? self.port, clientID: user)
        settings.user = user
        var isConnected = false
        let client = try MQTTConnection(loop, settings) { [weak self] event in
            switch event {
            case .connected: isConnected = true
            case .message(Claim.topic, let payload, true):
                self?.kept = String(decoding: payload, as: UTF8.self)
            default: return
            }
        }
        try #require(try loop.run { isConnected })
        return client
    }

    /// What a new connection is told.
    private func isKept(_ name: String) throws -> Bool {
        let reader = try client("ingest")
        let id = try #require(try value(name, "SELECT fleet.identity()"))
        for _ in 1...10 {
            kept = nil
            // What is retained comes after every subscription.
            _ = reader.subscribe(to: Claim.topic)
            let isThere = try loop.run(seconds: 1) { kept == #"{"v":1,"database":"\#(id)"}"# }
            if isThere { return true }
        }
        return false
    }

    /// A box sends again what nobody has acknowledged.
    private func send(_ seq: Int, until name: String) throws {
        let box = try client("b1")
        let text = """
            {"v":2,"log":"\(Self.log)","prev":\(seq - 1),"event":{"seq":\(seq),\
            "kind":"enter","fence":"wh","time":"2026-11-22T06:41:07.250Z"}}
            """
        for _ in 1...60 {
            _ = box.publish(Array(text.utf8), to: "gf/1/acme/b1/event")
            let isThere = try loop.run(seconds: 1) {
                (try? numbers(name))??.split(separator: " ").last == "\(seq)"
            }
            if isThere { return }
        }
        Issue.record("\(seq) is not in \(name): \(said)")
    }

    private func numbers(_ name: String) throws -> String? {
        try value(name, "SELECT string_agg(seq::text, ' ' ORDER BY seq) FROM fleet.event")
    }

    @Test("the first database has it, with all its ingests; another one is refused, or takes it")
    func another() throws {
        try start()
        var first: Intake? = try intake("north", as: "n1")
        #expect(try isKept("north"), "\(said)")
        let second = try intake("north", as: "n2")
        try send(1, until: "north")
        // A restart.
        first = nil
        first = try intake("north", as: "n1")
        let other = try intake("south", as: "s1")
        #expect(try loop.run(seconds: 30) { refused["s1"] != nil }, "\(said)")
        let id = try #require(try value("north", "SELECT fleet.identity()"))
        #expect(refused["s1"]?.contains("that of another database, \(id)") == true)
        try send(2, until: "north")
        #expect(refused.keys.sorted() == ["s1"])
        #expect(try numbers("north") == "1 2")
        #expect(try numbers("south") == nil)
        let taker = try intake("south", as: "s2", takesOver: true)
        #expect(
            try loop.run(seconds: 30) { refused.keys.sorted() == ["n1", "n2", "s1"] }, "\(said)")
        #expect(try isKept("south"))
        withExtendedLifetime((first, second, other, taker)) {}
    }

    @Test("of several brokers that of another database is left alone, and taken when it is ours")
    func oneOfSeveral() throws {
        try start()
        otherBroker = try start(at: otherPort)
        let writer = try client("ingest", at: otherPort)
        func claim(_ id: String) {
            let text = #"{"v":1,"database":"\#(id)"}"#
            _ = writer.publish(Array(text.utf8), to: Claim.topic, isRetained: true)
        }
        let (alone, ours) = (
            "broker 1 is that of another database",
            try #require(try value("north", "SELECT fleet.identity()"))
        )
        func isTold() -> Bool {
            said["n1"]?.last { $0.hasPrefix("status: ") }?.hasSuffix(alone) == true
        }
        let box = try client("b2", at: otherPort)
        /// An event of the box there, which is all that is sent.
        func sendThere(_ seq: Int) {
            let text = """
                {"v":2,"log":"\(Self.log)","prev":\(seq - 1),"event":{"seq":\(seq),\
                "kind":"enter","fence":"wh","time":"2026-11-22T06:41:07.250Z"}}
                """
            _ = box.publish(Array(text.utf8), to: "gf/1/acme/b2/event")
        }
        let count = """
            SELECT count(*) FROM fleet.event e JOIN fleet.box b ON b.id = e.box WHERE name = 'b2'
            """
        claim("another")
        let ingest = try intake("north", as: "n1", at: [port, otherPort])
        #expect(try loop.run(seconds: 30) { isTold() }, "\(said)")
        sendThere(1)
        try send(1, until: "north")
        #expect(try value("north", count) == "0")
        claim(ours)
        #expect(try loop.run(seconds: 30) { !isTold() }, "\(said)")
        #expect(
            try loop.run(seconds: 30) {
                sendThere(1)
                return (try? value("north", count)) == "1"
            })
        // It becomes another one's while it is used.
        claim("another")
        #expect(try loop.run(seconds: 30) { isTold() }, "\(said)")
        sendThere(2)
        try send(2, until: "north")
        #expect(try value("north", count) == "1")
        #expect(refused.isEmpty)
        #expect(said["n1"]?.count { $0.contains("run --take-over") } == 2, "\(said)")
        withExtendedLifetime(ingest) {}
    }

    @Test("a broker that has forgotten it is told again; a restored backup is the same database")
    func again() throws {
        try start()
        var ingest: Intake? = try intake("north", as: "n1")
        #expect(try isKept("north"), "\(said)")
        stop()
        try start()
        #expect(try loop.run(seconds: 60) { (try? isKept("north")) == true }, "\(said)")
        ingest = nil
        let admin = try #require(server.open())
        try admin.runAll("CREATE DATABASE restored TEMPLATE north")
        ingest = try intake("restored", as: "r1")
        try send(1, until: "restored")
        #expect(refused.isEmpty)
        withExtendedLifetime(ingest) {}
    }

    @Test(
        "where the list hides it nothing is taken, and that is said; a box may not write it",
        arguments: ["topic readwrite gf/1/office", "topic read", "topic write"])
    func hidden(_ left: String) throws {
        let whole = "topic readwrite gf/1/office"
        let list = try accessList().split(separator: "\n").filter { $0 != whole }
        let half = left == whole ? "" : "\(left) gf/1/office\n"
        try start(list.joined(separator: "\n") + "\n" + half)
        let ingest = try intake("north", as: "n1")
        #expect(
            try loop.run(seconds: 60) {
                said["n1"]?.contains {
                    $0.hasSuffix("left to the boxes, broker 0 hides gf/1/office")
                }
                    == true
            }, "\(said)")
        let box = try client("b1")
        _ = box.publish(Array("{}".utf8), to: "gf/1/acme/b1/event")
        // The list is mended.
        directory.write(try accessList(), to: "list")
        broker?.signal(SIGHUP)
        _ = box.publish(
            Array(#"{"v":1,"database":"that of a box"}"#.utf8), to: Claim.topic, isRetained: true)
        try send(1, until: "north")
        #expect(try isKept("north"))
        #expect(refused.isEmpty)
        // What the box had sent before was nobody's.
        #expect(try value("north", "SELECT count(*) FROM fleet.rejected") == "0")
        withExtendedLifetime(ingest) {}
    }

    @Test("a broker that was taken over is not taken again from whoever has it then")
    func once() throws {
        var (sent, refusal): ([String], String?) = ([], nil)
        let claims = Claims(takesOver: true, log: { _, _ in }, refuse: { refusal = $0 })
        claims.subscribe = { _ in 7 }
        claims.publish = { _, payload, _ in
            sent.append(String(decoding: payload, as: UTF8.self))
            return 8
        }
        func hear(_ text: String) {
            let payload = Array(text.utf8)
            _ = claims.take(.message(topic: Claim.topic, payload: payload, isRetained: true), 0)
        }
        claims.identify("a", 0..<1)
        for isFirst in [true, false] {
            #expect(!claims.isOurs(0))
            #expect(claims.take(.subscribed(id: 7, MQTTReason(rawValue: 0)), 0))
            hear(#"{"v":1,"database":"b"}"#)
            // The question comes back.
            hear(try #require(sent.last))
            #expect((refusal == nil) == isFirst)
            guard isFirst else { break }
            #expect(sent.last == #"{"v":1,"database":"a"}"#)
            hear(try #require(sent.last))
            #expect(claims.isOurs(0))
            claims.end(0)
            claims.ask(0)
        }
        #expect(refusal?.contains("another database, b,") == true)
        #expect(!claims.isOurs(0))
    }

    @Test(
        "what is there and no identity is another's, and what others ask is nothing",
        arguments: ["x", "{}", #"{"database":7}"#, String(repeating: "x", count: 5000)])
    func garbage(_ text: String) throws {
        var claim = Claim("a", takesOver: false, subscription: 7, at: .boot)
        let question = claim.ask()
        #expect(claim.heard(Array(#"{"v":1,"asks":"0"}"#.utf8)) == nil)
        #expect(claim.heard(Array(text.utf8)) == nil)
        #expect(claim.heard(question) == .refuse("what is no identity"))
        // It was removed, by hand.
        claim = Claim("a", takesOver: false, subscription: 7, at: .boot)
        let other = claim.ask()
        #expect(claim.heard(Array(text.utf8)) == nil)
        #expect(claim.heard([]) == nil)
        #expect(claim.heard(other) == .publish(Array(#"{"v":1,"database":"a"}"#.utf8)))
        #expect(claim.heard(Array(#"{"v":1,"database":"a"}"#.utf8)) == .admit)
    }
}
