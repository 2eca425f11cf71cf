import BusService
import Foundation
import Geofence1
import Model
import Monitoring
import SystemTestKit
import Systemd
import Testing

// With a real polkitd.
extension AuthorizationTests {
    /// polkitd on a private bus, with our actions and the rules of a test, in a mount namespace of
    /// its own.
    func startPolkit(_ bus: PrivateBus, rules: TemporaryDirectory) throws -> Subprocess {
        chmod(rules.path, 0o755)
        let actions = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .appendingPathComponent("systemd/usr/share/polkit-1/actions").path
        let polkit = Subprocess(
            [
                "unshare", "--mount", "sh", "-c",
                """
                mount --bind '\(actions)' /usr/share/polkit-1/actions &&
                mount --bind '\(rules.path)' /etc/polkit-1/rules.d &&
                exec /usr/lib/polkit-1/polkitd --no-debug
                """,
            ], environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
        let owned = waitUntil {
            bus.busctl("status", "org.freedesktop.PolicyKit1").wait()?.status == 0
                || polkit.hasEnded
        }
        try #require(owned && !polkit.hasEnded, "polkitd: \(polkit.errorsSoFar)")
        return polkit
    }

    func setRules(
        _ rules: TemporaryDirectory, _ action: String = "manage-fences", allowed user: String
    ) {
        // Renamed into place: polkitd reads a new file at once.
        rules.write(
            """
            polkit.addRule(function(action, subject) {
                if (action.id == "org.geofenced.Geofence1.\(action)" && subject.user == "\(user)")
                    return polkit.Result.YES;
            });
            """, to: "new")
        chmod(rules.file("new"), 0o644)
        rename(rules.file("new"), rules.file("50-test.rules"))
    }

    @Test(
        "polkit decides, its answer is cached, and a change is noticed and signalled",
        .needs(.polkitd))
    func polkit() throws {
        let bus = Self.openBus()
        let rules = TemporaryDirectory()
        setRules(rules, allowed: "daemon")
        let polkit = try startPolkit(bus, rules: rules)
        defer { withExtendedLifetime(polkit) {} }
        let fixture = try ServiceFixture(
            bus: bus, trusted: TrustedCallers(uids: [0], group: nil))
        try fixture.connect()
        #expect(try apply(fixture, as: Self.daemon)?.status == 0)
        let denied = try apply(fixture, as: 2)
        #expect(denied?.errors.contains("not authorized") == true, "\(denied?.errors ?? "")")

        // One client that stays.
        let client = Subprocess(
            [
                "setpriv", "--reuid", "1", "--regid", "1", "--clear-groups", "/usr/bin/python3",
                "-u", "-c",
                """
                import dbus, time
                bus = dbus.bus.BusConnection("\(bus.address)")
                thing = bus.get_object("\(Geofence1.name)", "\(Geofence1.path)")
                while True:
                    rights = thing.Get("\(Geofence1.managerInterface)", "Authorization",
                        dbus_interface="org.freedesktop.DBus.Properties")
                    try:
                        thing.ApplyFences(dbus.Array([], "(sa{sv})"), dbus.Array([], "s"),
                            dbus.UInt64(0), dbus_interface="\(Geofence1.managerInterface)")
                        print("yes", dict(rights).get("manage-fences"),
                            dict(rights).get("read-location"))
                    except dbus.DBusException as error:
                        print(error.get_dbus_name(), dict(rights).get("manage-fences"))
                    time.sleep(0.05)
                """,
            ])
        let mine = try bus.connect(fixture.loop)
        let listener = try Listener(mine, fixture.loop)
        #expect(
            try fixture.loop.run { client.outputSoFar.contains("yes yes auth\n") },
            "\(client.outputSoFar) \(client.errorsSoFar)")
        #expect(!client.outputSoFar.contains("NotAuthorized"))
        let before = listener.all("PropertiesChanged").count
        setRules(rules, allowed: "nobody-at-all")
        #expect(
            try fixture.loop.run {
                client.outputSoFar.contains("\(Geofence1.name).Error.NotAuthorized auth\n")
            }, "\(client.outputSoFar.suffix(300))")
        #expect(
            listener.all("PropertiesChanged").dropFirst(before).contains {
                $0[2].asStrings == ["Authorization"]
            })
    }

    @Test(
        "a subscription ends when polkit says no, and each user has a limit of them",
        .needs(.polkitd))
    func withdrawn() throws {
        let bus = Self.openBus()
        let rules = TemporaryDirectory()
        setRules(rules, "read-events", allowed: "daemon")
        let polkit = try startPolkit(bus, rules: rules)
        defer { withExtendedLifetime(polkit) {} }
        let fixture = try ServiceFixture(bus: bus, trusted: TrustedCallers(uids: [], group: nil))
        fixture.settings.subscriptionLimitPerUser = 3
        try fixture.connect()
        let client = Subprocess(
            [
                "setpriv", "--reuid", "1", "--regid", "1", "--clear-groups", "/usr/bin/python3",
                "-u", "-c",
                """
                import dbus, dbus.mainloop.glib
                from gi.repository import GLib
                dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
                bus = dbus.bus.BusConnection("\(bus.address)")
                manager = dbus.Interface(
                    bus.get_object("\(Geofence1.name)", "\(Geofence1.path)", introspect=False),
                    "\(Geofence1.managerInterface)")
                for number in range(4):
                    try:
                        path = manager.CreateSubscription(dbus.Dictionary({}, signature="sv"))
                        bus.add_signal_receiver(
                            lambda seq, *_: print("heard", seq), "Transition",
                            "\(Geofence1.subscriptionInterface)", path=path)
                        bus.get_name_owner("\(Geofence1.name)")
                        print("subscribed")
                    except dbus.DBusException as error: print(error.get_dbus_message())
                GLib.MainLoop().run()
                """,
            ])
        #expect(
            try fixture.loop.run {
                client.outputSoFar.hasSuffix("more than 3 subscriptions of one user\n")
            }, "\(client.outputSoFar) \(client.errorsSoFar)")
        try fixture.add("a", east: 300)
        fixture.drive(from: 0, to: 300)
        #expect(try fixture.loop.run { client.outputSoFar.contains("heard 1\n") })
        setRules(rules, "read-events", allowed: "nobody-at-all")
        #expect(
            try fixture.loop.run {
                fixture.log.contains { $0.contains("may not read events any more") }
            }, "\(fixture.log)")
        let tree = try fixture.loop.run(
            untilEndOf: bus.busctl("tree", "--list", Geofence1.name))
        #expect(tree?.output.contains("subscription/") == false)
        fixture.drive(from: 300, to: 700)
        #expect(fixture.monitoring.lastSeq == 2)
        let listener = try bus.connect(fixture.loop)
        #expect(try fixture.call(listener, "ReadEvents", [.uint64(0), .uint32(0)]).failure == nil)
        #expect(!client.outputSoFar.contains("heard 2"))
    }
}
