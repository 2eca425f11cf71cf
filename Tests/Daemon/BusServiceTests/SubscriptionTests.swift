import BusService
import Geofence1
import Glibc
import Model
import Monitoring
import SystemTestKit
import Systemd
import Testing

@MainActor
@Suite(.serialized)
struct SubscriptionTests {
    let fixture: ServiceFixture
    let client: BusConnection

    init() throws {
        (fixture, client) = try ServiceFixture.withClient()
    }

    private func subscribe(
        _ client: BusConnection, _ options: [(String, BusValue)] = []
    ) throws -> Result<[BusValue], BusError> {
        try fixture.call(client, "CreateSubscription", [.dictionary(options)])
    }

    private func exists(_ path: String) throws -> Bool {
        let ending = try fixture.loop.run(
            untilEndOf: fixture.bus.busctl("tree", "--list", Geofence1.name))
        return ending?.output.split(separator: "\n").contains { $0 == path } == true
    }

    @Test(
        "many events for many subscriptions: each is told all of them, in order, in several turns")
    func manyAtOnce() throws {
        for number in 0..<70 { try fixture.add("f\(number)", east: 500) }
        var listeners: [(BusConnection, Listener)] = []
        for _ in 0..<3 {
            let other = try fixture.bus.connect(fixture.loop)
            listeners.append((other, try Listener(other, fixture.loop)))
            for _ in 0..<16 { #expect(try subscribe(other).success != nil) }
        }
        let told = { (listener: Listener) in
            Dictionary(
                grouping: listener.heard.filter { $0.path.contains("subscription") }, by: \.path
            ).mapValues { $0.map { $0.values[0].asUInt64 ?? 0 } }
        }
        fixture.drive(from: 380, to: 500)
        // 70 enters for each of 48.
        let seqs = (1...70).map { UInt64($0) }
        #expect(
            try fixture.loop.run(seconds: 60) {
                listeners.allSatisfy { told($0.1).values.count { $0.count == 70 } == 16 }
            })
        #expect(listeners.allSatisfy { told($0.1).values.allSatisfy { $0 == seqs } })
    }

    @Test("a subscription signals its client alone, filtered by id, kind and metadata")
    func filters() throws {
        try fixture.add("a", east: 300, metadata: #"{"zone":"red","level":2}"#)
        try fixture.add("b", east: 1000, metadata: #"{"zone":"blue"}"#)
        let others = try fixture.bus.connect(fixture.loop)
        let cases: [([(String, BusValue)], [String])] = [
            ([], ["a1", "a2", "b1", "b2"]),
            ([("ids", .strings(["b"]))], ["b1", "b2"]),
            ([("kinds", .array(of: "u", [.uint32(2)]))], ["a2", "b2"]),
            ([("metadata", .dictionary([("zone", .string("red"))]))], ["a1", "a2"]),
            (
                [("metadata", .dictionary([("zone", .string("red")), ("level", .byte(2))]))],
                ["a1", "a2"]
            ),
            ([("metadata", .dictionary([("zone", .string("green"))]))], []),
            ([("ids", .strings(["a"])), ("kinds", .array(of: "u", [.uint32(1)]))], ["a1"]),
        ]
        let mine = try Listener(client, fixture.loop)
        let theirs = try Listener(others, fixture.loop)
        var paths: [String] = []
        for (options, _) in cases {
            paths.append(try #require(try subscribe(client, options).success?[0].asString))
        }
        #expect(paths.first == "/org/geofenced/Geofence1/subscription/1")
        fixture.drive(from: 0, to: 1300)
        #expect(
            try fixture.loop.run { theirs.all("Transition").count == 4 },
            "the broadcast")
        #expect(
            try fixture.loop.run {
                mine.all("Transition").count == 4 + cases.reduce(0) { $0 + $1.1.count }
            })
        for (path, expected) in zip(paths, cases.map(\.1)) {
            let heard = mine.heard.filter { $0.path == path }.map(\.values)
            #expect(
                heard.map { "\($0[1].asString ?? "")\($0[2].asUInt32 ?? 0)" } == expected)
            #expect(heard.allSatisfy { $0[3].asDictionary?["latitude"] == nil })
        }
        #expect(theirs.heard.allSatisfy { $0.path == Geofence1.path })
    }

    @Test(
        "bad options are refused by name",
        arguments: [
            ("colour", BusValue.string("red")), ("ids", .string("a")),
            ("kinds", .array(of: "u", [.uint32(0)])), ("kinds", .array(of: "u", [])),
            ("metadata", .string("x")), ("ids", .strings((0...1000).map(String.init))),
        ])
    func badOptions(name: String, value: BusValue) throws {
        let error = try #require(try subscribe(client, [(name, value)]).failure)
        #expect(error.name == BusError.invalidArguments)
        #expect(error.message.contains(name))
    }

    @Test("a program of a later version may ask for kinds that only its daemon has")
    func laterKinds() throws {
        let kinds = BusValue.array(of: "u", [.uint32(1), .uint32(99)])
        #expect(try subscribe(client, [("kinds", kinds)]).failure == nil)
    }

