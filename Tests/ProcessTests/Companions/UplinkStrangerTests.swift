import Glibc
import JSON
import MQTT
import Model
import Monitoring
import SystemTestKit
import Systemd
import Testing

/// The real geofenced-uplink before Debian's mosquitto, as programs of others want it; the test is one
/// of them.
@MainActor
@Suite("geofenced-uplink for programs of others", .serialized)
final class UplinkStrangerTests {
    private let daemon: ServedDaemon
    private let directory = TemporaryDirectory()
    private let port: UInt16
    private let broker: Subprocess
    private var listener: MQTTConnection?
    private var isSubscribed = false
    /// In the order of their arrival.
    private var arrived: [(topic: String, text: String)] = []

    init() throws {
        daemon = try ServedDaemon()
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
    }

    private func listen() throws {
        arrived = []
        isSubscribed = false
        let settings = MQTTSettings(host: "127.0.0.1", port: port, clientID: "listener")
        listener = try MQTTConnection(daemon.loop, settings) { [weak self] event in
            switch event {
            case .connected: _ = self?.listener?.subscribe(to: "#")
            case .subscribed: self?.isSubscribed = true
            case .message(let topic, let payload, _):
                self?.arrived.append((topic, String(decoding: payload, as: UTF8.self)))
            case .published, .ended: break
            }
        }
        #expect(try daemon.loop.run { isSubscribed })
    }

    private func start(_ settings: String) -> Subprocess {
        directory.write(
            """
            [Uplink]
            URL=mqtt://127.0.0.1:\(port)
            Tenant=acme
            Box=box1
            From=oldest
            \(settings)
            """, to: "uplink.conf")
        return Subprocess(
            [
                builtProgram("geofenced-uplink"), "--bus", daemon.bus.address, "--config",
                directory.file("uplink.conf"), "other",
            ], environment: ["NOTIFY_SOCKET": nil])
    }

    private var acknowledged: UInt64? { try? daemon.monitoring.consumers().first?.acknowledged }

