import Foundation
import MQTT
import SystemTestKit
import Systemd
import Testing

/// What a broker sends has a limit before libmosquitto has read it.
@MainActor
@Suite(
    "A connection to a broker that sends too much", .serialized,
    .enabled(
        if: ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil,
        "for builds without the sanitizer, which has memory of its own")
)
struct HostileBrokerTests {
    private let loop: EventLoop
    private static let limit: UInt32 = 64 << 10

    init() throws { loop = try EventLoop() }

    private func settings(_ port: UInt16) -> MQTTSettings {
        var settings = MQTTSettings(host: "127.0.0.1", port: port, clientID: "a")
        settings.packetLimit = Self.limit
        return settings
    }

    @Test("is left after as much as one packet may have, says so, and is made again")
    func drip() throws {
        let broker = try #require(HostileBroker(.drip, size: 200_000_000, topic: "t"))
        var states: [MQTTLink.State] = []
        var messages = 0
        let link = try link(to: broker, { states.append($0) }, { messages += 1 })
        func floods() -> Int {
            states.count { if case .waiting(.tooLarge, _) = $0 { true } else { false } }
        }
        #expect(try loop.run(seconds: 30) { floods() == 1 && broker.sent.count == 1 }, "\(states)")
        #expect(broker.asked == [Int(Self.limit)])
        // Twice the limit, and what was on its way in the buffers of both sides.
        #expect(try #require(broker.sent.first) < 20 << 20)
        #expect(messages == 0)
        #expect(try loop.run(seconds: 30) { floods() == 2 }, "\(states)")
        withExtendedLifetime(link) {}
    }

    @Test("is left when it begins more messages than it ends")
    func unfinished() throws {
        let broker = try #require(HostileBroker(.unfinished, size: 200_000_000, topic: "t"))
        var ends = 0
        let link = try link(to: broker, { if case .waiting = $0 { ends += 1 } }, {})
        #expect(try loop.run(seconds: 30) { ends > 0 && !broker.sent.isEmpty })
        #expect(try #require(broker.sent.first) < 20 << 20)
        withExtendedLifetime(link) {}
    }

    private func link(
        to broker: HostileBroker, _ changed: @escaping @MainActor (MQTTLink.State) -> Void,
        _ message: @escaping @MainActor () -> Void
    ) throws -> MQTTLink {
        try MQTTLink(
            loop, settings(broker.port),
            .init(changed: changed, event: { if case .message = $0 { message() } }))
    }

    @Test("answers that nobody has asked for do not fill the memory")
    func answers() throws {
        let broker = try #require(HostileBroker(.answers, size: 6_000_000, topic: "t"))
        var told = 0
        var connection: MQTTConnection?
        connection = try MQTTConnection(loop, settings(broker.port)) { event in
            if case .subscribed = event { told += 1 }
        }
        // Nothing is taken from the queue meanwhile.
        #expect(try loop.run(seconds: 30) { told > 0 })
        let queued = try #require(connection)
        #expect(waitUntil(seconds: 60) { queued.dropped > 0 })
        connection = nil
    }
}
