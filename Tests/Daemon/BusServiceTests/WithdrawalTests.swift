import BusService
import Foundation
import Geofence1
import Monitoring
import SystemTestKit
import Systemd
import Testing

// A right that is withdrawn ends, however the daemon learns of it. With a real polkitd.
extension AuthorizationTests {
    /// A program of the user `daemon` with `connections` subscriptions, each on a connection of its
    /// own. It prints the events that it hears, and what ReadEvents answers whenever that changes.
    private func startReader(_ bus: PrivateBus, connections: Int = 1) -> Subprocess {
        Subprocess([
            "setpriv", "--reuid", "\(Self.daemon)", "--regid", "\(Self.daemon)", "--clear-groups",
            "/usr/bin/python3", "-u", "-c",
            """
            import dbus, dbus.mainloop.glib
            from gi.repository import GLib
            dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
            buses = []
            for number in range(\(connections)):
                bus = dbus.bus.BusConnection("\(bus.address)")
                manager = dbus.Interface(
                    bus.get_object("\(Geofence1.name)", "\(Geofence1.path)", introspect=False),
                    "\(Geofence1.managerInterface)")
                path = manager.CreateSubscription(dbus.Dictionary({}, signature="sv"))
                bus.add_signal_receiver(
                    lambda seq, *_, n=number: print("heard", n, seq), "Transition",
                    "\(Geofence1.subscriptionInterface)", path=path)
                bus.get_name_owner("\(Geofence1.name)")
                buses.append((bus, manager))
            print("subscribed")
            said = None
            def read():
                global said
                try:
                    buses[0][1].ReadEvents(dbus.UInt64(0), dbus.UInt32(1))
                    word = "may read"
                except dbus.DBusException as error:
                    word = error.get_dbus_name().split(".")[-1]
                if word != said: print(word)
                said = word
                return True
            GLib.timeout_add(50, read)
            GLib.MainLoop().run()
            """,
        ])
    }

    private struct Bench {
        let fixture: ServiceFixture
        let rules: TemporaryDirectory
        let polkit: Subprocess
        let reader: Subprocess
    }