    /// Until the daemon knows of that event, and so many messages are here: they come on two ways.
    private func wait(for event: UInt64, _ count: Int, _ uplink: Subprocess) throws {
        #expect(
            try daemon.loop.run(seconds: 20) { acknowledged == event && arrived.count >= count },
            "\(uplink.errorsSoFar) \(arrived)")
    }

    private func last(_ topic: String) throws -> JSONValue {
        try JSONValue(parsing: try #require(arrived.last { $0.topic == topic }, "\(topic)").text)
    }

    @Test("one event a message, which is all of a CloudEvent")
    func cloudEvents() throws {
        try daemon.add("a", east: 300)
        daemon.drive(from: 0, to: 600)
        try listen()
        let uplink = start("Format=cloudevents")
        try wait(for: 2, 2, uplink)
        #expect(arrived.map(\.topic) == Array(repeating: "cloudevents/acme/box1/event", count: 2))
        let events = try arrived.map { try JSONValue(parsing: $0.text) }
        #expect(
            events.map { $0["type"]?.string } == [
                "org.geofenced.enter.v1", "org.geofenced.exit.v1",
            ])
        #expect(events.allSatisfy { $0["specversion"]?.string == "1.0" })
    }

    @Test("the fleet's own form comes one by one where arrays are not wanted")
    func unbatched() throws {
        try daemon.add("a", east: 300)
        daemon.drive(from: 0, to: 600)
        try listen()
        let uplink = start("Batch=no\nAck=broker")
        try wait(for: 2, 2, uplink)
        let events = arrived.filter { $0.topic.hasSuffix("/event") }
        #expect(
            try events.map { try JSONValue(parsing: $0.text)["event"]?["seq"]?.integer } == [1, 2])
    }

    @Test("OwnTracks has a location before each transition, and with the last one where it is now")
    func ownTracks() throws {
        try daemon.add("depot", east: 0, title: "Depot")
        try daemon.add("yard", east: 1_000, radius: 300, title: "Yard")
        try daemon.add("gate", east: 1_000, title: "Gate")
        daemon.drive(from: 0, to: 1_000)
        try listen()
        let uplink = start("Format=owntracks\nPosition=yes")
        try wait(for: 4, 8, uplink)
        let (location, transition) = ("owntracks/acme/box1", "owntracks/acme/box1/event")
        #expect(
            arrived.map(\.topic)
                == Array(repeating: [location, transition], count: 4).flatMap(\.self))
        let all = try arrived.map { try JSONValue(parsing: $0.text) }
        #expect(all.compactMap { $0["desc"]?.string } == ["Depot", "Depot", "Yard", "Gate"])
        #expect(all.compactMap { $0["event"]?.string } == ["enter", "leave", "enter", "enter"])
        #expect(all.compactMap { $0["inregions"] } == [["Gate", "Yard"]])
        // It is kept for who comes later, and a new event is drawn at once.
        try listen()
        #expect(try daemon.loop.run(seconds: 20) { arrived.count == 1 })
        #expect(try last(location)["inregions"] == ["Gate", "Yard"])
        daemon.drive(from: 1_020, to: 2_000)
        try wait(for: 6, 5, uplink)
        #expect(try last(location)["inregions"] == [])
    }

    @Test("Home Assistant has two entities, the place, and no position unless that may leave")
    func homeAssistant() throws {
        try daemon.add("depot", east: 0, title: "Depot")
        daemon.drive(from: -200, to: 0)
        try listen()
        let uplink = start("Format=homeassistant")
        try wait(for: 1, 6, uplink)
        #expect(
            arrived.map(\.topic) == [
                "homeassistant/device_tracker/geofenced_acme_box1/config",
                "homeassistant/event/geofenced_acme_box1/config",
                "geofenced/acme/box1/availability", "geofenced/acme/box1/place",
                "geofenced/acme/box1/attributes", "geofenced/acme/box1/event",
            ])
        #expect(arrived.dropFirst(2).prefix(2).map(\.text) == ["online", "Depot"])
        #expect(try last("geofenced/acme/box1/attributes")["places"] == ["Depot"])
        #expect(try last("geofenced/acme/box1/event")["event_type"]?.string == "enter")
        #expect(!arrived.contains { $0.text.contains("latitude") || $0.text.contains("48.0") })
        uplink.signal(SIGTERM)
        #expect(try daemon.loop.run(untilEndOf: uplink)?.status == 0)
        // Started again, it says where the vehicle is, without an event.
        try listen()
        let other = start("Format=homeassistant\nPosition=yes")
        #expect(
            try daemon.loop.run(seconds: 20) {
                arrived.count { $0.topic == "geofenced/acme/box1/place" } == 2
            }, "\(other.errorsSoFar)")
        daemon.drive(from: 20, to: 600)
        #expect(
            try daemon.loop.run(seconds: 20) {
                acknowledged == 2 && arrived.last { $0.topic.hasSuffix("/event") } != nil
            }, "\(other.errorsSoFar)")
        #expect(arrived.last { $0.topic == "geofenced/acme/box1/place" }?.text == "not_home")
        #expect(try last("geofenced/acme/box1/attributes")["latitude"]?.double == 48)
    }

    @Test("a fence that stays in the vehicle is in no place, location or event")
    func stays() throws {
        try daemon.add("depot", east: 0, title: "Depot")
        try daemon.add("yard", east: 0, radius: 150, title: "Yard")
        daemon.drive(from: -400, to: 0)
        try listen()
        let uplink = start("Format=homeassistant\n[Filter]\nIds=yard")
        try wait(for: 2, 6, uplink)
        #expect(arrived.contains { $0.topic == "geofenced/acme/box1/place" && $0.text == "Yard" })
        #expect(!arrived.contains { $0.text.contains("Depot") || $0.text.contains("depot") })
    }
}
