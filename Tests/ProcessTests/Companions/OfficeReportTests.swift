import JSON
import Law
import Model
import Monitoring
import SystemTestKit
import Testing

/// The reports of one drive, on the vehicle and in the office.
@MainActor
@Suite("A report of the office is that of the vehicle", .serialized)
struct OfficeReportTests {
    private let daemon: ServedDaemon
    private let office: ServedOffice
    private let directory = TemporaryDirectory()

    init() throws {
        var settings = MonitoringSettings()
        settings.engine.trips.areRecorded = true
        daemon = try ServedDaemon(settings: settings)
        office = try ServedOffice()
    }

    private func sums(_ lines: String) throws -> [String?: Double] {
        try Dictionary(
            lines.jsonLines.map {
                ($0["jurisdiction"]?.string, try #require($0["driven_m"]?.double))
            }, uniquingKeysWith: +)
    }

    @Test("by jurisdiction: the same rows, to the metre, and together the whole way")
    func jurisdictions() throws {
        try daemon.add("a", east: 400, radius: 300, title: "A <1>")
        try daemon.add("within a", east: 400, radius: 100)
        try daemon.add("b", east: 1_200, radius: 300)
        try daemon.add("never", east: 9_000, radius: 100)
        daemon.drive(from: 0, to: 0)
        daemon.setIgnition(true)
        daemon.drive(from: 20, to: 1_300)
        // The end of the trip tells what the odometer shows, in the middle of an area.
        daemon.setIgnition(false)
        let last = try #require(try daemon.json("events").last)
        #expect(last["kind"]?.string == "trip")
        try office.take(daemon, upTo: UInt64(try #require(last["seq"]?.integer)))

        let areas = try daemon.run("export", "--origin", "bus").output
        let file = directory.write(areas, to: "areas.geojson")
        let box = try daemon.run("report", "--by", "jurisdiction", "--origin", "bus", "--json")
        func answer(_ more: String...) throws -> String {
            try self.office.run(["report", "--by", "jurisdiction", "--areas", file] + more)
        }
        let lines = try answer("--format", "json")
        let (here, there) = (try sums(box.output), try sums(lines))
        #expect(Set(here.keys) == ["a", "within a", "b", nil])
        #expect(here.keys == there.keys, "\(lines)")
        for (id, metres) in here { #expect(abs((there[id] ?? 0) - metres) < 0.3, "\(id ?? "-")") }
        let odometer = try #require(try daemon.json("status").first?["odometer_m"]?.double)
        #expect(abs(there.values.reduce(0, +) - odometer) < 0.3)
        // Equal in form, too: the same members in each row, and the same table.
        #expect(
            try lines.jsonLines.map { $0.object?.map(\.key) }
                == box.output.jsonLines.map { $0.object?.map(\.key) })
        let table = try daemon.run("report", "--by", "jurisdiction", "--origin", "bus").output
        let shown = try answer().split(separator: "\n").dropFirst().map {
            $0.split(separator: "  ").map { $0.trimmingSpaces }
        }
        #expect(
            shown == table.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        )
        // Of a part of the time: what a drive was up to the first crossing is in no row of a time after it.
        let late = try sums(answer("--format", "json", "--since", "2027-01-16"))
        #expect(late == [nil: 0])
        let early = try sums(answer("--format", "json", "--until", "2027-01-14"))
        #expect(early == [nil: 0])
        #expect(try sums(answer("--format", "json", "--box", "box2")) == [nil: 0])
        #expect(try answer("--format", "html").contains("<td>A &lt;1&gt;</td>"))
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