    /// The reader may read, and has heard an event.
    private func bench(
        _ bus: PrivateBus, answersCount seconds: Double, connections: Int = 1
    ) throws -> Bench {
        let rules = TemporaryDirectory()
        setRules(rules, "read-events", allowed: "daemon")
        let polkit = try startPolkit(bus, rules: rules)
        let fixture = try ServiceFixture(bus: bus, trusted: TrustedCallers(uids: [], group: nil))
        fixture.settings.authorizationSeconds = seconds
        try fixture.connect()
        let reader = startReader(bus, connections: connections)
        let isReady = try fixture.loop.run(seconds: 30) {
            reader.outputSoFar.contains("may read")
        }
        try #require(isReady, "\(reader.outputSoFar) \(reader.errorsSoFar)")
        try fixture.add("a", east: 300)
        fixture.drive(from: 0, to: 300)
        #expect(
            try fixture.loop.run {
                (0..<connections).allSatisfy { reader.outputSoFar.contains("heard \($0) 1\n") }
            })
        return Bench(fixture: fixture, rules: rules, polkit: polkit, reader: reader)
    }

    @Test(
        "the installed bus policy lets polkit report a change: a right ends at once",
        .needs(.polkitd))
    func signalled() throws {
        // Without the signal it would last for an hour.
        let bench = try bench(try installedPolicy(), answersCount: 3600)
        defer { withExtendedLifetime(bench.polkit) {} }
        setRules(bench.rules, "read-events", allowed: "nobody-at-all")
        #expect(
            try bench.fixture.loop.run {
                bench.fixture.log.contains { $0.contains("may not read events any more") }
                    && bench.reader.outputSoFar.contains("NotAuthorized")
            }, "\(bench.fixture.log) \(bench.reader.outputSoFar)")
        bench.fixture.drive(from: 300, to: 700)
        #expect(bench.fixture.monitoring.lastSeq == 2)
        #expect(!bench.reader.outputSoFar.contains("heard 0 2"))
    }

    /// Everything, but for what polkit says unasked.
    private static let silentPolkit = """
        <allow user="*"/><allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/><allow own="*"/>
        <deny send_type="signal" send_interface="org.freedesktop.PolicyKit1.Authority"/>
        """

    @Test(
        "a right ends without any word of polkit, before the next event is told",
        .needs(.polkitd))
    func aged() throws {
        let bus = PrivateBus(policy: Self.silentPolkit)
        chmod(bus.directory.path, 0o711)
        let bench = try bench(bus, answersCount: 0.1)
        let (fixture, reader) = (bench.fixture, bench.reader)
        defer { withExtendedLifetime(bench.polkit) {} }
        setRules(bench.rules, "read-events", allowed: "nobody-at-all")
        #expect(try fixture.loop.run { reader.outputSoFar.contains("NotAuthorized") })
        fixture.drive(from: 300, to: 700)
        #expect(
            try fixture.loop.run {
                fixture.log.contains { $0.contains("may not read events any more") }
            }, "\(fixture.log)")
        #expect(fixture.monitoring.lastSeq == 2)
        #expect(!reader.outputSoFar.contains("heard 0 2"))
    }

    @Test(
        "while polkit does not answer nobody may; what was missed is told when it says yes",
        .needs(.polkitd))
    func gone() throws {
        let bus = Self.openBus()
        let bench = try bench(bus, answersCount: 3600)
        let (fixture, reader) = (bench.fixture, bench.reader)
        // The shell has become polkitd.
        bench.polkit.signal(SIGKILL)
        #expect(try fixture.loop.run { reader.outputSoFar.contains("NotAuthorized") })
        fixture.drive(from: 300, to: 700)
        #expect(fixture.monitoring.lastSeq == 2)
        let everything = try bus.connect(fixture.loop)
        #expect(
            try fixture.call(everything, "ReadEvents", [.uint64(0), .uint32(0)]).failure?.name
                == Geofence1.Failure.notAuthorized.name)
        #expect(!reader.outputSoFar.contains("heard 0 2"))
        let again = try startPolkit(bus, rules: bench.rules)
        defer { withExtendedLifetime(again) {} }
        #expect(
            try fixture.loop.run(seconds: 20) { reader.outputSoFar.contains("heard 0 2\n") },
            "\(fixture.log) \(reader.outputSoFar)")
    }

    @Test("a right ends for all programs of a user, however many there are", .needs(.polkitd))
    func many() throws {
        let bench = try bench(Self.openBus(), answersCount: 3600, connections: 40)
        let (fixture, reader) = (bench.fixture, bench.reader)
        defer { withExtendedLifetime(bench.polkit) {} }
        setRules(bench.rules, "read-events", allowed: "nobody-at-all")
        #expect(
            try fixture.loop.run {
                fixture.log.count { $0.contains("may not read events any more") } == 40
            }, "\(fixture.log)")
        fixture.drive(from: 300, to: 700)
        #expect(fixture.monitoring.lastSeq == 2)
        #expect(!reader.outputSoFar.contains(/heard \d+ 2/))
    }

    @Test(
        "the signal of a program that only says it is polkit changes nothing", .needs(.polkitd))
    func forged() throws {
        let bus = Self.openBus()
        let bench = try bench(bus, answersCount: 3600)
        bench.polkit.signal(SIGSTOP)
        try bus.forge(
            bench.fixture.loop,
            (
                BusSignal(
                    path: "/org/freedesktop/PolicyKit1/Authority",
                    interface: "org.freedesktop.PolicyKit1.Authority", member: "Changed"), []
            ))
        // With an answer to be waited for it would not be heard now.
        bench.fixture.drive(from: 300, to: 700)
        #expect(
            try bench.fixture.loop.run { bench.reader.outputSoFar.contains("heard 0 2\n") })
        bench.polkit.signal(SIGCONT)
    }

    @Test(
        "a durable consumer is told nothing once its program may not read events",
        .needs(.polkitd))
    func consumer() throws {
        let bench = try bench(Self.openBus(), answersCount: 3600)
        let fixture = bench.fixture
        defer { withExtendedLifetime(bench.polkit) {} }
        let consumer = Subprocess([
            "setpriv", "--reuid", "\(Self.daemon)", "--regid", "\(Self.daemon)", "--clear-groups",
            "/usr/bin/python3", "-u", "-c",
            """
            import dbus, dbus.service, dbus.mainloop.glib
            from gi.repository import GLib
            dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
            bus = dbus.bus.BusConnection("\(bench.fixture.bus.address)")
            def manager(member, signature, *arguments):
                bus.call_async(
                    "\(Geofence1.name)", "\(Geofence1.path)", "\(Geofence1.managerInterface)",
                    member, signature, arguments, lambda: print(member), lambda e: print(e))
            class Reader(dbus.service.Object):
                @dbus.service.method("\(Geofence1.consumerInterface)", in_signature="a(tsua{sv})b")
                def Deliver(self, events, gap):
                    for event in events: print("brought", event[0])
                    manager("AckEvents", "st", "org.example.Reader1", events[-1][0])
            name = dbus.service.BusName("org.example.Reader1", bus)
            Reader(bus, "\(Geofence1.consumerPath(of: "org.example.Reader1"))")
            manager("RegisterConsumer", "sa{sv}", "org.example.Reader1", {})
            GLib.MainLoop().run()
            """,
        ])
        #expect(
            try fixture.loop.run { consumer.outputSoFar.contains("RegisterConsumer") },
            "\(consumer.outputSoFar) \(consumer.errorsSoFar)")
        fixture.drive(from: 300, to: 700)
        #expect(
            try fixture.loop.run {
                consumer.outputSoFar.contains("brought 2")
                    && consumer.outputSoFar.contains("AckEvents")
            }, "\(consumer.outputSoFar)")
        setRules(bench.rules, "read-events", allowed: "nobody-at-all")
        #expect(try fixture.loop.run { bench.reader.outputSoFar.contains("NotAuthorized") })
        fixture.drive(from: 700, to: 300)
        let root = try fixture.bus.connect(fixture.loop)
        #expect(
            try fixture.loop.run {
                let list = try? fixture.call(root, "ListConsumers").success?[0].asArray
                let details = list?.first?.asStructure?[1].asDictionary
                return details?["last_error"]?.asString == Geofence1.Failure.notAuthorized.name
            })
        #expect(!consumer.outputSoFar.contains("brought 3"))
        setRules(bench.rules, "read-events", allowed: "daemon")
        #expect(try fixture.loop.run { consumer.outputSoFar.contains("brought 3") })
    }
}
