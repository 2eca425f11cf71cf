import BusService
import Engine
import Foundation
import Geofence1
import Monitoring
import SystemTestKit
import Systemd
import Testing

/// Other users call: that needs root to become them.
@MainActor
@Suite(.serialized, .needs(.otherUsers))
struct AuthorizationTests {
    /// A bus that lets every user in.
    static func openBus() -> PrivateBus {
        let bus = PrivateBus(
            policy: """
                <allow user="*"/><allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/><allow own="*"/>
                """)
        chmod(bus.directory.path, 0o711)
        return bus
    }

    /// The user `daemon` of every Debian.
    static let daemon = 1

    /// `busctl` as another user.
    private func busctl(
        _ fixture: ServiceFixture, as uid: Int, group: Int? = nil, _ arguments: String...
    ) throws -> Subprocess.Ending? {
        let groups = group.map { ["--groups", "\($0)"] } ?? ["--clear-groups"]
        return try fixture.loop.run(
            untilEndOf: Subprocess(
                ["setpriv", "--reuid", "\(uid)", "--regid", "\(uid)"] + groups
                    + ["busctl", "--address=\(fixture.bus.address)", "--timeout=20"] + arguments))
    }

    private func apply(
        _ fixture: ServiceFixture, as uid: Int, group: Int? = nil
    ) throws -> Subprocess.Ending? {
        try busctl(
            fixture, as: uid, group: group, "call", Geofence1.name, Geofence1.path,
            Geofence1.managerInterface, "ApplyFences", "a(sa{sv})ast", "0", "0", "0")
    }

