import BusService
import Foundation
import Geofence1
import Law
import Model
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
    func busctl(
        _ fixture: ServiceFixture, as uid: Int, group: Int? = nil, _ arguments: String...
    ) throws -> Subprocess.Ending? {
        try busctl(fixture, as: uid, group: group, arguments)
    }

    func busctl(
        _ fixture: ServiceFixture, as uid: Int, group: Int?, _ arguments: [String]
    ) throws -> Subprocess.Ending? {
        let groups = group.map { ["--groups", "\($0)"] } ?? ["--clear-groups"]
        return try fixture.loop.run(
            untilEndOf: Subprocess(
                ["setpriv", "--reuid", "\(uid)", "--regid", "\(uid)"] + groups
                    + ["busctl", "--address=\(fixture.bus.address)", "--timeout=20"] + arguments))
    }

    func apply(
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
            ["GetPosition"], ["GetMetafence"], ["GetWindow"], ["Recenter"], ["Reload"],
            ["GetFence", "s", "a"],
            ["ListFences", "a{sv}uu", "0", "0", "0"], ["GetStates", "as", "0"],
            ["EvaluateAt", "ddd", "48", "11", "5"], ["ReadEvents", "tu", "0", "10"],
            ["FindEvents", "a{sv}tu", "1", "ids", "as", "1", "a", "0", "10"],
            ["CreateSubscription", "a{sv}", "0"], ["ListConsumers"],
            ["RegisterConsumer", "sa{sv}", "org.example.C", "0"],
            ["SetVehicle", "a{sv}", "1", "height_m", "d", "4"], ["SetIgnition", "b", "false"],
            ["AcceptLoss", "s", ""], ["AcceptLogLoss"], ["GetRoute"], ["ClearRoute"],
            ["SetRoute", "a(dd)a{sv}", "0", "0"],
        ] {
            func outcome(_ uid: Int, _ group: Int?) throws -> String? {
                let groups = group.map { ["--groups", "\($0)"] } ?? ["--clear-groups"]
                let command =
                    ["setpriv", "--reuid", "\(uid)", "--regid", "\(uid)"] + groups + [
                        "busctl", "--address=\(fixture.bus.address)", "call", Geofence1.name,
                        Geofence1.path, Geofence1.managerInterface,
                    ] + call
                return try fixture.loop.run(untilEndOf: Subprocess(command))?.errors
            }
            #expect(
                try outcome(Self.daemon, nil)?.contains("not authorized") == true, "\(call)")
            #expect(
                try outcome(Self.daemon, 12_345)?.contains("not authorized") == false, "\(call)")
        }
        #expect(fixture.reloads == 1)
        #expect(try fixture.monitoring.consumers().map(\.name) == ["org.example.C"])
        let read = try busctl(
            fixture, as: 0, "call", Geofence1.name, Geofence1.path, Geofence1.managerInterface,
            "ReadEvents", "tu", "0", "10")
        #expect(read?.output.contains("latitude") == true)
    }

    @Test("members of the group of readers read where the vehicle is, and change nothing")
    func readers() throws {
        let fixture = try ServiceFixture(
            bus: Self.openBus(), trusted: TrustedCallers(uids: [0], group: nil, readers: 12_346))
        try fixture.connect()
        try fixture.add("a", east: 300)
        fixture.drive(from: 0, to: 600)
        func call(_ arguments: [String]) throws -> Subprocess.Ending? {
            try busctl(
                fixture, as: Self.daemon, group: 12_346,
                ["call", Geofence1.name, Geofence1.path, Geofence1.managerInterface] + arguments)
        }
        for reading in [
            ["GetPosition"], ["GetWindow"], ["GetMetafence"], ["GetFence", "s", "a"],
            ["ListFences", "a{sv}uu", "0", "0", "0"], ["ReadEvents", "tu", "0", "10"],
        ] {
            #expect(try call(reading)?.status == 0, "\(reading)")
        }
        for changing in [
            ["ApplyFences", "a(sa{sv})ast", "0", "0", "0"], ["Recenter"], ["Reload"],
            ["SetVehicle", "a{sv}", "1", "height_m", "d", "4"], ["AcceptLoss", "s", ""],
            ["AcceptLogLoss"],
        ] {
            #expect(
                try call(changing)?.errors.contains("not authorized") == true, "\(changing)")
        }
        #expect(fixture.reloads == 0)
        #expect(try call(["ReadEvents", "tu", "0", "10"])?.output.contains("latitude") == true)
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

    @Test("Authorization tells each caller what it may, the first time, too")
    func property() throws {
        let fixture = try ServiceFixture(bus: Self.openBus())
        try fixture.connect()
        let client = try fixture.bus.connect(fixture.loop)
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
                "manage-fences": .string("yes"), "read-events": .string("yes"),
                "read-location": .string("yes"), "set-vehicle": .string("yes"),
                "range-beacons": .string("yes"), "state-presence": .string("yes"),
                "set-driver": .string("yes"), "set-route": .string("yes"),
            ])
    }

    // MARK: The policy that is installed

    /// A bus with the rules that are installed: with root for the daemon's user, and a group that
    /// every Debian has for its group.
    /// - Parameter other: another file of policies.
    func installedPolicy(and other: String? = nil) throws -> PrivateBus {
        let text = try page("systemd/usr/share/dbus-1/system.d/\(Geofence1.name).conf")
            .replacingOccurrences(of: "user=\"geofenced\"", with: "user=\"root\"")
            .replacingOccurrences(of: "group=\"geofenced\"", with: "group=\"games\"")
        func rules(_ text: String) throws -> Substring {
            let begin = try #require(text.range(of: "<busconfig>")).upperBound
            return text[begin..<(try #require(text.range(of: "</busconfig>")).lowerBound)]
        }
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
                <allow own="org.freedesktop.PolicyKit1"/>
                <allow send_destination="org.freedesktop.PolicyKit1"/>
                </policy>\(try rules(text))\(try other.map(rules) ?? "")<policy context="default">
                """)
        chmod(bus.directory.path, 0o711)
        return bus
    }

    private func page(_ path: String) throws -> String {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent(path)
        return try String(contentsOf: file, encoding: .utf8)
    }

    @Test(
        "with the policy of the page a consumer has its name and is brought its events",
        arguments: [true, false])
    func consumer(hasPolicy: Bool) throws {
        // As the page has it, but for the user.
        let page = try page("docs/man/org.geofenced.Geofence1.5")
            .replacingOccurrences(of: "user=\"logbook\"", with: "user=\"daemon\"")
        let bus = try installedPolicy(and: hasPolicy ? page : nil)
        let fixture = try ServiceFixture(
            bus: bus, trusted: TrustedCallers(uids: [0, UInt32(Self.daemon)], group: nil))
        try fixture.connect()
        let logbook = Subprocess([
            "setpriv", "--reuid", "\(Self.daemon)", "--regid", "\(Self.daemon)", "--clear-groups",
            "/usr/bin/python3", "-u", "-c",
            """
            import dbus, dbus.mainloop.glib, dbus.service
            from gi.repository import GLib
            dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
            bus = dbus.bus.BusConnection("\(bus.address)")
            class Logbook(dbus.service.Object):
                @dbus.service.method("\(Geofence1.name).Consumer", in_signature="a(tsua{sv})b")
                def Deliver(self, events, gap):
                    print("delivered", *[str(event[1]) for event in events])
            try:
                name = dbus.service.BusName("org.example.Logbook", bus)
            except dbus.DBusException as error:
                raise SystemExit(error.get_dbus_name())
            logbook = Logbook(bus, "/org/example/Logbook")
            bus.call_blocking(
                "\(Geofence1.name)", "\(Geofence1.path)", "\(Geofence1.managerInterface)",
                "RegisterConsumer", "sa{sv}", ("org.example.Logbook", {}))
            print("ready")
            GLib.MainLoop().run()
            """,
        ])
        #expect(
            try fixture.loop.run { logbook.outputSoFar.contains("ready") || logbook.hasEnded })
        guard hasPolicy else {
            #expect(logbook.errorsSoFar.contains("AccessDenied"), "\(logbook.errorsSoFar)")
            return
        }
        try fixture.add("a", east: 300)
        fixture.drive(from: 0, to: 600)
        #expect(
            try fixture.loop.run { logbook.outputSoFar.contains("delivered a") },
            "\(logbook.outputSoFar) \(logbook.errorsSoFar)")
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
