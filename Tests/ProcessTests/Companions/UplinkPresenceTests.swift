import Glibc
import JSON
import MQTT
import Model
import Monitoring
import SystemTestKit
import Systemd
import Testing
import Time

/// What an office and a house read while the daemon is gone, with the real geofenced-uplink and Debian's
/// mosquitto.
@MainActor
@Suite("geofenced-uplink without its daemon", .serialized)
final class UplinkPresenceTests {
    private let daemon: ServedDaemon
    private let directory = TemporaryDirectory()
    private let port: UInt16
    private var broker: Subprocess
    private var listener: MQTTConnection?
    private var isSubscribed = false
    /// The last message of each topic.
    private var last: [String: String] = [:]

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
        try waitForBroker()
    }

    private func waitForBroker() throws {
        let (port, broker) = (port, broker)
        try #require(waitUntil { connects(to: port) }, "\(broker.errorsSoFar)")
    }

    private func listen() throws {
        let settings = MQTTSettings(host: "127.0.0.1", port: port, clientID: "listener")
        listener = try MQTTConnection(daemon.loop, settings) { [weak self] event in
            switch event {
            case .connected: _ = self?.listener?.subscribe(to: "#")
            case .subscribed: self?.isSubscribed = true
            case .message(let topic, let payload, _):
                self?.last[topic] = String(decoding: payload, as: UTF8.self)
            case .published, .ended: break
            }
        }
        #expect(try daemon.loop.run { isSubscribed })
    }

    private func start(_ settings: String = "") -> Subprocess {
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
                directory.file("uplink.conf"), "office",
            ], environment: ["NOTIFY_SOCKET": nil])
    }

    private var status: JSONValue {
        last["gf/1/acme/box1/status"].flatMap { try? JSONValue(parsing: $0) } ?? .null
    }

    private func wait(
        _ seconds: Double = 30, for state: String, degraded: JSONValue = [], _ uplink: Subprocess
    ) throws {
        let isSo = try daemon.loop.run(seconds: seconds) {
            status["state"]?.string == state && status["degraded"] == degraded
        }
        #expect(isSo, "\(status.text) \(uplink.errorsSoFar)")
    }

    @Test("the office hears within half a minute that there is no daemon, and when it is back")
    func noDaemon() throws {
        try daemon.add("a", east: 300)
        daemon.monitoring.sourceChanged(fails: "unplugged")
        try listen()
        let uplink = start()
        try wait(for: "idle", degraded: ["source"], uplink)
        let whole = status
        #expect(whole["degraded_since"]?["source"]?.string != nil, "\(whole.text)")
        #expect(whole["started"]?.string != nil && whole["since"]?.string != nil)
        daemon.leave()
        try wait(for: "no-daemon", uplink)
        // What is known of the log stays; of what does not work nothing is known.
        for key in ["log", "last", "oldest", "generation", "fences"] {
            #expect(status[key] == whole[key], "\(status.text)")
        }
        #expect(status["started"] == nil && status["degraded_since"] == [:])
        let since = try #require(status["since"]?.string.flatMap(UTCTime.init(iso8601:)))
        #expect((UTCTime(nanoseconds: EventLoop.wallClock.nanoseconds) - since) < .seconds(40))
        #expect(uplink.errorsSoFar.contains("no-daemon: geofenced does not run since "))
        try daemon.serve()
        try wait(for: "idle", degraded: ["source"], uplink)
        #expect(status["started"]?.string != nil)
    }

    @Test("a daemon that comes back at once is not missed, and what it says is read anew")
    func restarted() throws {
        daemon.monitoring.sourceChanged(fails: "unplugged")
        try listen()
        let uplink = start()
        try wait(for: "idle", degraded: ["source"], uplink)
        // No change of a property is signalled while nobody has the name.
        daemon.leave()
        daemon.monitoring.sourceChanged(fails: nil)
        try daemon.serve()
        try wait(15, for: "idle", uplink)
        #expect(!uplink.errorsSoFar.contains("no-daemon"))
    }

    @Test("an uplink that finds no daemon says so, and nothing of a log that it has not seen")
    func neverThere() throws {
        daemon.leave()
        try listen()
        let uplink = start()
        try wait(for: "no-daemon", uplink)
        #expect(status["log"] == nil && status["waiting"] == nil, "\(status.text)")
        #expect(status["online"] == true)
    }

    @Test("Home Assistant's entities are there as long as the daemon is")
    func availability() throws {
        try listen()
        let uplink = start("Format=homeassistant")
        let topic = "geofenced/acme/box1/availability"
        func wait(for said: String) throws {
            #expect(
                try daemon.loop.run(seconds: 30) { last[topic] == said },
                "\(last[topic] ?? "") \(uplink.errorsSoFar)")
        }
        try wait(for: "online")
        for (name, text) in last where name.hasSuffix("/config") {
            #expect(try JSONValue(parsing: text)["availability_topic"]?.string == topic)
        }
        daemon.leave()
        try wait(for: "offline")
        try daemon.serve()
        try wait(for: "online")
        uplink.signal(SIGTERM)
        #expect(try daemon.loop.run(untilEndOf: uplink)?.status == 0)
        try wait(for: "offline")
    }

    @Test("the goodbye is heard behind more events than may be under way, of a broker that is slow")
    func goodbye() throws {
        try daemon.add("a", east: 300)
        try listen()
        let uplink = start("Format=homeassistant")
        let topic = "geofenced/acme/box1/availability"
        #expect(try daemon.loop.run(seconds: 30) { last[topic] == "online" })
        broker.signal(SIGSTOP)
        for _ in 0..<30 {
            daemon.drive(from: 0, to: 600)
            daemon.drive(from: 600, to: 0)
        }
        #expect(daemon.monitoring.lastSeq > 40)
        // It has read them, and sent as many as it may.
        _ = try daemon.loop.run(seconds: 1) { false }
        uplink.signal(SIGTERM)
        _ = try daemon.loop.run(seconds: 0.5) { false }
        broker.signal(SIGCONT)
        #expect(try daemon.loop.run(untilEndOf: uplink)?.status == 0)
        #expect(
            try daemon.loop.run(seconds: 10) { last[topic] == "offline" },
            "\(last[topic] ?? "") \(uplink.errorsSoFar)")
    }

    @Test("a broker that is killed again and again is not another client of this name")
    func killedBroker() throws {
        let uplink = start("ReconnectSpreadSec=0")
        for _ in 1...4 {
            try listen()
            let before = uplink.errorsSoFar
            #expect(
                try daemon.loop.run(seconds: 60) { last["gf/1/acme/box1/status"] != nil },
                "\(uplink.errorsSoFar)")
            broker.signal(SIGKILL)
            _ = broker.wait(seconds: 10)
            (listener, isSubscribed, last) = (nil, false, [:])
            broker = Subprocess(["/usr/sbin/mosquitto", "-c", directory.file("mosquitto.conf")])
            try waitForBroker()
            #expect(try daemon.loop.run(seconds: 20) { uplink.errorsSoFar != before })
        }
        let said = uplink.errorsSoFar
        #expect(said.contains("soon after it was connected: the broker fails, or "), "\(said)")
        #expect(!said.contains("duplicate-name"), "\(said)")
    }
}
