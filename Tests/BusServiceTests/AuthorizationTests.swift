import BusService
import Foundation
import Geofence1
import SystemTestKit
import Systemd
import Testing
import Tracking

/// Other users call: that needs root to become them.
@MainActor
@Suite(.serialized, .enabled(if: geteuid() == 0))
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

    private func call(_ member: String, _ arguments: String...) -> [String] {
        ["call", Geofence1.name, Geofence1.path, Geofence1.managerInterface, member] + arguments
    }

    private func apply(
        _ fixture: ServiceFixture, as uid: Int, group: Int? = nil
    ) throws -> Subprocess.Ending? {
        try busctl(
            fixture, as: uid, group: group, "call", Geofence1.name, Geofence1.path,
            Geofence1.managerInterface, "ApplyFences", "a(sa{sv})ast", "0", "0", "0")
    }

    @Test("without polkit: root, ourselves and the group may; nobody else, and is told so")
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
        for member in ["GetPosition", "GetWindow", "Recenter", "Reload"] {
            let ending = try busctl(
                fixture, as: Self.daemon, "call", Geofence1.name, Geofence1.path,
                Geofence1.managerInterface, member)
            #expect(ending?.errors.contains("not authorized") == true, "\(member)")
        }
        #expect(fixture.reloads == 0)
        func events(_ uid: Int) throws -> String {
            try busctl(
                fixture, as: uid, "call", Geofence1.name, Geofence1.path,
                Geofence1.managerInterface, "ReadEvents", "tu", "0", "10")?.output ?? ""
        }
        #expect(try events(0).contains("latitude"))
        let withoutPosition = try events(Self.daemon)
        #expect(withoutPosition.hasPrefix("a(tsua{sv})tb 2 1 \"a\" 1 "))
        for part in ["latitude", "longitude", "speed_mps", "course_deg"] {
            #expect(!withoutPosition.contains(part))
        }
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
                "manage-fences": .string("unknown"), "read-location": .string("unknown"),
            ])
        #expect(
            try fixture.loop.run {
                listener.all("PropertiesChanged").contains {
                    $0[2].asStrings == ["Authorization"]
                }
            })
        #expect(try read() == ["manage-fences": .string("yes"), "read-location": .string("yes")])
    }

    // MARK: With a real polkitd

    /// polkitd on a private bus, with our actions and the rules of a test, in a mount namespace of
    /// its own.
    private func startPolkit(_ bus: PrivateBus, rules: TemporaryDirectory) throws -> Subprocess {
        chmod(rules.path, 0o755)
        let actions = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
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

    private func setRules(_ rules: TemporaryDirectory, allowed user: String) {
        // Renamed into place: polkitd reads what it is told of at once.
        rules.write(
            """
            polkit.addRule(function(action, subject) {
                if (action.id == "org.geofenced.Geofence1.manage-fences" && subject.user == "\(user)")
                    return polkit.Result.YES;
            });
            """, to: "new")
        chmod(rules.file("new"), 0o644)
        rename(rules.file("new"), rules.file("50-test.rules"))
    }

    @Test(
        "polkit decides, its answer is kept, and a change is heard and signalled",
        .enabled(if: access("/usr/lib/polkit-1/polkitd", X_OK) == 0))
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
}
