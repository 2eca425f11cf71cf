import Glibc
import JSON
import Model
import Storage
import SystemTestKit
import Systemd
import Testing
import Time

@MainActor
@Suite(.serialized)
struct EventVerbTests {
    @Test("events are as documented, with the position if it may be read")
    func format() throws {
        let daemon = try ServedDaemon()
        _ = try daemon.run(
            "add", "bridge", "--circle", "48,11.00268097,100", "--title", "Low bridge", "--meta",
            "height=3.4")
        daemon.drive(from: 0, to: 400)
        let output = try daemon.run("events", "--json").output
        let events = try output.jsonLines
        #expect(events.map { $0["kind"]?.string } == ["enter", "exit"])
        let enter = try #require(events.first)
        #expect(
            enter.object?.map(\.key) == [
                "seq", "kind", "fence", "title", "time", "fix_time", "presence", "inferred",
                "reason", "distance_m", "error_m", "speed_mps", "course_deg", "stay_s",
                "odometer_m", "boot_id", "latitude", "longitude", "evidence", "metadata",
            ])
        #expect(enter["seq"]?.integer == 1)
        #expect(enter["fence"]?.string == "bridge")
        #expect(enter["title"]?.string == "Low bridge")
        #expect(enter["time"]?.string?.hasPrefix("2027-01-15T08:00:0") == true)
        #expect(enter["presence"]?.string == "inside")
        #expect(enter["error_m"]?.double == 5)
        #expect(enter["speed_mps"]?.double == 20)
        #expect(enter["course_deg"]?.double == 90)
        #expect(enter["stay_s"] == .null)
        #expect(enter["boot_id"]?.string == "0123456789abcdef0123456789abcdef")
        #expect(enter["latitude"]?.double == 48)
        #expect(enter["metadata"]?["height"]?.double == 3.4)
        #expect(abs((events[1]["stay_s"]?.double ?? 0) - 10) < 0.5)
        #expect(output.contains(#""error_m":5.0,"speed_mps":20.0,"course_deg":90.0,"#))
    }

    @Test("a map of the log has every event at its fix, and the fences that still exist")
    func map() throws {
        let daemon = try ServedDaemon()
        try daemon.add("a", east: 200, title: "<script>alert(1)</script>")
        try daemon.add("b", east: 800)
        daemon.drive(from: 0, to: 1200)
        _ = try daemon.run("remove", "b")
        let ending = try daemon.run("events", "--map", "-")
        #expect(ending.errors.isEmpty)
        #expect(!ending.output.contains("<script>alert"))
        let start = try #require(ending.output.firstRange(of: #"id="drive">"#))
        let rest = ending.output[start.upperBound...]
        let end = try #require(rest.firstRange(of: "</script>"))
        let drive = try #require(String(rest[..<end.lowerBound]).jsonLines.first)
        #expect(drive["fences"]?.array?.map { $0["id"]?.string } == ["a"])
        let events = try #require(drive["events"]?.array)
        #expect(
            events.map { $0["event"]?["fence"]?.string } == ["a", "a", "b", "b"])
        #expect(events.map { $0["fix"]?.integer } == [0, 1, 2, 3])
        #expect(events.map { $0["region"]?.integer } == [0, 0, nil, nil])
        #expect(drive["fixes"]?["t"]?.array?.count == 4)
    }

    @Test("the log as GPX has a waypoint for each event that is wanted, and no track")
    func gpx() throws {
        let daemon = try ServedDaemon()
        try daemon.add("a", east: 200, title: "A & B")
        daemon.drive(from: 0, to: 400)
        let output = try daemon.run("events", "--format", "gpx", "--kind", "exit").output
        #expect(output.ranges(of: "<wpt ").count == 1)
        #expect(output.contains("<name>exit A &amp; B</name>"))
        let follow = try daemon.run("events", "--format", "gpx", "--follow")
        #expect(follow.status == 2)
        #expect(follow.errors.contains("not together with --map or --format: --follow"))
    }

    @Test("a report has each stay with its length, and the one that is not over last")
    func report() throws {
        let daemon = try ServedDaemon()
        try daemon.add("a", east: 200)
        try daemon.add("b", east: 800)
        daemon.drive(from: 0, to: 800)
        let stays = try daemon.run("report", "--json").output.jsonLines
        #expect(stays.map { $0["place"]?.string } == ["a", "b"])
        #expect((stays[0]["stay_s"]?.double ?? 0) > 1)
        #expect(stays[0]["left"]?.string?.hasPrefix("2027-01-15T08:00:") == true)
        #expect(stays[1]["left"] == .null)
        #expect(stays[1]["way_m"] == .null)
        let way = try #require(stays[0]["way_m"]?.double)
        #expect(way > 100)
        #expect((stays[0]["way_error_m"]?.double ?? 0) > way / 100)
        let sums = try daemon.run("report", "--json", "--by", "place").output.jsonLines
        #expect(sums.map { $0["place"]?.string } == ["a"], "the other is not over")
        #expect(sums[0]["way_m"]?.double == way)
        let days = try daemon.run("report", "--json", "--by", "day").output.jsonLines
        #expect(days.map { $0["day"]?.string } == ["2027-01-15"])
        #expect(days[0]["stays"]?.integer == 1)
        #expect(try daemon.run("report", "--by", "week").status == 2)
        let page = try daemon.run("report", "--format", "html", "--since", "2027-01-14").output
        #expect(page.contains("<p>From 2027-01-14T00:00:00.000Z to "), "\(page)")
        #expect(page.contains("<p>All times are UTC.</p>") && page.contains("<td>2 stays</td>"))
        #expect(!page.contains("<script") && page.hasSuffix("</table>\n</body></html>\n"))
        let rows = try daemon.run("report", "--by", "day", "--format", "csv").output
        #expect(rows.hasPrefix("day,stays,stay_s,way_m,way_error_m,gap_m\r\n2027-01-15,1,"))
        #expect(try daemon.run("report", "--format", "xls").status == 2)
        #expect(try daemon.run("report", "--format", "csv", "--json").status == 2)
        // From the crossing at 700 m to the last fix.
        #expect((stays[1]["stay_s"]?.double ?? 0) > 1)
        let later = try daemon.run("report", "--json", "--since", "2027-01-16").output.jsonLines
        #expect(later.map { $0["place"]?.string } == ["b"], "it is not over")
        let place = try daemon.run("report", "--json", "--place", "a").output.jsonLines
        #expect(place.map { $0["place"]?.string } == ["a"])
        let unknown = try daemon.run("report", "--place", "a", "--place", "x")
        #expect(unknown.status == 1 && unknown.output.isEmpty)
        #expect(unknown.errors.contains("there is no fence") && unknown.errors.contains("x"))
        try daemon.add("c", east: 90_000)
        #expect(try daemon.run("report", "--place", "c").status == 0)
    }

    @Test("what was driven in the areas of a set and outside of them is the whole way")
    func jurisdictions() throws {
        let daemon = try ServedDaemon()
        try daemon.add("a", east: 400, radius: 300, title: "A")
        try daemon.add("within a", east: 400, radius: 100)
        try daemon.add("b", east: 1200, radius: 300)
        daemon.drive(from: 0, to: 1200)
        func driven(_ more: String...) throws -> [String?: Double] {
            let arguments = ["report", "--json", "--by", "jurisdiction", "--origin", "bus"] + more
            let ending = try #require(
                try daemon.loop.run(untilEndOf: daemon.start(arguments)))
            return Dictionary(
                try ending.output.jsonLines.map {
                    ($0["jurisdiction"]?.string, try #require($0["driven_m"]?.double))
                }, uniquingKeysWith: +)
        }
        let sums = try driven()
        #expect(sums.count == 4)
        for (id, metres) in ["a": 400.0, "within a": 200, "b": 300] {
            #expect(abs((sums[id] ?? 0) - metres) < 10, "\(id)")
        }
        #expect(abs((sums[nil] ?? 0) - 300) < 10)
        let shown = try #require(try daemon.json("status").first?["odometer_m"]?.double)
        #expect(abs(sums.values.reduce(0, +) - shown) < 0.25)
        #expect(try daemon.run("status").output.contains("odometer  1.2 km"))
        // Up to the first event after that time nothing counts.
        #expect(try driven("--since", "2027-01-16") == [nil: 0])
        #expect(try daemon.run("report", "--by", "jurisdiction").status == 2)
        let table = try daemon.run("report", "--by", "jurisdiction", "--origin", "bus").output
        let lines = table.split(separator: "\n").map { $0.split(separator: "\t") }
        #expect(lines.map(\.first) == ["A", "b", "within a", "outside", "all"], "\(table)")
        #expect(lines.last.map { $0.dropFirst() } == ["1.2 km", "0.7"])
    }

    @Test("events are chosen by number, fence, kind and time")
    func filters() throws {
        let daemon = try ServedDaemon()
        try daemon.add("a", east: 200)
        try daemon.add("b", east: 800)
        daemon.drive(from: 0, to: 1200)
        func seqs(_ arguments: String...) throws -> [Int64] {
            let run = daemon.start(["events", "--json"] + arguments)
            let ending = try #require(try daemon.loop.run(untilEndOf: run))
            #expect(ending.errors.isEmpty)
            return try ending.output.jsonLines.compactMap { $0["seq"]?.integer }
        }
        #expect(try seqs() == [1, 2, 3, 4])
        #expect(try seqs("--since", "2") == [3, 4])
        #expect(try seqs("--last", "1") == [4])
        #expect(try seqs("--fence", "b") == [3, 4])
        #expect(try seqs("--fence", "b", "--since", "3") == [4])
        #expect(try seqs("--fence", "b", "--last", "3", "--kind", "enter") == [3])
        #expect(try seqs("--fence", "c") == [])
        // More than one call takes: all are read.
        let many = (0...64).flatMap { ["--fence", "f\($0)"] } + ["--fence", "b"]
        let run = daemon.start(["events", "--json"] + many)
        let ending = try #require(try daemon.loop.run(untilEndOf: run))
        #expect(try ending.output.jsonLines.map { $0["seq"]?.integer } == [3, 4])
        #expect(try seqs("--fence", "a", "--fence", "b", "--kind", "exit") == [2, 4])
        #expect(try seqs("--after", "2027-01-15T08:00:10Z") == [2, 3, 4])
        #expect(try seqs("--before", "2027-01-15T08:00:10Z") == [1])
        #expect(try seqs("--after", "2027-01-16") == [])
        #expect(try seqs("--kind", "dwell") == [])
        let mistake = try daemon.run("events", "--kind", "leave")
        #expect(mistake.status == 2)
        #expect(try daemon.run("events", "--after", "noon").status == 2)
    }

    @Test("a gap in the log is reported")
    func gap() throws {
        let daemon = try ServedDaemon(retention: Retention(count: 1, age: .zero, always: 1))
        try daemon.add("a", east: 200)
        for _ in 0..<40 {
            daemon.drive(from: 0, to: 400)
            daemon.drive(from: -20_000, to: -19_900)
        }
        let first = try #require(try daemon.json("events").first?["seq"]?.integer)
        try #require(first > 2)
        let objects = try daemon.json("events", "--since", "1")
        #expect(objects[0]["gap"]?["after"]?.integer == 1)
        #expect(objects[0]["gap"]?["next"]?.integer == first)
        #expect(objects[1]["seq"]?.integer == first)
        // It is the same gap whichever fence is asked about.
        let other = try daemon.json("events", "--since", "1", "--fence", "b")
        #expect(other == [objects[0]])
        let ending = try daemon.run("events", "--since", "1")
        #expect(
            ending.errors
                == "geofencectl: warning: the log has a gap: after 1 comes \(first)\n")
    }

    @Test("--follow prints later events, across a restart of the daemon")
    func follow() throws {
        let daemon = try ServedDaemon()
        try daemon.add("a", east: 200)
        try daemon.add("b", east: 800)
        let run = daemon.start(["events", "--follow", "--json"])
        daemon.drive(from: 0, to: 400)
        func kinds() throws -> [String] {
            try run.outputSoFar.jsonLines.compactMap { $0["kind"]?.string }
        }
        #expect(try daemon.loop.run { (try? kinds().count) == 2 })
        daemon.leave()
        daemon.drive(from: 420, to: 800)
        try daemon.serve()
        #expect(try daemon.loop.run { (try? kinds().count) == 3 })
        daemon.drive(from: 820, to: 1100)
        #expect(try daemon.loop.run { (try? kinds().count) == 4 })
        #expect(try kinds() == ["enter", "exit", "enter", "exit"])
        #expect(run.errorsSoFar.isEmpty)
        run.signal(SIGINT)
        #expect(try daemon.loop.run(untilEndOf: run)?.status == 128 + SIGINT)
    }

    @Test("--follow ends with an error when the bus goes")
    func busGoes() throws {
        let daemon = try ServedDaemon()
        let run = daemon.start(["events", "--follow"])
        try daemon.add("a", east: 200)
        daemon.drive(from: 0, to: 300)
        #expect(try daemon.loop.run { run.outputSoFar.contains("enter") })
        daemon.bus.kill()
        let ending = try #require(try daemon.loop.run(untilEndOf: run))
        #expect(ending.errors.hasPrefix("geofencectl: the bus has closed the connection: "))
        #expect(ending.status == 1)
    }
}
