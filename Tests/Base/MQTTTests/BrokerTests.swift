import Foundation
import Glibc
import MQTT
import SystemTestKit
import Systemd
import Testing
import Time

/// With Debian's mosquitto.
@MainActor
@Suite("A connection to a real broker", .serialized)
struct BrokerTests {
    private let directory = TemporaryDirectory()
    private let loop: EventLoop

    init() throws { loop = try EventLoop() }

    /// A broker on a port that was free just now, which allows writing below `open/` alone.
    private func broker() throws -> (process: Subprocess, port: UInt16) {
        let port = try #require(freePort())
        _ = directory.write(
            "topic readwrite open/#\ntopic read closed/#\n", to: "acl")
        let config = directory.write(
            """
            listener \(port) 127.0.0.1
            allow_anonymous true
            acl_file \(directory.file("acl"))
            \(geteuid() == 0 ? "user root" : "")
            """, to: "mosquitto.conf")
        let process = Subprocess(["/usr/sbin/mosquitto", "-c", config])
        try #require(waitUntil { connects(to: port) }, "\(process.errorsSoFar)")
        return (process, port)
    }

    private func settings(_ port: UInt16, _ id: String) -> MQTTSettings {
        MQTTSettings(host: "127.0.0.1", port: port, clientID: id)
    }

    @Test("what is published arrives, and a publication says whether somebody was there")
    func publishing() throws {
        let (broker, port) = try broker()
        var events: [MQTTEvent] = []
        let connection = try MQTTConnection(loop, settings(port, "a")) { events.append($0) }
        #expect(try loop.run { events == [.connected(.success)] })
        let lonely = try #require(connection.publish([1], to: "open/x"))
        let denied = try #require(connection.publish([1], to: "closed/x"))
        #expect(try loop.run { events.count == 3 })
        #expect(events.contains(.published(id: lonely, .noMatchingSubscribers)))
        #expect(events.contains(.published(id: denied, .notAuthorized)))
        let subscription = try #require(connection.subscribe(to: "open/#"))
        // Granted, with QoS 1.
        let granted = MQTTEvent.subscribed(id: subscription, MQTTReason(rawValue: 1))
        #expect(try loop.run { events.contains(granted) })
        let heard = try #require(connection.publish([2, 0, 3], to: "open/y"))
        #expect(
            try loop.run {
                events.contains(.published(id: heard, .success))
                    && events.contains(
                        .message(topic: "open/y", payload: [2, 0, 3], isRetained: false))
            })
        connection.sayGoodbye()
        #expect(try loop.run { events.last == .ended(.goodbye) })
        withExtendedLifetime(broker) {}
    }

    @Test("of two with one name the first loses the connection")
    func takeover() throws {
        let (broker, port) = try broker()
        var first: [MQTTEvent] = []
        var second: [MQTTEvent] = []
        let one = try MQTTConnection(loop, settings(port, "same")) { first.append($0) }
        #expect(try loop.run { first == [.connected(.success)] })
        let two = try MQTTConnection(loop, settings(port, "same")) { second.append($0) }
        // mosquitto 2.0.11 closes it without a word, later versions say why.
        let ends: [MQTTEvent] = [
            .ended(.broker(.sessionTakenOver)), .ended(.network("the connection was lost")),
        ]
        #expect(try loop.run { first.last.map(ends.contains) ?? false })
        #expect(try loop.run { second == [.connected(.success)] })
        withExtendedLifetime((broker, one, two)) {}
    }

    @Test("a broker that accepts and never answers costs no processor, and is given up when told")
    func silence() throws {
        let listener = try #require(Listener())
        var events: [MQTTEvent] = []
        var connection: MQTTConnection? = try MQTTConnection(
            loop, settings(listener.port, "a")
        ) { events.append($0) }
        try #require(waitUntil { Self.ticks() != nil })
        let before = try #require(Self.ticks())
        #expect(try !loop.run(seconds: 1) { !events.isEmpty })
        #expect(try #require(Self.ticks()) - before < 20)
        connection = nil
        #expect(connection == nil)
        #expect(events.isEmpty)
    }

    /// Processor time of the threads of connections, in hundredths of a second; nil if there are none.
    /// proc(5): `comm` is in parentheses, utime and stime are the 12th and 13th field after it.
    private static func ticks() -> Int? {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let times = tasks.compactMap { task -> Int? in
            guard
                let stat = try? String(
                    contentsOfFile: "/proc/self/task/\(task)/stat", encoding: .utf8),
                let end = stat.firstRange(of: " (mqtt) ")?.upperBound
            else { return nil }
            return stat[end...].split(separator: " ")[11...12].compactMap { Int($0) }.reduce(0, +)
        }
        return times.isEmpty ? nil : times.reduce(0, +)
    }

    @Test("a link connects again when the broker is back")
    func again() throws {
        let port = try #require(freePort())
        var states: [MQTTLink.State] = []
        let link = try MQTTLink(
            loop, settings(port, "a"), .init(changed: { states.append($0) }, event: { _ in }))
        #expect(
            try loop.run {
                states.contains { if case .waiting(.network, _) = $0 { true } else { false } }
            })
        let config = directory.write(
            "listener \(port) 127.0.0.1\nallow_anonymous true\n", to: "late.conf")
        let broker = Subprocess(["/usr/sbin/mosquitto", "-c", config])
        try #require(waitUntil { connects(to: port) }, "\(broker.errorsSoFar)")
        link.hurry()
        #expect(try loop.run(seconds: 20) { states.last == .connected })
        withExtendedLifetime(broker) {}
    }
}
