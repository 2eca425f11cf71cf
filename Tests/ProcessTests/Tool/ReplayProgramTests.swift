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

    @Test("a recording of which nothing can be used says why, and fails", arguments: [true, false])
    func useless(_ isJSON: Bool) throws {
        let path = directory.write(
            "<gpx><trkpt lat='0' lon='0'><fix>none</fix></trkpt><trkpt lat='0' lon='0'/></gpx>",
            to: "none.gpx")
        let ending =
            try isJSON
            ? geofencectl("replay", path, "--fences", fences, "--json")
            : geofencectl("replay", path, "--fences", fences)
        #expect(ending.status == 1)
        #expect(
            ending.errors == "geofencectl: not one of 2 positions in the recording could be used"
                + " (2 no-fix): \(path)\n")
        #expect(ending.output.contains(isJSON ? "\"summary\"" : "events    none"))
        let empty = directory.write("<gpx></gpx>", to: "empty.gpx")
        let nothing = try geofencectl("replay", empty, "--fences", fences)
        #expect(nothing.status == 1)
        #expect(
            nothing.errors == "geofencectl: there is no position in the recording: \(empty)\n")
    }

    @Test("a reader that goes leaves nothing behind, and is not told of it")
    func unread() throws {
        let scratch = TemporaryDirectory()
        let points = (0..<2000).map { number in
            let (minute, second) = (number / 60 % 60, number % 60)
            let time = "2026-01-01T\(10 + number / 3600):\(minute / 10)\(minute % 10):"
            return "<trkpt lat='0' lon='\(Double(number / 40 % 2) * 0.02)'><time>\(time)"
                + "\(second / 10)\(second % 10)Z</time></trkpt>"
        }
        let long = directory.write("<gpx>\(points.joined())</gpx>", to: "long.gpx")
        let circles = (0..<40).map { "f\($0),0,0,\(100 + $0)" }.joined(separator: "\n")
        let many = directory.write("id,latitude,longitude,radius\n\(circles)\n", to: "many.csv")
        let script = "\"$0\" replay \"$1\" --fences \"$2\" --json | head -n 1 >/dev/null"
        let run = Subprocess(
            ["bash", "-o", "pipefail", "-c", script, builtProgram("geofencectl"), long, many],
            environment: ["TMPDIR": scratch.path])
        let ending = try #require(run.wait(seconds: 120))
        #expect(ending.status == 128 + SIGPIPE)
        #expect(ending.errors.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
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
