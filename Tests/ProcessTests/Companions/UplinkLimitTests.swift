import Geodesy
import Glibc
import JSON
import MQTT
import Model
import Monitoring
import SystemTestKit
import Systemd
import Testing

/// The real geofenced-uplink at Debian's mosquitto, which takes little at once.
@MainActor
@Suite("geofenced-uplink at a broker with a limit", .serialized)
final class UplinkLimitTests {
    private let daemon: ServedDaemon
    private let directory = TemporaryDirectory()
    private var reader: MQTTConnection?
    private var isSubscribed = false
    /// Of the events that have arrived.
    private var arrived: [JSONValue] = []

    init() throws { daemon = try ServedDaemon() }

    private func broker(_ limit: String) throws -> (process: Subprocess, port: UInt16) {
        let port = try #require(freePort())
        let config = directory.write(
            """
            listener \(port) 127.0.0.1
            allow_anonymous true
            \(limit)
            \(geteuid() == 0 ? "user root" : "")
            """, to: "mosquitto.conf")
        let broker = Subprocess(["/usr/sbin/mosquitto", "-c", config])
        try #require(waitUntil { connects(to: port) }, "\(broker.errorsSoFar)")
        return (broker, port)
    }

    private func read(_ port: UInt16) throws {
        let settings = MQTTSettings(host: "127.0.0.1", port: port, clientID: "reader")
        reader = try MQTTConnection(daemon.loop, settings) { [weak self] event in
            switch event {
            case .connected: _ = self?.reader?.subscribe(to: "gf/1/+/+/event")
            case .subscribed: self?.isSubscribed = true
            case .message(_, let payload, _):
                let json = (try? JSONValue(parsing: payload)) ?? .null
                self?.arrived += json.array ?? [json]
            case .published, .ended: break
            }
        }
        #expect(try daemon.loop.run { isSubscribed })
    }

    /// A circle at the road, whose events carry metadata of that many bytes.
    private func add(_ id: String, east: Double, metadata: Int) throws {
        let center = Coordinate(latitude: 48, longitude: 11 + east / 74_600)
        let text = String(repeating: "x", count: metadata)
        let fence = Fence(
            id: id, area: try Area(.circle(center: center, radius: 100)),
            metadata: #"{"Text":"\#(text)"}"#)
        _ = try daemon.monitoring.apply(upserts: [fence], removing: [], at: EventLoop.uptime)
    }

    /// The first says what it takes, the second refuses what is larger.
    @Test(
        "many events go in batches that fit; one that does not goes without its metadata",
        arguments: ["max_packet_size 5000", "message_size_limit 5000"])
    func limit(_ limit: String) throws {
        let (broker, port) = try broker(limit)
        try read(port)
        let sizes = [10, 4000, 4400, 4700, 5000, 9000, 60_000]
        for (number, size) in sizes.enumerated() {
            try add("big\(number)", east: 300 + 300 * Double(number), metadata: size)
        }
        for number in 0..<33 {
            try daemon.add("f\(number)", east: 2700 + 300 * Double(number))
        }
        daemon.drive(from: 0, to: 13_000)
        directory.write(
            """
            [Uplink]
            URL=mqtt://127.0.0.1:\(port)
            Tenant=acme
            Box=box1
            From=oldest
            Ack=broker
            [Fields]
            Metadata=Text
            """, to: "uplink.conf")
        let uplink = Subprocess(
            [
                builtProgram("geofenced-uplink"), "--bus", daemon.bus.address, "--config",
                directory.file("uplink.conf"), "fleet",
            ], environment: ["NOTIFY_SOCKET": nil])
        func numbers() -> Set<Int64> { Set(arrived.compactMap { $0["event"]?["seq"]?.integer }) }
        #expect(
            try daemon.loop.run(seconds: 60) { numbers() == Set(1...80) },
            "\(numbers().count) \(uplink.errorsSoFar)")
        for event in arrived.compactMap({ $0["event"] }) {
            guard let fence = event["fence"]?.string, let number = Int(fence.dropFirst(3)),
                fence.hasPrefix("big")
            else { continue }
            let kept = event["metadata"]?["Text"]?.string?.utf8.count
            let isCut = event["cut"]?.array?.contains("metadata") == true
            #expect(isCut ? kept == nil : kept == sizes[number])
            #expect(isCut || sizes[number] < 5000)
            #expect(!isCut || sizes[number] > 4400)
        }
        #expect(
            try daemon.loop.run(seconds: 20) {
                (try? daemon.monitoring.consumers().first?.acknowledged) == 80
            })
        withExtendedLifetime(broker) {}
    }
}
