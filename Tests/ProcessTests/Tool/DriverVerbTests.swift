import JSON
import Model
import Monitoring
import SystemTestKit
import Testing

@MainActor
@Suite(.serialized)
struct DriverVerbTests {
    let daemon: ServedDaemon

    init() throws { daemon = try ServedDaemon() }

    @Test("who was set is shown, and is in events until he is forgotten")
    func driver() throws {
        #expect(try daemon.run("driver", "show").output == "no driver is set\n")
        #expect(try daemon.json("driver", "show").first?["driver"] == .null)
        daemon.drive(from: -40, to: 0)
        let set = try daemon.run("driver", "set", "jane doe")
        #expect(set.status == 0 && set.output.isEmpty, "\(set.errors)")
        #expect(daemon.monitoring.driver?.id == "jane doe")
        let shown = try daemon.run("driver", "show").output
        #expect(shown.hasPrefix("jane doe, since 2027-01-15T08:") && shown.hasSuffix("Z\n"))
        try daemon.add("depot", east: 1_000)
        daemon.drive(from: 0, to: 1_000)
        #expect(try daemon.run("driver", "clear").status == 0)
        #expect(try daemon.json("driver", "show").first?["driver"] == .null)
        daemon.drive(from: 1_020, to: 1_500)
        #expect(try daemon.json("events").map { $0["driver"]?.string } == ["jane doe", nil])
        #expect(try daemon.run("events").output.contains("driver jane doe\n"))
        #expect(try daemon.run("driver", "forget", "jane doe").status == 0)
        #expect(try daemon.json("events").map { $0["driver"] } == [nil, nil])
        let again = try daemon.run("driver", "forget", "jane doe")
        #expect(again.status == 1)
        #expect(again.errors == "geofencectl: no driver of that id is in the log: jane doe\n")
    }

    @Test("a report names the driver with whom a stay ended, and sums by driver")
    func report() throws {
        for (place, east) in [("a", 200.0), ("b", 800), ("c", 1_400), ("d", 2_000)] {
            try daemon.add(place, east: east)
        }
        daemon.drive(from: 0, to: 200)
        #expect(try daemon.run("driver", "set", "jane").status == 0)
        daemon.drive(from: 220, to: 600)
        #expect(try daemon.run("driver", "clear").status == 0)
        daemon.drive(from: 620, to: 1_100)
        #expect(try daemon.run("driver", "set", "joe").status == 0)
        daemon.drive(from: 1_120, to: 1_700)
        #expect(try daemon.run("driver", "set", "jane").status == 0)
        daemon.drive(from: 1_720, to: 2_300)
        let stays = try daemon.json("report")
        #expect(stays.map { $0["place"]?.string } == ["a", "b", "c", "d"])
        #expect(stays.map { $0["driver"]?.string } == ["jane", nil, "joe", "jane"])
        #expect(stays[1]["driver"] == .null)
        let rows = try daemon.run("report").output.split(separator: "\n")
        #expect(rows[0].hasSuffix("\tjane") && rows[1].hasSuffix("\t"))
        let sums = try daemon.json("report", "--by", "driver")
        #expect(sums.map { $0["driver"]?.string } == [nil, "jane", "joe"])
        #expect(sums[0]["driver"] == .null)
        #expect(sums.map { $0["stays"]?.integer } == [1, 2, 1])
        let ways = stays.compactMap { $0["way_m"]?.double }
        #expect(abs((sums[1]["way_m"]?.double ?? 0) - ways[0] - ways[3]) < 0.05)
        #expect(try daemon.run("report", "--by", "driver").output.hasPrefix("–\t1\t"))
    }

    @Test(
        "a wrong use is said, and nothing is set",
        arguments: [
            (["set"], "the id of a driver is missing: driver set"),
            (["set", ""], "the id of a driver is missing: driver set"),
            (["forget"], "the id of a driver is missing: driver forget"),
            (["show", "a"], "takes no id: driver show"),
            (["clear", "a"], "takes no id: driver clear"),
            (["a"], "neither show, set, clear nor forget: driver a"),
        ])
    func wrong(_ words: [String], _ message: String) throws {
        let started = daemon.start(["driver"] + words)
        let run = try #require(try daemon.loop.run(untilEndOf: started))
        #expect(run.status == 2)
        #expect(run.errors == "geofencectl: \(message); see geofencectl --help\n")
        #expect(daemon.monitoring.driver == nil)
    }
}
