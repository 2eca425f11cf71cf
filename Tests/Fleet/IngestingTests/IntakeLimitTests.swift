import Glibc
import MQTT
import PostgreSQL
import SharedLimits
import SystemTestKit
import Systemd
import Testing

@testable import Ingesting

/// With Debian's mosquitto and PostgreSQL; the test is a box that sends what no uplink would.
@MainActor
@Suite("Messages of every size, from a broker into the database", .serialized)
final class IntakeLimitTests {
    private let server: PrivatePostgreSQL
    private let directory = TemporaryDirectory()
    private let loop: EventLoop
    private let port: UInt16
    private let broker: Subprocess
    private let database: Database
    private var said: [String] = []
    private var acknowledged: Set<Int64> = []
    private var isConnected = false
    private static let log = "5f0c2d9e4b7a4c0e8d1f3a6b9c2e5d71"

    init() throws {
        server = try #require(PrivatePostgreSQL())
        loop = try EventLoop()
        port = try #require(freePort())
        let config = directory.write(
            """
            listener \(port) 127.0.0.1
            allow_anonymous true
            \(geteuid() == 0 ? "user root" : "")
            """, to: "mosquitto.conf")
        broker = Subprocess(["/usr/sbin/mosquitto", "-c", config])
        let (port, broker) = (port, broker)
        try #require(waitUntil { connects(to: port) }, "\(broker.errorsSoFar)")
        database = try #require(server.open())
        _ = try Questions.setUp(database, tenant: "acme", retention: 12)
    }

    private func ask(_ sql: String) throws -> String? {
        let rows = try database.run(sql)
        return rows.values.first?.first ?? nil
    }

    private func box() throws -> MQTTConnection {
        let settings = MQTTSettings(host: "127.0.0.1", port: port, clientID: "b1")
        var own: MQTTConnection?
        let box = try MQTTConnection(loop, settings) { [weak self] event in
            switch event {
            case .connected: _ = own?.subscribe(to: "gf/1/acme/b1/down/#")
            case .subscribed: self?.isConnected = true
            case .message(_, let payload, _):
                // {"log":…,"ranges":[[1,2]]}: every number is acknowledged alone, or with others.
                let text = String(decoding: payload, as: UTF8.self)
                guard let list = text.split(separator: "\"ranges\":").last else { return }
                let numbers = list.split { !$0.isNumber }.compactMap { Int64($0) }
                for index in stride(from: 0, to: numbers.count - 1, by: 2) {
                    self?.acknowledged.formUnion(numbers[index]...numbers[index + 1])
                }
            default: return
            }
        }
        own = box
        defer { own = nil }
        try #require(try loop.run { isConnected })
        return box
    }

    /// An event with that many bytes in one of its members.
    private func event(_ number: Int, _ member: String, _ size: Int) -> String {
        let text = String(repeating: "x", count: size)
        let value = member == "metadata" ? #"{"Text":"\#(text)"}"# : #""\#(text)""#
        let fence = member == "fence" ? "" : #""fence":"f","#
        return #"""
            {"v":2,"log":"\#(Self.log)","prev":0,"event":{"seq":\#(number),"kind":"dwell",\#(fence)\#
            "time":"2026-11-22T06:41:07.250Z","\#(member)":\#(value)}}
            """#
    }

    @Test("what is acknowledged is stored, or set aside with its content; nothing else is lost")
    func sizes() throws {
        let box = try box()
        // Retained, and larger than any ingest can read: mosquitto drops it for that one.
        _ = box.publish(
            Array(repeating: 0x20, count: 4 << 20), to: "gf/1/acme/b2/status", isRetained: true)
        _ = box.publish(Array("{}".utf8), to: "gf/1/acme/b1/status", isRetained: true)
        var shard = MQTTSettings(host: "127.0.0.1", port: port, clientID: "")
        // As from a file: what is dropped here, a box sends again.
        shard.waitingLimit = 64 << 20
        shard.packetLimit = UInt32(SharedLimits.packetToOffice)
        let settings = IngestSettings(
            brokers: [shard], database: server.address, isShared: true, retention: 12)
        let intake = try Intake(
            settings, worker: "test", loop: loop,
            log: { [weak self] in self?.said.append($1) }, status: { _ in },
            refuse: { Issue.record("\($0)") })
        #expect(
            try loop.run(seconds: 30) { (try? ask("SELECT count(*) FROM fleet.box")) == "1" },
            "\(said)")
        var events: [Int: String] = [:]
        for (member, limit) in [
            ("fence", SharedLimits.fenceID), ("title", SharedLimits.fenceTitle),
            ("metadata", SharedLimits.fenceMetadata), ("metadata", SharedLimits.eventDetails),
            ("metadata", SharedLimits.message / 2), ("metadata", SharedLimits.message),
        ] {
            for size in [
                1, limit / 2, limit - 200, limit - 1, limit, limit + 1, limit + limit / 2,
            ] where size > 0 {
                let number = events.count + 1
                events[number] = event(number, member, size)
            }
        }
        for number in 1...events.count {
            let payload = Array((events[number] ?? "").utf8)
            #expect(payload.count < SharedLimits.packetToOffice)
            _ = box.publish(payload, to: "gf/1/acme/b1/event")
        }
        // Without a number nobody can acknowledge it, but its content is there.
        let lost = "[" + String(repeating: "1,", count: 300_000) + "1]"
        _ = box.publish(Array(lost.utf8), to: "gf/1/acme/b1/event")
        _ = box.publish(
            Array(repeating: 0x20, count: SharedLimits.status + 1), to: "gf/1/acme/b1/status")
        func rows(_ table: String) -> Int {
            (try? ask("SELECT count(*) FROM fleet.\(table)")).flatMap(\.self).flatMap { Int($0) }
                ?? 0
        }
        try #require(
            try loop.run(seconds: 60) {
                rows("event") + rows("rejected") == events.count + 2
            }, "\(rows("event")) \(rows("rejected")) of \(events.count) \(said)")
        let stored = try database.run("SELECT seq FROM fleet.event").values
        let numbers = Set(stored.compactMap { $0.first.flatMap(\.self).flatMap { Int($0) } })
        for (number, text) in events {
            let isStored = numbers.contains(number)
            let aside = try database.run(
                "SELECT count(*) FROM fleet.rejected WHERE payload = convert_to($1, 'UTF8')", [text]
            )
            #expect(isStored != (aside.values == [["1"]]), "\(number)")
            // The largest whose head can be read at all.
            guard text.utf8.count <= SharedLimits.message else { continue }
            #expect(
                try loop.run(seconds: 10) { acknowledged.contains(Int64(number)) }, "\(number)")
        }
        // All that a box may have, the metadata of a fence included.
        #expect(
            try ask("SELECT max(length(details->'metadata'->>'Text')) FROM fleet.event")
                .flatMap { Int($0) } ?? 0 >= SharedLimits.fenceMetadata)
        withExtendedLifetime((intake, broker)) {}
    }
}