    @Test("options are bounded in bytes, and shown to their owner alone")
    func bounded() throws {
        let long = BusValue.strings([String(repeating: "x", count: 20_000)])
        #expect(try subscribe(client, [("ids", long)]).failure?.name == BusError.limitsExceeded)
        let path = try #require(
            try subscribe(client, [("ids", .strings(["secret"]))]).success?[0].asString)
        let properties = BusPeer(
            destination: Geofence1.name, path: path, interface: "org.freedesktop.DBus.Properties")
        let other = try fixture.bus.connect(fixture.loop)
        for name in ["Filter", "Client"] {
            let arguments = [BusValue.string(Geofence1.subscriptionInterface), .string(name)]
            #expect(try fixture.call(client, "Get", arguments, of: properties).failure == nil)
            #expect(
                try fixture.call(other, "Get", arguments, of: properties).failure?.name
                    == Geofence1.Failure.notAuthorized.name)
        }
        let all = try fixture.call(
            other, "GetAll", [.string(Geofence1.subscriptionInterface)], of: properties)
        #expect(all.failure?.name == Geofence1.Failure.notAuthorized.name)
    }

    @Test("a subscription ends with Close by its owner, and with its client")
    func gone() throws {
        let path = try #require(try subscribe(client).success?[0].asString)
        let second = try fixture.bus.connect(fixture.loop)
        let other = try #require(try subscribe(second).success?[0].asString)
        #expect(try exists(path))
        #expect(try exists(other))
        let peer = BusPeer(
            destination: Geofence1.name, path: path,
            interface: Geofence1.subscriptionInterface)
        #expect(
            try fixture.call(second, "Close", of: peer).failure?.name
                == "org.geofenced.Geofence1.Error.NotAuthorized")
        #expect(try fixture.call(client, "Close", of: peer).success == [])
        #expect(try !exists(path))
        second.close()
        var isThere = true
        #expect(
            try fixture.loop.run {
                isThere = (try? exists(other)) ?? true
                return !isThere
            })
    }

    @Test("there are limits per caller and in all")
    func limits() throws {
        for _ in 0..<16 { #expect(try subscribe(client).failure == nil) }
        #expect(try subscribe(client).failure?.name == BusError.limitsExceeded)
        var others: [BusConnection] = []
        for _ in 0..<15 {
            let other = try fixture.bus.connect(fixture.loop)
            for _ in 0..<16 { #expect(try subscribe(other).failure == nil) }
            others.append(other)
        }
        let last = try fixture.bus.connect(fixture.loop)
        #expect(try subscribe(last).failure?.name == BusError.limitsExceeded)
        others.removeLast().close()
        #expect(try fixture.loop.run { (try? subscribe(last).failure) == .some(nil) })
    }

    @Test("no user can block the answers of others")
    func oneUser() throws {
        let bus = PrivateBus(
            policy: """
                <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
                <allow own="*"/></policy>
                <limit name="max_connections_per_user">1000</limit>
                <policy context="default">
                """)
        let fixture = try ServiceFixture(
            bus: bus, trusted: TrustedCallers(uids: [], group: nil))
        try fixture.connect()
        // As many connections as a bus allows a user, each identified.
        var crowd: [BusConnection] = []
        for _ in 0..<256 {
            let one = try fixture.bus.connect(fixture.loop)
            #expect(
                try fixture.call(one, "CreateSubscription", [.dictionary([])]).failure?.name
                    == Geofence1.Failure.notAuthorized.name)
            crowd.append(one)
        }
        let another = try fixture.bus.connect(fixture.loop)
        #expect(
            try fixture.call(another, "Recenter").failure?.name
                == Geofence1.Failure.notAuthorized.name)
    }

    @Test(
        "a subscriber that stops reading costs the bus little, and gets the rest when it reads")
    func stopped() throws {
        let padding = String(repeating: "y", count: 60_000)
        try fixture.add("here", east: 0, metadata: #"{"x":"\#(padding)"}"#)
        let stopped = Subprocess(
            [
                "/usr/bin/python3", "-u", "-c",
                """
                import dbus, dbus.mainloop.glib
                from gi.repository import GLib
                dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
                bus = dbus.bus.BusConnection("\(fixture.bus.address)")
                manager = dbus.Interface(
                    bus.get_object("\(Geofence1.name)", "\(Geofence1.path)"),
                    "\(Geofence1.managerInterface)")
                path = manager.CreateSubscription(dbus.Dictionary({}, signature="sv"))
                bus.add_signal_receiver(
                    lambda seq, fence, kind, details: print(seq), "Transition",
                    "\(Geofence1.subscriptionInterface)", path=path)
                bus.get_name_owner("\(Geofence1.name)")
                print("ready")
                GLib.MainLoop().run()
                """,
            ])
        #expect(
            try fixture.loop.run { stopped.outputSoFar.contains("ready") },
            "\(stopped.errorsSoFar)")
        let mine = try Listener(client, fixture.loop)
        #expect(try subscribe(client).failure == nil)
        func mineHeard() -> Int {
            mine.heard.count { $0.member == "Transition" && $0.path != Geofence1.path }
        }
        stopped.signal(SIGSTOP)
        for pass in 0..<30 {
            let isBack = pass % 2 == 1
            fixture.drive(from: isBack ? 300 : -300, to: isBack ? -300 : 300)
        }
        let total = Int(fixture.monitoring.lastSeq)
        #expect(total == 60)
        #expect(try fixture.loop.run { mineHeard() == total })
        // 60 events of 60 kB are 3.6 MB; a subscription is sent 1 MiB before it must read.
        if let bytes = try fixture.peakOutgoingBytes() {
            #expect(bytes < 3_000_000)
        }
        stopped.signal(SIGCONT)
        #expect(
            try fixture.loop.run {
                stopped.outputSoFar.split(separator: "\n").dropFirst().map(String.init)
                    == (1...total).map(String.init)
            }, "\(stopped.outputSoFar)")
    }
}
