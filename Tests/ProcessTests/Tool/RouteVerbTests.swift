import Geodesy
import JSON
import Model
import Monitoring
import SystemTestKit
import Systemd
import Testing

@MainActor
@Suite(.serialized)
struct RouteVerbTests {
    let daemon: ServedDaemon

    init() throws { daemon = try ServedDaemon() }

    /// Eastwards along the road of the fixture.
    private func file(_ name: String, to end: Int) -> String {
        let points = stride(from: 0, through: end, by: 500).map {
            "<rtept lat=\"48\" lon=\"\(11 + Double($0) / 74_600)\"/>"
        }
        return daemon.directory.write(
            "<gpx><rte>\(points.joined(separator: "\n"))</rte></gpx>", to: name)
    }

    /// 20 m under a bridge that begins at `x`, and 1 km towards it.
    private func addBridge(_ id: String, x: Double, limit: Double) throws {
        let lines = [[x - 1_000, x], [x, x + 20]].map { line in
            line.map { Coordinate(latitude: 48, longitude: 11 + $0 / 74_600) }
        }
        let fence = Fence(
            id: id, area: try Area(.lines(lines, width: 2 * Approach.reach)),
            approach: Approach(
                limits: Limits([.height: limit], basis: .signed),
                course: .legs([Approach.Leg(endToGo: 0, chance: 0.5)])))
        _ = try daemon.monitoring.apply(upserts: [fence], removing: [], at: EventLoop.uptime)
    }

    @Test("a route is set, shown and cleared; without hazards nothing is said to be known")
    func route() throws {
        #expect(try daemon.run("route", "show").output == "no route\n")
        #expect(try daemon.json("route", "show").first?["state"] == "none")
        daemon.drive(from: -40, to: 0)
        let set = try daemon.run("route", "set", file("a.gpx", to: 5_000), "--name", "harbour")
        #expect(set.status == 0, "\(set.errors)")
        let lines = set.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("harbour: 5.0 km, set 2027-01-15T08:") == true)
        #expect(
            lines.last
                == "no hazards are loaded: whether there are low bridges on it is not known")
        let shown = try #require(try daemon.json("route", "show").first)
        #expect(shown["state"] == "set" && shown["hazards_known"] == false)
        #expect(shown["positions"] == 11 && shown["hazards"] == [])
        #expect(try daemon.json("status").first?["route_state"] == "set")
        #expect(try daemon.run("status").output.contains("route     set\n"))
        #expect(try daemon.run("route", "clear").status == 0)
        #expect(try daemon.run("route", "show").output == "no route; the last one: cleared\n")
    }

    @Test("the hazards on it are a table, in its order")
    func hazards() throws {
        try addBridge("low", x: 3_000, limit: 3.8)
        try addBridge("high", x: 4_000, limit: 5)
        #expect(try daemon.run("vehicle", "set", "--height", "4m").status == 0)
        let set = try daemon.run("route", "set", file("a.gpx", to: 9_000))
        let rows = set.output.split(separator: "\n")
        #expect(rows.count == 3, "\(set)")
        #expect(rows[1] == "3.0 km\theight 3.80 m\t4.00 m\t\tlow")
        #expect(
            rows[2] == "1 hazard on it, 1 more that it fits; what the data do not have is not known"
        )
        let found = try #require(
            try daemon.json("route", "show").first?["hazards"]?.array?.first)
        #expect(found["hazard"] == "low" && found["fit"] == "breaks")
        #expect(found["limit_m"]?.double == 3.8)
        #expect((2_990...3_010).contains(found["along_m"]?.double ?? 0))
    }

    @Test(
        "what is wrong names the file and the line",
        arguments: [
            (
                "<gpx>\n<rte><rtept lat='x' lon='1'/>",
                ":2: rtept without a lat and lon on the Earth"
            ),
            ("hello", ": neither GPX nor GeoJSON"),
        ])
    func wrong(text: String, ending: String) throws {
        let path = daemon.directory.write(text, to: "bad.gpx")
        let answer = try daemon.run("route", "set", path)
        #expect(answer.status == 1)
        let (place, reason) = (ending.split(separator: " ", maxSplits: 1)[0], ending)
        #expect(answer.errors.contains(path + place.dropLast()), "\(answer.errors) \(reason)")
    }

    @Test("a file with the places of a route, and not the way, is set with a note")
    func places() throws {
        let path = daemon.directory.write(
            "<gpx><rte><rtept lat='48' lon='11'/><rtept lat='48' lon='11.05'/></rte></gpx>",
            to: "places.gpx")
        let answer = try daemon.run("route", "set", path)
        #expect(answer.status == 0)
        #expect(answer.errors.contains("straight lines of more than 2 km"))
    }

    @Test(
        "wrong usage is 2",
        arguments: [
            ["route", "set"], ["route", "show", "x"], ["route", "clear", "x"], ["route", "go"],
            ["route", "show", "--keep"], ["route", "clear", "--name", "x"],
        ])
    func usage(arguments: [String]) throws {
        let ending = try #require(try daemon.loop.run(untilEndOf: daemon.start(arguments)))
        #expect(ending.status == 2)
    }
}
