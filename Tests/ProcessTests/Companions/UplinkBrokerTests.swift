import Geodesy
import Glibc
import JSON
import MQTT
import Model
import Monitoring
import SystemTestKit
import Systemd
import Testing
import Time

/// The real geofenced-uplink, between a daemon that the test drives and Debian's mosquitto; the
/// test is the ingest.
@MainActor
@Suite("geofenced-uplink at a broker", .serialized)
final class UplinkBrokerTests {
    private let daemon: ServedDaemon
    private let directory = TemporaryDirectory()
    private let port: UInt16
    private let broker: Subprocess
    private var ingest: MQTTConnection?
    /// Of the events that have arrived.
    private var arrived: [JSONValue] = []
    private var positions: [JSONValue] = []
    private var isSubscribed = false
    /// The state in the status that the broker keeps.
    private var status: String?
    /// The number of events in it.
    private var waiting: Int64?

    init() throws {
        daemon = try ServedDaemon()
        try daemon.add("a", east: 300)
        port = try #require(freePort())
        directory.write("topic readwrite gf/1/acme/#\n", to: "acl")
        let config = directory.write(
            """
            listener \(port) 127.0.0.1
            allow_anonymous true
            acl_file \(directory.file("acl"))
            \(geteuid() == 0 ? "user root" : "")
            """, to: "mosquitto.conf")
        broker = Subprocess(["/usr/sbin/mosquitto", "-c", config])
        let (port, broker) = (port, broker)
        try #require(waitUntil { connects(to: port) }, "\(broker.errorsSoFar)")
    }

    private func listen() throws {
        let settings = MQTTSettings(host: "127.0.0.1", port: port, clientID: "ingest")
        ingest = try MQTTConnection(daemon.loop, settings) { [weak self] event in
            switch event {
            case .connected:
                _ = self?.ingest?.subscribe(to: "gf/1/+/+/status")
                _ = self?.ingest?.subscribe(to: "gf/1/+/+/event")
                _ = self?.ingest?.subscribe(to: "gf/1/+/+/position")
            case .subscribed: self?.isSubscribed = true
            case .message(let topic, let payload, _):
                let json = (try? JSONValue(parsing: payload)) ?? .null
                if topic == "gf/1/acme/box1/status" {
                    self?.status = json["state"]?.string
                    self?.waiting = json["waiting"]?.integer
                } else if topic == "gf/1/acme/box1/position" {
                    self?.positions.append(json["position"] ?? .null)
                } else {
                    self?.arrived += json.array ?? [json]
                }
            case .published, .ended: break
            }
        }
        #expect(try daemon.loop.run { isSubscribed })
    }

    private func acknowledge(_ range: ClosedRange<Int>) {
        let log = daemon.monitoring.logID
        let text = #"{"log":"\#(log)","ranges":[[\#(range.lowerBound),\#(range.upperBound)]]}"#
        _ = ingest?.publish(Array(text.utf8), to: "gf/1/acme/box1/down/ack")
    }

    private func start(
        _ settings: String = "", tenant: String = "acme", name: String = "fleet"
    ) -> Subprocess {
        directory.write(
            """
            [Uplink]
            URL=mqtt://127.0.0.1:\(port)
            Tenant=\(tenant)
            Box=box1
            From=oldest
            \(settings)
            """, to: "uplink.conf")
        return Subprocess(
            [
                builtProgram("geofenced-uplink"), "--bus", daemon.bus.address, "--config",
                directory.file("uplink.conf"), name,
            ], environment: ["NOTIFY_SOCKET": nil])
    }

    private var numbers: [Int64] { arrived.compactMap { $0["event"]?["seq"]?.integer } }
    private var acknowledged: UInt64? { try? daemon.monitoring.consumers().first?.acknowledged }

