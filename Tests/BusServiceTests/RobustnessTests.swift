import BusService
import EventSinks
import Fencing
import Geofence1
import Glibc
import SystemTestKit
import Systemd
import Testing
import Tracking

@MainActor
@Suite(.serialized)
struct RobustnessTests {
    @Test("a listener that stops stalls us no longer than a new connection takes")
    func stalled() throws {
        // As the system bus, with 2 MB in place of 127 MiB.
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
        // The new connection takes the name from the dead one. What waits may stall it too, for as
        // long as the listener is stopped: now it goes away.
        listener.signal(SIGKILL)
        let client = try bus.connect(fixture.loop)
        let mine = try Listener(client, fixture.loop)
        try fixture.connect()
        #expect(
            try fixture.loop.run(seconds: 30) {
                mine.all("Transition").last?[0] == .uint64(fixture.tracking.lastSeq)
            })
        #expect(
            try fixture.call(client, "GetStates", [.strings(["here"])]).failure == nil)
    }

    @Test("the name in somebody else's hands comes to us when he leaves, and can be lost")
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
            kind: .positionLost, fence: nil, time: ReceiverTime(nanoseconds: 0),
            fixTime: ReceiverTime(nanoseconds: 0), presence: nil),
        bootID: nil)

    @Test("callers that vanish in the middle of their calls leave nothing behind")
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
            client.flush(timeout: 100_000_000)
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
}
