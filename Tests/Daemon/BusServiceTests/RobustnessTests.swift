import BusService
import EventSinks
import Geodesy
import Geofence1
import Glibc
import Model
import Monitoring
import SystemTestKit
import Systemd
import Testing
import Time

@MainActor
@Suite(.serialized)
struct RobustnessTests {
    @Test("a stopped receiver stalls us no longer than a new connection takes")
    func stalled() throws {
        // Like the system bus, with 2 MB instead of 127 MiB.
        let bus = PrivateBus(
            policy: """
                <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
                <allow own="*"/></policy>
                <limit name="max_incoming_bytes">2000000</limit>
                <policy context="default">
                """)
        let fixture = try ServiceFixture(bus: bus)
        fixture.settings.stallSeconds = 1
        try fixture.connect()
        let padding = String(repeating: "y", count: 60_000)
        try fixture.add("here", east: 0, metadata: #"{"x":"\#(padding)"}"#)
        let listener = Subprocess(
            [
                "/usr/bin/python3", "-u", "-c",
                """
                import dbus, dbus.mainloop.glib
                from gi.repository import GLib
                dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
                bus = dbus.bus.BusConnection("\(bus.address)")
                bus.add_signal_receiver(print, "Transition", "\(Geofence1.managerInterface)")
                bus.get_name_owner("\(Geofence1.name)")
                print("ready")
                GLib.MainLoop().run()
                """,
            ])
        #expect(
            try fixture.loop.run { listener.outputSoFar.contains("ready") },
            "\(listener.errorsSoFar)")
        listener.signal(SIGSTOP)
        var passes = 0
        while fixture.stalls == 0, passes < 400 {
            let isBack = passes % 2 == 1
            fixture.drive(from: isBack ? 300 : -300, to: isBack ? -300 : 300)
            passes += 1
            try fixture.loop.run(seconds: 0.05) { fixture.stalls > 0 }
        }
        #expect(fixture.stalls == 1)
        #expect(fixture.log.contains { $0.contains("does not read") })
        // The new connection takes the name from the dead one. Queued data may stall it too, for as
        // long as the receiver is stopped: now it exits.
        listener.signal(SIGKILL)
        let client = try bus.connect(fixture.loop)
        let mine = try Listener(client, fixture.loop)
        try fixture.connect()
        #expect(
            try fixture.loop.run(seconds: 30) {
                mine.all("Transition").last?[0] == .uint64(fixture.monitoring.lastSeq)
            })
        #expect(
            try fixture.call(client, "GetStates", [.strings(["here"])]).failure == nil)
    }

    @Test("a name owned by another program comes to us when it leaves, and can be lost")
    func name() throws {
        let fixture = try ServiceFixture()
        let other = try fixture.bus.connect(fixture.loop)
        var outcome: BusNameOutcome?
        try other.requestName(Geofence1.name, [.allowReplacement]) { outcome = try? $0.get() }
        try fixture.loop.run { outcome != nil }
        #expect(throws: SystemError.self) { try fixture.connect(waiting: 1) }
        #expect(fixture.log.contains { $0.contains("another program has the name") })
        #expect(!fixture.sink.announce(Self.event))
        other.close()
        #expect(try fixture.loop.run { fixture.isNameOurs })
        #expect(fixture.sink.announce(Self.event))
    }

    private static let event = LoggedEvent(
        seq: 1,
        event: Event(
            kind: .positionLost, fence: nil, time: UTCTime(nanoseconds: 0),
            fixTime: UTCTime(nanoseconds: 0), presence: nil),
        bootID: nil)

    @Test("callers that disappear during their calls leave nothing behind")
    func vanishing() throws {
        let fixture = try ServiceFixture()
        try fixture.connect()
        for _ in 0..<300 {
            let client = try fixture.bus.connect(fixture.loop)
            for member in ["GetWindow", "Recenter"] {
                try client.call(ServiceFixture.manager, member) { _ in }
            }
            try client.call(
                ServiceFixture.manager, "CreateSubscription", [.dictionary([])]
            ) { _ in }
            client.flush(timeout: .milliseconds(100))
            client.close()
        }
        let client = try fixture.bus.connect(fixture.loop)
        #expect(
            try fixture.loop.run {
                (try? fixture.call(client, "CreateSubscription", [.dictionary([])]).failure)
                    == .some(nil)
            })
        let tree = try fixture.loop.run(
            untilEndOf: fixture.bus.busctl("tree", "--list", Geofence1.name))
        let objects = tree?.output.split(separator: "\n").filter { $0.contains("subscription/") }
        #expect(objects?.count == 1)
    }

    @Test("input quoted in an error is short")
    func echoed() throws {
        let fixture = try ServiceFixture()
        try fixture.connect()
        let client = try fixture.bus.connect(fixture.loop)
        let long = String(repeating: "x", count: 60_000) + "\u{1B}[2J"
        let fence = BusValue.structure([.string(long), .dictionary([])])
        for (member, arguments) in [
            ("GetFence", [BusValue.string(long)]),
            (
                "ApplyFences",
                [.array(of: "(sa{sv})", [fence]), .array(of: "s", []), .uint64(0)]
            ),
            ("ListFences", [.dictionary([(long, .bool(true))]), .uint32(0), .uint32(0)]),
            ("GetFence", [.string("a\u{1B}[2Jb")]),
        ] {
            let failure = try #require(try fixture.call(client, member, arguments).failure)
            #expect(failure.message.utf8.count < 1000, "\(member)")
            #expect(!failure.message.contains("\u{1B}"), "\(member)")
        }
    }

    @Test(
        "a call with more than its limit is refused, at once",
        arguments: ["a long id", "many ids", "a large fence", "a fence of many values"])
    func limited(_ what: String) throws {
        func apply(_ value: BusValue) -> (String, [BusValue]) {
            let fence = BusValue.structure([.string("a"), .dictionary([("x", value)])])
            return (
                "ApplyFences",
                [.array(of: "(sa{sv})", [fence]), .array(of: "s", []), .uint64(0)]
            )
        }
        let (member, arguments): (String, [BusValue]) =
            switch what {
            case "a long id": ("GetFence", [.string(String(repeating: "x", count: 70_000))])
            case "many ids": ("GetStates", [.strings((0..<200_000).map(String.init))])
            case "a large fence": apply(.string(String(repeating: "y", count: 5 << 20)))
            default: apply(.array(of: "u", (0..<30_000).map { .uint32($0) }))
            }
        let fixture = try ServiceFixture()
        try fixture.connect()
        let client = try fixture.bus.connect(fixture.loop)
        // Identified, and not identified yet.
        for _ in 0..<2 {
            #expect(
                try fixture.call(client, member, arguments).failure?.name
                    == BusError.limitsExceeded)
            #expect(try fixture.call(client, "GetStates", [.strings([])]).failure == nil)
        }
        #expect(fixture.monitoring.fenceCount == 0)
    }

    /// Twenty fences of 60 kB.
    private func addLarge(to fixture: ServiceFixture) throws {
        let padding = String(repeating: "y", count: 60_000)
        for number in 0..<20 {
            try fixture.add("f\(number)", east: 1e5, metadata: #"{"x":"\#(padding)"}"#)
        }
    }

    /// A program that has made these `calls`, in Python, and is stopped.
    private func deaf(_ calls: String, _ fixture: ServiceFixture) throws -> Subprocess {
        let program = Subprocess(
            [
                "/usr/bin/python3", "-u", "-c",
                """
                import dbus, dbus.lowlevel, os, signal
                \(calls)
                print("sent")
                os.kill(os.getpid(), signal.SIGSTOP)
                """,
            ])
        #expect(
            try fixture.loop.run { program.outputSoFar.contains("sent") },
            "\(program.errorsSoFar)")
        return program
    }

    @Test("unread answers are bounded, and do not block the answers of others")
    func unread() throws {
        let fixture = try ServiceFixture()
        try fixture.connect()
        try addLarge(to: fixture)
        let deaf = try deaf(
            """
            bus = dbus.bus.BusConnection("\(fixture.bus.address)")
            empty = dbus.Dictionary({}, signature="sv")
            for _ in range(200):
                message = dbus.lowlevel.MethodCallMessage(
                    "\(Geofence1.name)", "\(Geofence1.path)",
                    "\(Geofence1.managerInterface)", "ListFences")
                message.append(empty, 0, 0, signature="a{sv}uu")
                bus.send_message(message)
            bus.flush()
            """, fixture)
        let client = try fixture.bus.connect(fixture.loop)
        for _ in 0..<20 {
            let answer = try fixture.call(
                client, "ListFences", [.dictionary([]), .uint32(0), .uint32(0)])
            #expect(answer.failure == nil, "\(String(describing: answer.failure))")
        }
        if let bytes = try fixture.peakOutgoingBytes() {
            // Without the limit, 200 MB.
            #expect(bytes < 8_000_000)
        }
        deaf.signal(SIGKILL)
    }

    @Test("what a program has not read is not held against the next one once it has left")
    func left() throws {
        let fixture = try ServiceFixture()
        try fixture.connect()
        try addLarge(to: fixture)
        // Each answer has 0.5 MB, too little to ask for a Ping; together they exceed what all readers
        // of one user may leave unread.
        for number in 0..<80 {
            let client = try fixture.bus.connect(fixture.loop)
            let answer = try fixture.call(
                client, "ListFences", [.dictionary([]), .uint32(0), .uint32(0)])
            #expect(answer.failure == nil, "\(number): \(String(describing: answer.failure))")
            client.close()
        }
    }

    @Test("programs that stopped and were killed leave others their Pings")
    func killed() throws {
        let fixture = try ServiceFixture(trusted: TrustedCallers(uids: [], group: nil))
        fixture.settings.unreadSeconds = 1
        try fixture.connect()
        // As many as one user may be asked with a Ping at a time.
        let deaf = try deaf(
            """
            where = "\(Geofence1.name)", "\(Geofence1.path)", "org.freedesktop.DBus.Properties"
            buses = [dbus.bus.BusConnection("\(fixture.bus.address)") for _ in range(4)]
            for bus in buses:
                # Now it is known whose it is.
                bus.call_blocking(*where, "GetAll", "s", ("\(Geofence1.managerInterface)",))
            for bus in buses:
                for _ in range(100):
                    message = dbus.lowlevel.MethodCallMessage(*where, "GetAll")
                    message.append("\(Geofence1.managerInterface)", signature="s")
                    bus.send_message(message)
                bus.flush()
            """, fixture)
        try fixture.loop.run(seconds: 1.5) { false }
        deaf.signal(SIGKILL)
        // More than a program may leave unread, while it reads.
        let client = try fixture.bus.connect(fixture.loop)
        for number in 0..<300 {
            let answer = try fixture.call(
                client, "GetAll", [.string(Geofence1.managerInterface)],
                of: BusPeer(
                    destination: Geofence1.name, path: Geofence1.path,
                    interface: "org.freedesktop.DBus.Properties"))
            #expect(answer.failure == nil, "\(number): \(String(describing: answer.failure))")
        }
    }

    @Test("after the answer with the largest fence the next call is answered")
    func largest() throws {
        let fixture = try ServiceFixture()
        try fixture.connect()
        let ring = (0..<115_000).map { number in
            let angle = Double(number) / 115_000 * 2 * .pi
            return Coordinate(latitude: 48 + 0.1 * sin(angle), longitude: 11 + 0.1 * cos(angle))
        }
        let area = try Area(.polygons([[ring + [ring[0]]]]))
        _ = try fixture.monitoring.apply(
            upserts: [Fence(id: "large", area: area)], removing: [], at: fixture.now)
        // Blocking calls: it answers no Ping between them.
        let caller = Subprocess(
            [
                "/usr/bin/python3", "-u", "-c",
                """
                import dbus
                bus = dbus.bus.BusConnection("\(fixture.bus.address)")
                for member, signature, argument in (
                    ("GetFence", "s", "large"), ("GetStates", "as", ["large"])):
                    bus.call_blocking(
                        "\(Geofence1.name)", "\(Geofence1.path)",
                        "\(Geofence1.managerInterface)", member, signature, (argument,),
                        byte_arrays=True)
                    print("answered")
                """,
            ])
        #expect(
            try fixture.loop.run { caller.outputSoFar == "answered\nanswered\n" },
            "\(caller.outputSoFar)\(caller.errorsSoFar)")
    }
}
