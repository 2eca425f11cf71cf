import Foundation
import SystemTestKit
import Testing

@Suite struct ReplayProgramTests {
    private let directory = TemporaryDirectory()
    private let track: String
    private let fences: String

    init() {
        let points = (0..<60).map { second in
            """
            <trkpt lat="0" lon="\(Double(second) * 0.0001)">\
            <time>2026-01-01T00:00:\(second < 10 ? "0" : "")\(second)Z</time></trkpt>
            """
        }
        track = directory.write(
            "<gpx><trk><trkseg>\(points.joined(separator: "\n"))</trkseg></trk></gpx>",
            to: "track.gpx")
        fences = directory.write(
            "id,latitude,longitude,radius,title\na,0,0.003,60,gate\n", to: "a.csv")
    }

    @Test("people get one line per event and a summary")
    func forPeople() throws {
        let ending = try geofencectl("replay", track, "--fences", fences)
        let lines = ending.output.split(separator: "\n", omittingEmptySubsequences: false)
        try #require(lines.count == 8)
        #expect(lines[0].hasPrefix("2026-01-01T00:00:24.6"))
        #expect(lines[0].contains("enter     a "))
        #expect(lines[0].hasSuffix("gate"))
        #expect(lines[1].contains("exit      a "))
        #expect(lines[1].contains("stay 10.8 s"))
        #expect(lines[2].isEmpty)
        #expect(lines[3].hasPrefix("driven    0.657 km"))
        #expect(lines[4] == "fixes     60 reports, 60 accepted, 0 refused")
        #expect(lines[5] == "events    1 enter, 1 exit")
        #expect(ending.errors.isEmpty)
        #expect(ending.status == 0)
    }

    @Test("fence files may follow the track")
    func moreFiles() throws {
        let more = directory.write("id,latitude,longitude,radius\nb,0,0.003,60\n", to: "b.csv")
        let ending = try geofencectl("replay", track, "--fences", fences, more)
        #expect(ending.output.contains("events    2 enter, 2 exit"))
    }

    @Test("a bad entry makes the whole file fail, named with its line")
    func badEntry() throws {
        let bad = directory.write("id,latitude,longitude,radius\nb,0,0,60\nc,0,0,-1\n", to: "b.csv")
        let ending = try geofencectl("replay", track, "--fences", bad)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.hasPrefix("geofencectl: fence 2 (\"c\"): radius"))
        #expect(ending.errors.hasSuffix(": \(bad):3\n"))
        #expect(ending.status == 1)
    }

    @Test("an id in two files is refused")
    func twins() throws {
        let ending = try geofencectl("replay", track, "--fences", fences, "--fences", fences)
        #expect(ending.errors == "geofencectl: fence \"a\": comes twice in one batch: \(fences)\n")
        #expect(ending.status == 1)
    }

    @Test("what is no recording is named", arguments: ["", "hello"])
    func noTrack(_ text: String) throws {
        let path = directory.write(text, to: "none")
        let ending = try geofencectl("replay", path, "--fences", fences)
        #expect(ending.errors.hasPrefix("geofencectl: "))
        #expect(ending.errors.hasSuffix(": \(path)\n"))
        #expect(ending.status == 1)
    }

    @Test("nothing is left in the directory for temporary files")
    func leavesNothing() throws {
        let scratch = TemporaryDirectory()
        for fences in [fences, "/nonexistent"] {
            _ = try geofencectl(
                "replay", track, "--fences", fences, environment: ["TMPDIR": scratch.path])
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
    }

    @Test("two runs give the same bytes")
    func twice() throws {
        let first = try geofencectl("replay", track, "--fences", fences, "--json")
        let second = try geofencectl("replay", track, "--fences", fences, "--json")
        #expect(first == second)
        #expect(first.output.contains(#""kind":"enter""#))
    }
}