    @Test("an event counts when the back office has said so, and comes again after a kill before")
    func backend() throws {
        try listen()
        let uplink = start()
        daemon.drive(from: 0, to: 600)
        #expect(try daemon.loop.run(seconds: 20) { numbers == [1, 2] }, "\(uplink.errorsSoFar)")
        #expect(acknowledged == 0)
        uplink.signal(SIGKILL)
        arrived = []
        let other = start()
        #expect(try daemon.loop.run(seconds: 20) { numbers == [1, 2] }, "\(other.errorsSoFar)")
        acknowledge(1...2)
        #expect(try daemon.loop.run(seconds: 20) { acknowledged == 2 }, "\(other.errorsSoFar)")
        #expect(arrived[0]["prev"]?.integer == 0 && arrived[1]["prev"]?.integer == 1)
    }

    @Test("the status that the broker keeps says what waits, and later that nothing does")
    func kept() throws {
        try listen()
        daemon.drive(from: 0, to: 600)
        let uplink = start()
        #expect(
            try daemon.loop.run(seconds: 30) { status == "draining" && waiting == 2 },
            "\(uplink.errorsSoFar)")
        acknowledge(1...2)
        #expect(
            try daemon.loop.run(seconds: 30) { status == "idle" && waiting == 0 },
            "\(uplink.errorsSoFar)")
    }

    @Test("between events it is told where the vehicle is, as often as is wished, once a fix")
    func positionsBetween() throws {
        try listen()
        daemon.drive(from: 0, to: 100)
        let uplink = start("Position=yes\nPositionEverySec=1\nReconnectSpreadSec=0")
        #expect(try daemon.loop.run(seconds: 20) { positions.count == 1 }, "\(uplink.errorsSoFar)")
        daemon.drive(from: 100, to: 200)
        #expect(try daemon.loop.run(seconds: 20) { positions.count == 2 }, "\(uplink.errorsSoFar)")
        // The same fix again is none.
        #expect(try !daemon.loop.run(seconds: 3) { positions.count > 2 })
        let fix = try #require(daemon.monitoring.lastFix)
        #expect(positions[1]["time"]?.string == fix.time.iso8601)
        let longitude = try #require(positions[1]["longitude"]?.double)
        #expect(abs(longitude - fix.coordinate.longitude) < 1e-7)
        #expect(positions[1]["error_m"]?.double != nil)
        // It may have been lost with the connection, and a parked vehicle has no other one.
        uplink.signal(SIGSTOP)
        broker.signal(SIGKILL)
        _ = broker.wait(seconds: 10)
        let again = Subprocess(["/usr/sbin/mosquitto", "-c", directory.file("mosquitto.conf")])
        let port = port
        try #require(waitUntil { connects(to: port) }, "\(again.errorsSoFar)")
        isSubscribed = false
        try listen()
        uplink.signal(SIGCONT)
        #expect(try daemon.loop.run(seconds: 20) { positions.count == 3 }, "\(uplink.errorsSoFar)")
        #expect(positions[2] == positions[1])
    }

    @Test("what the office has lost is sent again from the log, and what the log has lost is a gap")
    func resent() throws {
        try listen()
        let uplink = start()
        daemon.drive(from: 0, to: 600)
        #expect(try daemon.loop.run(seconds: 20) { numbers == [1, 2] }, "\(uplink.errorsSoFar)")
        acknowledge(1...2)
        #expect(try daemon.loop.run(seconds: 20) { acknowledged == 2 }, "\(uplink.errorsSoFar)")
        arrived = []
        // The range reaches beyond the log, and a part of it is asked for twice.
        let text = #"{"log":"\#(daemon.monitoring.logID)","ranges":[[2,9],[1,1],[1,2]]}"#
        _ = ingest?.publish(Array(text.utf8), to: "gf/1/acme/box1/down/resend")
        #expect(
            try daemon.loop.run(seconds: 20) { numbers.sorted() == [1, 2] },
            "\(uplink.errorsSoFar) \(arrived)")
        #expect(arrived.map { $0["prev"]?.integer } == [1, 0])
        // Another log's numbers are not ours.
        arrived = []
        let other = #"{"log":"00000000000040000000000000000002","ranges":[[1,2]]}"#
        for text in [other, "[]", text] {
            _ = ingest?.publish(Array(text.utf8), to: "gf/1/acme/box1/down/resend")
        }
        #expect(try daemon.loop.run(seconds: 20) { numbers.count == 2 }, "\(arrived)")
    }

    @Test("what a filter keeps back is no hole")
    func filtered() throws {
        try listen()
        let uplink = start("[Filter]\nKinds=exit")
        daemon.drive(from: 0, to: 600)
        #expect(try daemon.loop.run(seconds: 20) { numbers == [2] }, "\(uplink.errorsSoFar)")
        #expect(arrived[0]["prev"]?.integer == 0)
        acknowledge(2...2)
        #expect(try daemon.loop.run(seconds: 20) { acknowledged == 2 })
    }

    @Test("nobody who listens, and a topic that is denied, are told, and nothing counts")
    func troubles() throws {
        daemon.drive(from: 0, to: 600)
        let unheard = start("Ack=broker")
        #expect(
            try daemon.loop.run(seconds: 20) {
                unheard.errorsSoFar.contains("unheard: nobody subscribes to the events")
            }, "\(unheard.errorsSoFar)")
        unheard.signal(SIGTERM)
        #expect(try daemon.loop.run(untilEndOf: unheard)?.status == 0)
        let denied = start("Ack=broker", tenant: "other")
        #expect(
            try daemon.loop.run(seconds: 20) {
                denied.errorsSoFar.contains("denied: it may not ")
            }, "\(denied.errorsSoFar)")
        #expect(acknowledged == 0)
    }

    @Test("forged acknowledgements count only for events that were sent, and of this log")
    func forged() throws {
        try listen()
        let uplink = start()
        daemon.drive(from: 0, to: 600)
        #expect(try daemon.loop.run(seconds: 20) { numbers == [1, 2] }, "\(uplink.errorsSoFar)")
        let other = String(daemon.monitoring.logID.reversed())
        for forged in [
            #"{"log":"\#(other)","ranges":[[1,2]]}"#, #"{"ranges":[[1,2]]}"#, "[", "",
            #"{"log":"\#(daemon.monitoring.logID)","ranges":[[2,1],[-1,1],[3,1000],["1",2]]}"#,
            String(repeating: "[", count: 100_000),
        ] { _ = ingest?.publish(Array(forged.utf8), to: "gf/1/acme/box1/down/ack") }
        // Of several acknowledged numbers only those that were sent count.
        let own = daemon.monitoring.logID
        let text = #"{"log":"\#(own)","ranges":[[1,1],[500,18446744073709551615]]}"#
        _ = ingest?.publish(Array(text.utf8), to: "gf/1/acme/box1/down/ack")
        #expect(try daemon.loop.run(seconds: 20) { acknowledged == 1 }, "\(uplink.errorsSoFar)")
        acknowledge(1...1000)
        #expect(try daemon.loop.run(seconds: 20) { acknowledged == 2 }, "\(uplink.errorsSoFar)")
        #expect(!uplink.hasEnded)
    }

    @Test("two boxes with one name are reported, and the remaining one loses nothing")
    func oneName() throws {
        try listen()
        let first = start()
        let second = start(name: "second")
        // The broker drops them in turn; each retries after growing delays.
        #expect(
            try daemon.loop.run(seconds: 120) {
                // mosquitto 2.0.11 drops the other one without a word.
                [first, second].contains {
                    $0.errorsSoFar.contains("duplicate-name")
                        || $0.errorsSoFar.contains("another client has this name")
                }
            }, "\(first.errorsSoFar)\n\(second.errorsSoFar)")
        second.signal(SIGTERM)
        #expect(try daemon.loop.run(untilEndOf: second)?.status == 0)
        daemon.drive(from: 0, to: 600)
        #expect(
            try daemon.loop.run(seconds: 120) { Set(numbers) == [1, 2] }, "\(first.errorsSoFar)")
    }

    @Test("with a format that has no numbers, what is not for the destination is done with at once")
    func ownTracks() throws {
        let uplink = start("Format=owntracks\nPosition=yes\n[Filter]\nKinds=dwell")
        daemon.drive(from: 0, to: 600)
        #expect(try daemon.loop.run(seconds: 20) { acknowledged == 2 }, "\(uplink.errorsSoFar)")
    }
}
