import BusService
import Foundation
import Geofence1
import Model
import Monitoring
import SystemTestKit
import Systemd
import Testing
import Time

/// A real consumer: a Python program that the bus starts. It writes a line for each event delivered
/// to it, and acknowledges as the file `mode` says.
@MainActor
@Suite(.serialized)
struct ConsumerTests {
    static let name = "org.example.Alert1"
    let services = TemporaryDirectory()

    private func makeService() {
        services.write(
            """
            import dbus, dbus.service, dbus.mainloop.glib, os, sys
            from gi.repository import GLib
            dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
            bus = dbus.bus.BusConnection(os.environ["DBUS_STARTER_ADDRESS"])
            loop = GLib.MainLoop()
            def note(text):
                with open("\(services.file("heard"))", "a") as file: file.write(text + "\\n")
            class Alert(dbus.service.Object):
                @dbus.service.method("\(Geofence1.consumerInterface)", in_signature="a(tsua{sv})b")
                def Deliver(self, events, gap):
                    mode = open("\(services.file("mode"))").read().strip()
                    for seq, fence, kind, details in events:
                        note("%d %s %d %s%s" % (seq, fence, kind, mode, " gap" if gap else ""))
                        if "latitude" in details: note("a position")
                    if mode == "die": os._exit(1)
                    if mode == "acknowledge":
                        manager = bus.get_object("\(Geofence1.name)", "\(Geofence1.path)")
                        manager.AckEvents(
                            "\(Self.name)", events[-1][0],
                            dbus_interface="\(Geofence1.managerInterface)",
                            reply_handler=lambda: None, error_handler=lambda e: note(str(e)))
            name = dbus.service.BusName("\(Self.name)", bus)
            note("started")
            if os.path.exists("\(services.file("registers"))"):
                bus.call_blocking(
                    "\(Geofence1.name)", "\(Geofence1.path)", "\(Geofence1.managerInterface)",
                    "RegisterConsumer", "sa{sv}", ("\(Self.name)", {}))
            Alert(bus, "\(Geofence1.consumerPath(of: Self.name))")
            loop.run()
            """, to: "alert.py")
        services.write(
            """
            [D-BUS Service]
            Name=\(Self.name)
            Exec=/usr/bin/python3 \(services.file("alert.py"))
            """, to: "\(Self.name).service")
    }

    private func setMode(_ mode: String) { services.write(mode, to: "mode") }

    private var heard: [String] {
        guard let text = try? String(contentsOfFile: services.file("heard"), encoding: .utf8)
        else { return [] }
        return text.split(separator: "\n").map(String.init)
    }

    private func register(
        _ fixture: ServiceFixture, _ options: [(String, BusValue)] = []
    ) throws -> BusError? {
        let client = try fixture.bus.connect(fixture.loop)
        return try fixture.call(
            client, "RegisterConsumer", [.string(Self.name), .dictionary(options)]
        ).failure
    }

    private func makeFixture(
        state: TemporaryDirectory? = nil,
        redelivery: (answered: Double, unreachable: Double) = (answered: 0.2, unreachable: 0.1),
        inputTime: Uptime? = nil
    ) throws -> ServiceFixture {
        let fixture = try ServiceFixture(bus: PrivateBus(services: services.path), state: state)
        fixture.settings.redelivery = redelivery
        if let inputTime { fixture.inputTime = inputTime }
        try fixture.connect()
        return fixture
    }

