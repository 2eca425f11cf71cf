import Foundation
import MQTT
import PostgreSQL
import SystemTestKit
import Systemd
import Testing

@testable import Ingesting

/// With Debian's mosquitto and PostgreSQL, the lists and the listeners of the manual page.
@MainActor
@Suite("Two tenants at one broker", .serialized)
final class TenantTests {
    private let server: PrivatePostgreSQL
    private let directory = TemporaryDirectory()
    private let loop: EventLoop
    private let database: Database
    /// By the port that the page has: 8883 of acme, 8884 of other, 8885 of the ingest.
    private var ports: [String: UInt16] = [:]
    private var broker: Subprocess?
    private var said: [String] = []
    private var ended = 0
    /// What each box was told.
    private var told: [String: Set<String>] = [:]
    private static let log = "5f0c2d9e4b7a4c0e8d1f3a6b9c2e5d71"

    init() throws {
        server = try #require(PrivatePostgreSQL())
        loop = try EventLoop()
        database = try #require(server.open())
        for tenant in ["acme", "other"] {
            _ = try Questions.setUp(database, tenant: tenant, retention: 12)
        }
        let root = #filePath.components(separatedBy: "/Tests/Fleet/")[0]
        let page = try String(
            contentsOfFile: "\(root)/docs/man/geofenced-ingest.8", encoding: .utf8
        ).components(separatedBy: "\n")
        func example(_ first: String) -> [String] {
            Array(page.drop { !$0.hasPrefix(first) }.prefix { $0 != ".Ed" })
        }
        let lists = example("pattern ")
        let patterns = lists.filter { $0.hasPrefix("pattern ") }
        #expect(patterns.count == 2)
        for (name, lines) in [
            ("acme", patterns),
            ("other", patterns.map { $0.replacingOccurrences(of: "acme", with: "other") }),
            ("ingest", lists.filter { !$0.hasPrefix("pattern ") }),
        ] {
            chmod(directory.write(lines.joined(separator: "\n") + "\n", to: "\(name).acl"), 0o644)
        }
        var config = geteuid() == 0 ? ["user root"] : []
        for line in example("per_listener_settings") {
            guard line.hasPrefix("listener ") else {
                config.append(
                    line.replacingOccurrences(of: "/etc/mosquitto", with: directory.path))
                continue
            }
            let port = try #require(freePort())
            ports[String(line.dropFirst("listener ".count))] = port
            // Who somebody is, is not the question here.
            config += ["listener \(port) 127.0.0.1", "allow_anonymous true"]
        }
        #expect(ports.keys.sorted() == ["8883", "8884", "8885"])
        let broker = Subprocess([
            "/usr/sbin/mosquitto", "-c",
            directory.write(config.joined(separator: "\n") + "\n", to: "mosquitto.conf"),
        ])
        self.broker = broker
        let all = ports.values
        try #require(waitUntil { all.allSatisfy { connects(to: $0) } }, "\(broker.errorsSoFar)")
    }

    private func connect(_ user: String, at listener: String) throws -> MQTTConnection {
        var settings = MQTTSettings(
            host: "127.0.0.1", port: try #require(ports[listener]), clientID: "any-\(user)")
        settings.user = user
        var isConnected = false
        let made = try MQTTConnection(loop, settings) { [weak self] event in
            switch event {
            case .connected(let reason): isConnected = !reason.isFailure
            case .message(let topic, _, _): self?.told[user, default: []].insert(topic)
            case .ended: self?.ended += 1
            default: return
            }
        }
        try #require(try loop.run { isConnected })
        return made
    }

    private func send(_ seq: Int, _ box: MQTTConnection, to topic: String) {
        let text = """
            {"v":2,"log":"\(Self.log)","prev":\(seq - 1),"event":{"seq":\(seq),\
            "kind":"enter","fence":"wh","time":"2026-11-22T06:41:07.250Z"}}
            """
        _ = box.publish(Array(text.utf8), to: topic)
    }

    private func rows(_ sql: String) throws -> [String] {
        try database.run(sql).values.map { $0.compactMap(\.self).joined(separator: " ") }
    }

    @Test("each box reaches its own tenant, under its own name, and hears what is for it alone")
    func apart() throws {
        var settings = MQTTSettings(
            host: "127.0.0.1", port: try #require(ports["8885"]), clientID: "")
        settings.user = "ingest"
        // Two ingests of one user: they do not end each other.
        let intakes = try ["a", "b"].map { worker in
            try Intake(
                IngestSettings(
                    brokers: [settings], database: server.address, isShared: true, retention: 12),
                worker: worker, loop: loop,
                log: { [weak self] in self?.said.append($1) }, status: { _ in },
                refuse: { Issue.record("\($0)") })
        }
        let boxes = [
            ("acme", "a1", try connect("a1", at: "8883")),
            ("other", "o1", try connect("o1", at: "8884")),
        ]
        for (_, _, box) in boxes { _ = box.subscribe(to: "gf/1/+/+/down/#") }
        let wanted = ["acme a1 9", "other o1 9"]
        let sql = """
            SELECT t.name, b.name, e.seq FROM fleet.event e JOIN fleet.box b ON b.id = e.box
            JOIN fleet.tenant t ON t.id = b.tenant ORDER BY 1, 2, 3
            """
        for _ in 1...60 {
            for (tenant, name, box) in boxes {
                // As others, of both tenants, and as the office.
                for topic in [
                    "gf/1/acme/o1/event", "gf/1/other/a1/event", "gf/1/acme/a2/event",
                    "gf/1/other/o2/event",
                    "gf/1/\(tenant == "acme" ? "other/o1" : "acme/a1")/event",
                ] { send(1, box, to: topic) }
                _ = box.publish(
                    Array(#"{"v":1,"database":"x"}"#.utf8), to: Claim.topic, isRetained: true)
                _ = box.publish(
                    Array(#"{"log":"\#(Self.log)","ranges":[[1,99]]}"#.utf8),
                    to: "gf/1/\(tenant == "acme" ? "other/o1" : "acme/a1")/down/ack")
                send(9, box, to: "gf/1/\(tenant)/\(name)/event")
            }
            let areThere = try loop.run(seconds: 1) {
                (try? rows(sql)) == wanted && told.count == 2
            }
            if areThere { break }
        }
        #expect(try rows(sql) == wanted, "\(said)")
        #expect(
            told == ["a1": ["gf/1/acme/a1/down/ack"], "o1": ["gf/1/other/o1/down/ack"]], "\(told)")
        #expect(try rows("SELECT reason FROM fleet.rejected").isEmpty)
        #expect(!said.contains { $0.contains("0x8E") || $0.contains("taken over") }, "\(said)")
        #expect(said.count { $0 == "broker 0: connected" } == 2, "\(said)")
        #expect(ended == 0)
        withExtendedLifetime(intakes) {}
    }

    @Test("two connections of one user end each other where the name of the user is the client's")
    func takenOver() throws {
        let first = try connect("a1", at: "8883")
        let second = try connect("a1", at: "8883")
        #expect(try loop.run { ended == 1 })
        withExtendedLifetime((first, second)) {}
    }
}