    @Test("without polkit: root, ourselves and the group may; others are refused")
    func noPolkit() throws {
        let fixture = try ServiceFixture(
            bus: Self.openBus(), trusted: TrustedCallers(uids: [0], group: 12_345))
        try fixture.connect()
        try fixture.add("a", east: 300)
        fixture.drive(from: 0, to: 600)
        #expect(try apply(fixture, as: 0)?.status == 0)
        #expect(try apply(fixture, as: Self.daemon, group: 12_345)?.status == 0)
        let denied = try apply(fixture, as: Self.daemon)
        #expect(denied?.status == 1)
        #expect(denied?.errors.contains("not authorized") == true, "\(denied?.errors ?? "")")
        for call in [
            ["GetPosition"], ["GetWindow"], ["Recenter"], ["Reload"], ["GetFence", "s", "a"],
            ["ListFences", "a{sv}uu", "0", "0", "0"], ["GetStates", "as", "0"],
            ["EvaluateAt", "ddd", "48", "11", "5"], ["ReadEvents", "tu", "0", "10"],
            ["CreateSubscription", "a{sv}", "0"], ["ListConsumers"],
            ["RegisterConsumer", "sa{sv}", "org.example.C", "0"],
            ["SetVehicle", "a{sv}", "1", "height_m", "d", "4"],
        ] {
            func outcome(_ uid: Int, _ group: Int?) throws -> String? {
                try fixture.loop.run(
                    untilEndOf: Subprocess(
                        ["setpriv", "--reuid", "\(uid)", "--regid", "\(uid)"]
                            + (group.map { ["--groups", "\($0)"] } ?? ["--clear-groups"])
                            + ["busctl", "--address=\(fixture.bus.address)", "call"]
                            + [Geofence1.name, Geofence1.path, Geofence1.managerInterface] + call))?
                    .errors
            }
            #expect(
                try outcome(Self.daemon, nil)?.contains("not authorized") == true, "\(call)")
            #expect(
                try outcome(Self.daemon, 12_345)?.contains("not authorized") == false, "\(call)")
        }
        #expect(fixture.reloads == 1)
        #expect(try fixture.tracking.consumers().map(\.name) == ["org.example.C"])
        let read = try busctl(
            fixture, as: 0, "call", Geofence1.name, Geofence1.path, Geofence1.managerInterface,
            "ReadEvents", "tu", "0", "10")
        #expect(read?.output.contains("latitude") == true)
    }

    @Test("properties show the window to callers with read-events, from the first call on")
    func properties() throws {
        let fixture = try ServiceFixture(
            bus: Self.openBus(), trusted: TrustedCallers(uids: [0], group: 12_345))
        try fixture.connect()
        try fixture.add("secret", east: 300)
        fixture.drive(from: 0, to: 100)
        func all(_ uid: Int, _ group: Int?) throws -> String {
            let get = try busctl(
                fixture, as: uid, group: group, "get-property", Geofence1.name, Geofence1.path,
                Geofence1.managerInterface, "Window", "MetafenceRadius", "FenceCount")
            let everything = try busctl(
                fixture, as: uid, group: group, "call", Geofence1.name, Geofence1.path,
                "org.freedesktop.DBus.Properties", "GetAll", "s", Geofence1.managerInterface)
            #expect(everything?.output.contains("\"FixCounters\" a{st} ") == true)
            return (get?.output ?? "") + (everything?.output ?? "")
        }
        #expect(try all(0, nil).contains("as 1 \"secret\""))
        #expect(try all(Self.daemon, 12_345).contains("as 1 \"secret\""))
        let strangers = try all(Self.daemon, nil)
        #expect(strangers.hasPrefix("as 0\nd 0\nt 1\n"))
        #expect(!strangers.contains("secret"))
    }

    @Test("Authorization tells each caller what it may, and is signalled once that is known")
    func property() throws {
        let fixture = try ServiceFixture(bus: Self.openBus())
        try fixture.connect()
        let client = try fixture.bus.connect(fixture.loop)
        let listener = try Listener(client, fixture.loop)
        let properties = BusPeer(
            destination: Geofence1.name, path: Geofence1.path,
            interface: "org.freedesktop.DBus.Properties")
        func read() throws -> [String: BusValue]? {
            try fixture.call(
                client, "Get", [.string(Geofence1.managerInterface), .string("Authorization")],
                of: properties
            ).success?[0].asDictionary
        }
        #expect(
            try read() == [
                "manage-fences": .string("unknown"), "read-events": .string("unknown"),
                "read-location": .string("unknown"), "set-vehicle": .string("unknown"),
            ])
        #expect(
            try fixture.loop.run {
                listener.all("PropertiesChanged").contains {
                    $0[2].asStrings == ["Authorization"]
                }
            })
        #expect(
            try read() == [
                "manage-fences": .string("yes"), "read-events": .string("yes"),
                "read-location": .string("yes"), "set-vehicle": .string("yes"),
            ])
    }

    // MARK: With a real polkitd

    /// polkitd on a private bus, with our actions and the rules of a test, in a mount namespace of
    /// its own.
    private func startPolkit(_ bus: PrivateBus, rules: TemporaryDirectory) throws -> Subprocess {
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

    private func setRules(
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
        #expect(fixture.tracking.lastSeq == 2)
        let listener = try bus.connect(fixture.loop)
        #expect(try fixture.call(listener, "ReadEvents", [.uint64(0), .uint32(0)]).failure == nil)
        #expect(!client.outputSoFar.contains("heard 2"))
    }

    // MARK: The policy that is installed

    /// A bus with the rules that are installed: with root for the daemon's user, and a group that
    /// every Debian has for its group.
    private func installedPolicy() throws -> PrivateBus {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .appendingPathComponent("systemd/usr/share/dbus-1/system.d/\(Geofence1.name).conf")
        let text = try String(contentsOf: file, encoding: .utf8)
            .replacingOccurrences(of: "user=\"geofenced\"", with: "user=\"root\"")
            .replacingOccurrences(of: "group=\"geofenced\"", with: "group=\"games\"")
        let begin = try #require(text.range(of: "<busconfig>")).upperBound
        let end = try #require(text.range(of: "</busconfig>")).lowerBound
        // As in system.conf.
        let bus = PrivateBus(
            policy: """
                <allow user="*"/><deny own="*"/><deny send_type="method_call"/>
                <allow send_type="signal"/>
                <allow send_requested_reply="true" send_type="method_return"/>
                <allow send_requested_reply="true" send_type="error"/>
                <allow receive_type="method_call"/><allow receive_type="method_return"/>
                <allow receive_type="error"/><allow receive_type="signal"/>
                <allow send_destination="org.freedesktop.DBus"/>
                </policy>\(text[begin..<end])<policy context="default">
                """)
        chmod(bus.directory.path, 0o711)
        return bus
    }

    @Test(
        "the signals reach root and the group; others hear what they subscribe to, and properties")
    func broadcasts() throws {
        let games = 60
        let bus = try installedPolicy()
        let fixture = try ServiceFixture(
            bus: bus, trusted: TrustedCallers(uids: [0, UInt32(Self.daemon)], group: nil))
        try fixture.connect()
        func listener(_ user: Int, _ groups: [String]) -> Subprocess {
            Subprocess(
                ["setpriv", "--reuid", "\(user)", "--regid", "\(user)"] + groups + [
                    "/usr/bin/python3", "-u", "-c",
                    """
                    import dbus, dbus.mainloop.glib
                    from gi.repository import GLib
                    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
                    bus = dbus.bus.BusConnection("\(bus.address)")
                    bus.add_signal_receiver(
                        lambda *_, member, interface: print(member, interface.split(".")[-1]),
                        bus_name="\(Geofence1.name)", member_keyword="member",
                        interface_keyword="interface")
                    if \(user) == \(Self.daemon):
                        bus.call_blocking(
                            "\(Geofence1.name)", "\(Geofence1.path)",
                            "\(Geofence1.managerInterface)", "CreateSubscription", "a{sv}", ({},))
                    bus.get_name_owner("\(Geofence1.name)")
                    print("ready")
                    GLib.MainLoop().run()
                    """,
                ])
        }
        let root = listener(0, ["--clear-groups"]), member = listener(2, ["--groups", "\(games)"])
        let stranger = listener(2, ["--clear-groups"])
        let subscriber = listener(Self.daemon, ["--clear-groups"])
        for one in [root, member, stranger, subscriber] {
            #expect(
                try fixture.loop.run { one.outputSoFar.contains("ready") }, "\(one.errorsSoFar)")
        }
        try fixture.add("a", east: 300)
        fixture.drive(from: 0, to: 600)
        for one in [root, member] {
            #expect(
                try fixture.loop.run {
                    ["Transition Manager", "WindowChanged Manager", "Heartbeat Manager"]
                        .allSatisfy(one.outputSoFar.contains)
                }, "\(one.outputSoFar)")
        }
        #expect(
            try fixture.loop.run {
                subscriber.outputSoFar.contains("Transition Subscription")
                    && stranger.outputSoFar.contains("PropertiesChanged")
            }, "\(subscriber.outputSoFar) \(stranger.outputSoFar)")
        #expect(!stranger.outputSoFar.contains("Manager"))
        #expect(!stranger.outputSoFar.contains("Subscription"))
        #expect(!subscriber.outputSoFar.contains("Manager"))
    }
}