    @Test(
        "a consumer that is not running is started by the bus, and called until it acknowledges",
        arguments: [("is registered by somebody else", false), ("registers at each start", true)])
    func started(_: String, registers: Bool) throws {
        makeService()
        if registers { services.write("", to: "registers") }
        setMode("acknowledge")
        let fixture = try makeFixture()
        try fixture.add("a", east: 300)
        #expect(try register(fixture) == nil)
        #expect(heard.isEmpty, "there is nothing for it yet")
        fixture.drive(from: 0, to: 600)
        #expect(
            try fixture.loop.run { heard.contains("1 a 1 acknowledge") && heard.count >= 3 })
        #expect(
            try fixture.loop.run { (try? fixture.monitoring.consumers().first?.acknowledged) == 2 })
        fixture.drive(from: 600, to: 0)
        #expect(
            try fixture.loop.run { (try? fixture.monitoring.consumers().first?.acknowledged) == 4 })
        // Nothing is delivered twice, and nothing contains the position.
        #expect(
            heard == [
                "started", "1 a 1 acknowledge", "2 a 2 acknowledge", "3 a 1 acknowledge",
                "4 a 2 acknowledge",
            ])
    }

    @Test("a consumer that dies over an event is restarted and called until it acknowledges")
    func dies() throws {
        makeService()
        setMode("die")
        let fixture = try makeFixture()
        try fixture.add("a", east: 300)
        #expect(try register(fixture) == nil)
        fixture.drive(from: 0, to: 300)
        #expect(try fixture.loop.run(seconds: 20) { heard.count { $0 == "1 a 1 die" } >= 2 })
        setMode("silent")
        #expect(try fixture.loop.run(seconds: 20) { heard.count { $0 == "1 a 1 silent" } >= 2 })
        #expect(try fixture.monitoring.consumers().first?.acknowledged == 0)
        setMode("acknowledge")
        #expect(
            try fixture.loop.run(seconds: 20) {
                (try? fixture.monitoring.consumers().first?.acknowledged) == 1
            })
        #expect(heard.count { $0 == "started" } >= 3)
    }

    @Test("after the end of a recording, whose clock stands, a silent consumer is called again")
    func recorded() throws {
        makeService()
        setMode("silent")
        let fixture = try makeFixture(inputTime: .boot + .seconds(1))
        try fixture.add("a", east: 300)
        #expect(try register(fixture) == nil)
        fixture.drive(from: 0, to: 300)
        #expect(try fixture.loop.run(seconds: 20) { heard.count { $0 == "1 a 1 silent" } >= 3 })
        // The pauses grow: it does not spin.
        let before = fixture.loop.iteration
        try fixture.loop.run(seconds: 0.3) { false }
        #expect(fixture.loop.iteration - before < 100)
    }

    @Test("what happens while a consumer is busy is brought at once, and nothing twice")
    func busy() throws {
        makeService()
        setMode("silent")
        let fixture = try makeFixture(redelivery: (answered: 60, unreachable: 60))
        let client = try fixture.bus.connect(fixture.loop)
        try fixture.add("a", east: 300)
        try fixture.add("b", east: 900)
        #expect(try register(fixture, [("kinds", .array(of: "u", [.uint32(1)]))]) == nil)
        fixture.drive(from: 0, to: 300)
        #expect(try fixture.loop.run { heard == ["started", "1 a 1 silent"] })
        fixture.drive(from: 300, to: 900)
        #expect(try fixture.loop.run { heard.last == "3 b 1 silent" })
        #expect(try fixture.monitoring.consumers().first?.acknowledged == 0)
        // It is still busy with the other one.
        #expect(
            try fixture.call(client, "AckEvents", [.string(Self.name), .uint64(1)]).failure == nil)
        fixture.drive(from: 900, to: 300)
        #expect(try fixture.loop.run { heard.last == "5 a 1 silent" })
        #expect(heard == ["started", "1 a 1 silent", "3 b 1 silent", "5 a 1 silent"])
        #expect(
            try fixture.call(client, "AckEvents", [.string(Self.name), .uint64(5)]).failure == nil)
        #expect(try list(fixture, client)[Self.name]?["pending"] == .uint64(0))
    }

    @Test("a consumer that acknowledges nothing is brought a bounded number of events")
    func bounded() throws {
        makeService()
        setMode("silent")
        let fixture = try makeFixture(redelivery: (answered: 60, unreachable: 60))
        let client = try fixture.bus.connect(fixture.loop)
        for index in 0..<80 { try fixture.add("a\(index)", east: 300, radius: 100) }
        #expect(try register(fixture) == nil)
        fixture.drive(from: 0, to: 600)
        fixture.drive(from: 600, to: 0)
        #expect(fixture.monitoring.lastSeq == 320)
        #expect(try fixture.loop.run { heard.count > 200 })
        // Time for more, had it been sent.
        try fixture.loop.run(seconds: 0.5) { false }
        #expect(heard.count == 257, "started, and four deliveries of 64")
        #expect(
            try fixture.call(client, "AckEvents", [.string(Self.name), .uint64(63)]).failure == nil)
        try fixture.loop.run(seconds: 0.5) { false }
        #expect(heard.count == 257)
        #expect(
            try fixture.call(client, "AckEvents", [.string(Self.name), .uint64(64)]).failure == nil)
        #expect(try fixture.loop.run { heard.count == 321 })
        #expect(
            heard.dropFirst().map { $0.prefix { $0 != " " } } == (1...320).map { "\($0)" },
            "in order, and none twice")
    }

    @Test("a consumer that is not to be woken and has left is no work")
    func hasLeft() throws {
        let fixture = try makeFixture()
        let client = try fixture.bus.connect(fixture.loop)
        try fixture.add("a", east: 300)
        #expect(try register(fixture, [("wake", .bool(false))]) == nil)
        let consumer = try fixture.bus.connect(fixture.loop)
        try consumer.requestName(Self.name) { _ in }
        fixture.drive(from: 0, to: 300)
        // It has no object.
        #expect(
            try fixture.loop.run {
                (try? list(fixture, client))?[Self.name]?["last_error"] != nil
            })
        consumer.close()
        // It would be called again now.
        try fixture.loop.run(seconds: 0.5) { false }
        let before = fixture.loop.iteration
        try fixture.loop.run(seconds: 0.3) { false }
        #expect(fixture.loop.iteration - before < 100)
    }

    @Test("a consumer is remembered across our restart, with its position")
    func restart() throws {
        setMode("acknowledge")
        let state = TemporaryDirectory()
        do {
            // Nobody can start it yet.
            let fixture = try makeFixture(state: state)
            try fixture.add("a", east: 300)
            try fixture.add("b", east: 900)
            #expect(
                try register(fixture, [("ids", .strings(["b"])), ("after", .uint64(0))]) == nil)
            fixture.drive(from: 0, to: 1200)
            #expect(fixture.monitoring.lastSeq == 4)
            fixture.monitoring.stop(at: fixture.now)
        }
        makeService()
        let fixture = try makeFixture(state: state)
        #expect(
            try fixture.loop.run { (try? fixture.monitoring.consumers().first?.acknowledged) == 4 })
        #expect(heard == ["started", "3 b 1 acknowledge", "4 b 2 acknowledge"])
        #expect(try register(fixture, [("after", .uint64(0))]) == nil)
        #expect(try fixture.monitoring.consumers().first?.acknowledged == 4, "its position stays")
    }

    @Test("consumers of a log that could not be read at the start are served once it is back")
    func unreadableAtStart() throws {
        setMode("acknowledge")
        let state = TemporaryDirectory()
        do {
            let fixture = try makeFixture(state: state)
            try fixture.add("a", east: 300)
            #expect(try register(fixture) == nil)
            fixture.drive(from: 0, to: 600)
            #expect(fixture.monitoring.lastSeq == 2)
            fixture.monitoring.stop(at: fixture.now)
        }
        makeService()
        let files = ["events.sqlite", "events.sqlite-wal", "events.sqlite-shm"]
        for name in files { rename(state.file(name), state.file(name + ".away")) }
        try #require(mkdir(state.file(files[0]), 0o700) == 0)
        let fixture = try makeFixture(state: state)
        #expect(try fixture.monitoring.consumers().isEmpty)
        #expect(rmdir(state.file(files[0])) == 0)
        for name in files { rename(state.file(name + ".away"), state.file(name)) }
        fixture.monitoring.wake(at: fixture.now + .seconds(600))
        #expect(
            try fixture.loop.run { (try? fixture.monitoring.consumers().first?.acknowledged) == 2 })
        #expect(heard == ["started", "1 a 1 acknowledge", "2 a 2 acknowledge"])
    }

    @Test("a log that begins anew in use has the consumers of the one before, with their positions")
    func newLog() throws {
        setMode("acknowledge")
        let state = TemporaryDirectory()
        makeService()
        do {
            let fixture = try makeFixture(state: state)
            try fixture.add("a", east: 300)
            #expect(try register(fixture) == nil)
            fixture.drive(from: 0, to: 600)
            #expect(
                try fixture.loop.run {
                    (try? fixture.monitoring.consumers().first?.acknowledged) == 2
                })
            for name in ["events.sqlite", "events.sqlite-wal", "events.sqlite-shm"] {
                unlink(state.file(name))
            }
            fixture.drive(from: 600, to: 0)
            // What is told of the loss is the fifth.
            #expect(fixture.monitoring.lastSeq == 5)
            #expect(
                try fixture.loop.run {
                    (try? fixture.monitoring.consumers().first?.acknowledged) == 5
                })
            fixture.monitoring.stop(at: fixture.now)
        }
        let fixture = try makeFixture(state: state)
        #expect(try fixture.monitoring.consumers().map(\.acknowledged) == [5])
        #expect(heard.count { $0.hasSuffix("acknowledge") } == 5, "\(heard)")
    }

    private func list(
        _ fixture: ServiceFixture, _ client: BusConnection
    ) throws -> [String: [String: BusValue]] {
        let answer = try fixture.call(client, "ListConsumers").success?.first?.asArray ?? []
        return Dictionary(
            uniqueKeysWithValues: answer.compactMap(\.asStructure).map {
                ($0[0].asString ?? "", $0[1].asDictionary ?? [:])
            })
    }

    @Test("a consumer that is not to be woken is called only while it has its name")
    func notWoken() throws {
        let fixture = try makeFixture()
        let client = try fixture.bus.connect(fixture.loop)
        try fixture.add("a", east: 300)
        #expect(try register(fixture, [("wake", .uint32(1))])?.name == BusError.invalidArguments)
        #expect(try register(fixture, [("wake", .bool(false))]) == nil)
        // The next by name: when the bus has refused to start it, the first was passed by.
        #expect(
            try fixture.call(
                client, "RegisterConsumer", [.string("org.example.Other"), .dictionary([])]
            ).failure == nil)
        fixture.drive(from: 0, to: 300)
        #expect(
            try fixture.loop.run {
                (try? list(fixture, client))?["org.example.Other"]?["last_error"] != nil
            })
        let waiting = try list(fixture, client)[Self.name]
        #expect(waiting?["pending"] == .uint64(1) && waiting?["last_error"] == nil)
        // It has no object that could be called, and that is told.
        try client.requestName(Self.name) { _ in }
        #expect(
            try fixture.loop.run {
                (try? list(fixture, client))?[Self.name]?["last_error"] != nil
            })
    }

    @Test("the list shows the position of each, and why one could not be called")
    func list() throws {
        let fixture = try makeFixture()
        let client = try fixture.bus.connect(fixture.loop)
        func list() throws -> [String: [String: BusValue]] { try self.list(fixture, client) }
        #expect(try list().isEmpty)
        try fixture.add("a", east: 300)
        try fixture.add("b", east: 900)
        #expect(try register(fixture, [("ids", .strings(["b"]))]) == nil)
        #expect(
            try fixture.call(
                client, "RegisterConsumer", [.string("org.example.Other"), .dictionary([])]
            ).failure == nil)
        #expect(
            try list()[Self.name] == ["acked": .uint64(0), "pending": .uint64(0)])
        fixture.drive(from: 0, to: 800)
        // Neither of the two events is for the first; neither consumer can be started.
        #expect(
            try fixture.loop.run {
                (try? list())?["org.example.Other"]?["last_error"]
                    == .string(BusError.serviceUnknown)
            })
        var consumers = try list()
        #expect(consumers[Self.name] == ["acked": .uint64(2), "pending": .uint64(0)])
        #expect(consumers["org.example.Other"]?["pending"] == .uint64(2))
        #expect(
            consumers["org.example.Other"]?["oldest_pending"]
                == .uint64(
                    try fixture.monitoring.events(after: 0, limit: 1).events[0].event.time
                        .microseconds))
        #expect(
            try fixture.call(
                client, "AckEvents", [.string("org.example.Other"), .uint64(2)]
            ).failure == nil)
        consumers = try list()
        #expect(consumers["org.example.Other"]?["acked"] == .uint64(2))
        #expect(consumers["org.example.Other"]?["oldest_pending"] == nil)
        #expect(consumers["org.example.Other"]?["last_ack"]?.asUInt64 ?? 0 > 0)
        let now = UInt64(EventLoop.uptime.nanoseconds / 1000)
        let last = consumers["org.example.Other"]?["last_ack_monotonic"]?.asUInt64 ?? 0
        #expect(last <= now && last + 60_000_000 > now)
        #expect(
            try fixture.call(client, "UnregisterConsumer", [.string(Self.name)]).failure == nil)
        #expect(try list().keys.sorted() == ["org.example.Other"])
    }

    @Test("bad names, options and numbers are refused; a consumer can be unregistered")
    func refused() throws {
        let fixture = try makeFixture()
        let client = try fixture.bus.connect(fixture.loop)
        for name in [
            "", ":1.5", "nodot", "a..b", "a.7b", "a.b/c", String(repeating: "a.", count: 130),
            "org.freedesktop.systemd1", "org.freedesktop", Geofence1.name, Geofence1.name + ".x",
        ] {
            #expect(
                try fixture.call(client, "RegisterConsumer", [.string(name), .dictionary([])])
                    .failure?.name == BusError.invalidArguments, "\(name)")
        }
        #expect(try register(fixture, [("after", .string("x"))])?.name == BusError.invalidArguments)
        #expect(try register(fixture, [("x", .bool(true))])?.name == BusError.invalidArguments)
        #expect(try register(fixture) == nil)
        func ack(_ name: String, _ seq: UInt64) throws -> BusError? {
            try fixture.call(client, "AckEvents", [.string(name), .uint64(seq)]).failure
        }
        #expect(try ack("org.example.Other", 0)?.name == BusError.invalidArguments)
        #expect(try ack(Self.name, 7)?.message.contains("no event 7") == true)
        #expect(try ack(Self.name, 0) == nil)
        #expect(
            try fixture.call(client, "UnregisterConsumer", [.string(Self.name)]).failure == nil)
        #expect(try fixture.monitoring.consumers().isEmpty)
        for index in 0..<64 {
            #expect(
                try fixture.call(
                    client, "RegisterConsumer", [.string("org.example.C\(index)"), .dictionary([])]
                ).failure == nil)
        }
        #expect(try register(fixture)?.name == BusError.limitsExceeded)
    }
}
