import Geofence1
import Glibc
import JSON
import Law
import Model
import Monitoring
import SystemTestKit
import Systemd
import Testing

@MainActor
@Suite(.serialized)
struct BeaconVerbTests {
    let daemon: ServedDaemon

    init() throws { daemon = try ServedDaemon() }

    private static let uuid = BeaconUUID(high: 1, low: 2)

    private func add(_ id: String, minor: UInt16, code: String = "{}") throws {
        let rule = BeaconRule(.minor(Self.uuid, major: 7, minor: minor))
        let fence = Fence(
            id: id, subject: .beacons(rule), title: "Exhibit \(id)", metadata: code)
        _ = try daemon.monitoring.apply(upserts: [fence], removing: [], at: EventLoop.uptime)
    }

    private func presence(_ id: String) throws -> Presence? {
        daemon.monitoring.beaconStates(at: EventLoop.uptime).first { $0.region.id == id }?.presence
    }

    @Test("a file with beacons is imported, listed, shown and exported")
    func catalogue() throws {
        let file = """
            {"type":"Feature","id":"dock","geometry":null,"properties":{"title":"Dock 7",\
            "beacon":{"uuid":"\(Self.uuid.text)","major":7},"sightings":1,"min_rssi":-70}}
            """
        let run = try daemon.run("import", "-", input: file + "\n")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try daemon.run("list").output == "dock\tbeacons\tDock 7\t\n")
        let shown = try daemon.run("show", "dock").output
        #expect(shown.contains("beacons     \(Self.uuid.text)/7\n"), "\(shown)")
        #expect(shown.contains("min rssi    -70 dBm\n") && !shown.contains("centre"))
        let exported = try daemon.run("export", "--json").output
        #expect(exported.contains(#""geometry":null"#) && exported.contains(#""sightings":1"#))
        let csv = try daemon.run("export", "--format", "csv")
        #expect(csv.status == 1 && csv.errors.contains("no circle"), "\(csv.errors)")
    }

    @Test("beacons are added without a file")
    func added() throws {
        let run = try daemon.run(
            "add", "box", "--beacon", "\(Self.uuid.text.uppercased())/7/1", "--title", "Box 1",
            "--companion", "--group", "boxes", "--min-rssi", "-80", "--sightings", "3", "--meta",
            "height_m=4")
        #expect(run.status == 0, "\(run.errors)")
        var rule = BeaconRule(.minor(Self.uuid, major: 7, minor: 1))
        rule.sightings = 3
        rule.leastRSSI = -80
        rule.isCompanion = true
        rule.group = "boxes"
        let box = Fence(
            id: "box", subject: .beacons(rule), title: "Box 1", metadata: #"{"height_m":4}"#)
        #expect(try daemon.monitoring.fence(id: "box")?.fence == box)
        let space = "00112233445566778899"
        #expect(try daemon.run("add", "gate", "--beacon", space).status == 0)
        let namespace = try #require(BeaconNamespace(space))
        #expect(
            try daemon.monitoring.fence(id: "gate")?.fence.subject
                == .beacons(BeaconRule(.namespace(namespace))))
    }

    @Test("here, gone and auto, by id or by the text on the sign")
    func byHand() throws {
        try add("lion", minor: 1, code: #"{"code":42}"#)
        try add("bear", minor: 2, code: #"{"code":"B 7"}"#)
        #expect(try daemon.run("beacon", "here", "42").status == 0)
        #expect(try presence("lion") == .inside)
        #expect(try daemon.run("beacon", "here", "B 7", "--for", "8h").status == 0)
        let list = try daemon.json("beacon", "list")
        #expect(list.map { $0["id"]?.string } == ["bear", "lion"])
        #expect(list.allSatisfy { $0["manual"]?.bool == true && $0["since"] != .null })
        #expect(list[0]["beacons"]?.string == "\(Self.uuid.text)/7/2")
        let line = try daemon.run("beacon", "list").output.split(separator: "\n").first
        #expect(line?.hasPrefix("bear\tinside, by hand\t") == true)
        #expect(try daemon.run("beacon", "gone", "lion").status == 0)
        #expect(try presence("lion") == .outside)
        #expect(try daemon.run("beacon", "auto", "bear").status == 0)
        #expect(try presence("bear") == .outside)
        let unknown = try daemon.run("beacon", "here", "43")
        #expect(unknown.status == 1)
        #expect(
            unknown.errors == "geofencectl: no fence of beacons has this id or code: 43\n")
    }

    @Test("range prints the state of the radio, and the beacons that are near after a change")
    func ranged() throws {
        daemon.monitoring.radioChanged(to: BeaconRadioStatus(.ranging), at: EventLoop.uptime)
        let run = daemon.start(["beacon", "range", Self.uuid.text, "--json"])
        #expect(try daemon.loop.run { run.outputSoFar.contains(#""state":"ranging""#) })
        let sighting = BeaconSighting(
            .proximity(Self.uuid, major: 7, minor: 1), rssi: -59, measuredPower: -59)
        daemon.monitoring.hear([sighting], at: EventLoop.uptime)
        #expect(try daemon.loop.run { run.outputSoFar.contains(#""beacons":[{"#) })
        let line = try #require(try run.outputSoFar.jsonLines.last?["beacons"]?.array?.first)
        #expect(line["beacon"]?.string == "\(Self.uuid.text)/7/1")
        #expect(line["distance_m"]?.double == 1 && line["rssi"]?.integer == -59)
        daemon.monitoring.radioChanged(to: BeaconRadioStatus(.off, .blocked), at: EventLoop.uptime)
        #expect(try daemon.loop.run { run.outputSoFar.contains(#""reason":"blocked""#) })
        run.signal(SIGINT)
        #expect(try daemon.loop.run(untilEndOf: run)?.status == 128 + SIGINT)
    }

    @Test("range believes the daemon alone, even if another one speaks to it directly")
    func forged() throws {
        daemon.monitoring.radioChanged(to: BeaconRadioStatus(.ranging), at: EventLoop.uptime)
        let run = daemon.start(["beacon", "range", Self.uuid.text, "--json"])
        #expect(try daemon.loop.run { run.outputSoFar.contains(#""state":"ranging""#) })
        let path = Geofence1.rangingPath(1)
        let ranged = BusSignal(
            path: path, interface: Geofence1.rangingInterface, member: "Ranged")
        let changed = BusSignal(
            path: path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged")
        let near = RangedBeacon(
            .proximity(Self.uuid, major: 6, minor: 6), lastSeen: EventLoop.uptime)
        try daemon.bus.forge(
            daemon.loop,
            (ranged, [.uint64(1), BeaconMessage.value(of: [near], at: EventLoop.uptime)]),
            (
                changed,
                [
                    .string(Geofence1.rangingInterface),
                    .dictionary([("State", .string("off")), ("Reason", .string("forged"))]),
                    .strings([]),
                ]
            ))
        daemon.monitoring.radioChanged(to: BeaconRadioStatus(.off, .blocked), at: EventLoop.uptime)
        #expect(try daemon.loop.run { run.outputSoFar.contains(#""reason":"blocked""#) })
        #expect(!run.outputSoFar.contains("forged") && !run.outputSoFar.contains("/6/6"))
        run.signal(SIGINT)
        _ = try daemon.loop.run(untilEndOf: run)
    }

    @Test("status shows the radio, and the companions that are with the vehicle")
    func status() throws {
        #expect(
            try daemon.run("beacon", "status").output
                == "radio       off: no-regions\nfences      0, inside 0\n")
        var rule = BeaconRule(.uuid(Self.uuid))
        rule.isCompanion = true
        let trailer = Fence(id: "trailer", subject: .beacons(rule), title: "Box")
        _ = try daemon.monitoring.apply(upserts: [trailer], removing: [], at: EventLoop.uptime)
        #expect(try daemon.run("beacon", "here", "trailer").status == 0)
        let text = try daemon.run("beacon", "status").output
        #expect(text.hasSuffix("companion   trailer, Box: inside, by hand\n"), "\(text)")
        let json = try #require(try daemon.json("beacon", "status").first)
        #expect(json["companions"]?.array?.first?["id"]?.string == "trailer")
    }

    @Test("vehicle show names the companion that determines the height")
    func vehicle() throws {
        var rule = BeaconRule(.uuid(Self.uuid))
        rule.isCompanion = true
        let trailer = Fence(
            id: "trailer-7", subject: .beacons(rule), metadata: #"{"height_m":4}"#)
        _ = try daemon.monitoring.apply(upserts: [trailer], removing: [], at: EventLoop.uptime)
        #expect(try daemon.run("vehicle", "set", "--height", "3.5m").status == 0)
        #expect(try daemon.run("beacon", "here", "trailer-7").status == 0)
        let shown = try daemon.run("vehicle", "show").output
        #expect(shown.hasPrefix("height    4.00 m (13'2\"), with trailer-7\n"), "\(shown)")
        let json = try #require(try daemon.json("vehicle", "show").first)
        #expect(json["height_m"]?.double == 4)
        #expect(json["companions"]?.array?.map(\.string) == ["trailer-7"])
        #expect(try daemon.run("beacon", "gone", "trailer-7").status == 0)
        #expect(try daemon.run("vehicle", "show").output.hasPrefix("height    3.50 m (11'6\")\n"))
    }

    @Test(
        "meaningless arguments are wrong usage",
        arguments: [
            (["beacon"], "missing argument: list | here | gone"),
            (["beacon", "here"], "missing argument: ID"),
            (["beacon", "here", "a", "b"], "unexpected argument: b"),
            (["beacon", "list", "a"], "unexpected argument: a"),
            (["beacon", "near"], "neither list, here, gone, auto, range nor status: beacon near"),
            (["beacon", "list", "--for", "8h"], "not an option of beacon list: --for"),
            (["beacon", "here", "a", "--for", "8"], "not a time such as 8h or 90min"),
            (["add", "a", "--beacon", "7"], "nor NAMESPACE[/INSTANCE]: --beacon 7"),
            (
                ["add", "a", "--beacon", "00112233445566778899", "--circle", "1,2,3"],
                "needs one of the three"
            ),
            (
                ["add", "a", "--beacon", "00112233445566778899", "--radius", "5"],
                "beacons have none: --radius"
            ),
            (["add", "a", "--beacon", "00112233445566778899", "--min-rssi", "21"], "--min-rssi"),
        ])
    func usage(_ arguments: [String], _ complaint: String) throws {
        let run = Subprocess([builtProgram("geofencectl")] + arguments)
        let ending = try #require(run.wait())
        #expect(ending.status == 2)
        #expect(ending.errors.contains(complaint), "\(ending.errors)")
    }
}
