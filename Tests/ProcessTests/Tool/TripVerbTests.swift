import JSON
import Law
import Model
import Monitoring
import SystemTestKit
import Testing

@MainActor
@Suite(.serialized)
struct TripVerbTests {
    let daemon: ServedDaemon

    init() throws {
        var settings = MonitoringSettings()
        settings.engine.trips.areRecorded = true
        daemon = try ServedDaemon(settings: settings)
    }

    @Test("a report has a row for each trip, of a place those from it or to it")
    func report() throws {
        try daemon.add("depot", east: 0, title: "Depot Nord")
        try daemon.add("dock", east: 2_000)
        daemon.drive(from: 0, to: 0)
        daemon.setIgnition(true)
        #expect(try daemon.run("driver", "set", "jane").status == 0)
        daemon.drive(from: 0, to: 2_000)
        daemon.setIgnition(false)
        daemon.setIgnition(true)
        daemon.drive(from: 2_000, to: 3_000)
        daemon.setIgnition(false)
        let trips = try daemon.json("report", "--by", "trip")
        #expect(trips.map { $0["from"]?.string } == ["depot", "dock"])
        #expect(trips.map { $0["to"]?.string } == ["dock", nil])
        #expect(trips[0]["from_title"]?.string == "Depot Nord" && trips[0]["to_title"] == .null)
        #expect(trips[0]["driver"]?.string == "jane" && trips[0]["stops"]?.integer == 0)
        #expect(abs((trips[0]["way_m"]?.double ?? 0) - 2_000) < 30)
        #expect(trips[0]["trip_s"]?.double == 101 && trips[0]["gap_m"]?.double == 0)
        let text = try daemon.run("report", "--by", "trip").output
        #expect(text.contains("\tDepot Nord\tdock\t1 min 41 s\t2.0 km\t\t0\tjane\n"))
        #expect(try daemon.json("report", "--by", "trip", "--place", "depot").count == 1)
        #expect(try daemon.json("report", "--by", "trip", "--since", "2030-01-01").isEmpty)
        let event = try #require(
            try daemon.json("events").first { $0["kind"]?.string == "trip" })
        #expect(event["began"]?.string == trips[0]["began"]?.string)
        #expect(event["time"]?.string == trips[0]["ended"]?.string)
        let line = try daemon.run("events").output
        #expect(line.contains("trip      1 min 41 s, from Depot Nord, to dock, 2.0 km, 0 stops\n"))
    }
}
