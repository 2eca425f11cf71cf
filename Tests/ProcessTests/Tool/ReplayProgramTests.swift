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
            <trkpt lat="0.00001" lon="\(Double(second) * 0.0001)">\
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

    /// The network of a truck on that drive, which counts 10 m a second; made here, by the numbers of
    /// SAE J1939-71.
    private func network(_ seconds: ClosedRange<Int>) -> String {
        seconds.map { second in
            let time = 1_767_225_600 + second
            let steps = 200_000 + 2 * second
            let bytes = (0..<4).map { (steps >> (8 * $0)) & 0xFF }
            let odometer = bytes.map { String(format: "%02X", $0) }.joined()
            return """
                (\(time).000100) can0 18FEF100#F30024FFFFFFFFFF
                (\(time).000200) can0 18FEC1EE#\(odometer)FFFFFFFF
                (\(time).000300) can1 18FEF100#F30000FFFFFFFFFF

                """
        }.joined()
    }

    @Test("with the vehicle's network the metres are those of its wheels, the same bytes twice")
    func wheels() throws {
        let can = directory.write(network(-5...60), to: "drive.can")
        let plain = try geofencectl("--json", "replay", track, "--fences", fences)
        func run(window: String = "20") throws -> Subprocess.Ending {
            try geofencectl(
                "--json", "replay", track, "--fences", fences, "--can", can, "--window", window)
        }
        let heard = try run()
        #expect(heard.status == 0)
        #expect(heard.errors.isEmpty)
        #expect(try run().output == heard.output)
        #expect(try run(window: "5").output == heard.output)
        #expect(heard.output.contains(#""wheels":true"#))
        #expect(!plain.output.contains(#""wheels""#))
        // 120 m at 11.13 m/s, the first of which prove nothing yet; and at 10 m/s.
        func way(_ text: String) -> Double? {
            text.split(separator: #""way_m":"#).last?.split(separator: ",").first
                .flatMap { Double($0) }
        }
        let (path, wheels) = (try #require(way(plain.output)), try #require(way(heard.output)))
        #expect(abs(path - 115) < 6)
        #expect(abs(wheels - 107.8) < 1)
    }

    @Test(
        "what is no log of candump is named with its line",
        arguments: [
            ("(1767225600.0) can0 18FEF100#F3\nx\n", "drive.can:2"),
            ("(1767225600.0) can0 18FEF100#F3F\n", "drive.can:1"),
            ("(1767225600.0) can0 123#00\n", "nothing in it says how fast the vehicle is"),
            ("", "nothing in it says how fast the vehicle is"),
        ])
    func brokenNetwork(text: String, said: String) throws {
        let can = directory.write(text, to: "drive.can")
        let ending = try geofencectl("replay", track, "--fences", fences, "--can", can)
        #expect(ending.status == 1)
        #expect(ending.errors.contains(said), "\(ending.errors)")
        #expect(ending.output.isEmpty)
    }

    @Test("fence files may follow the track")
    func moreFiles() throws {
        let more = directory.write("id,latitude,longitude,radius\nb,0,0.003,60\n", to: "b.csv")
        let ending = try geofencectl("replay", track, "--fences", fences, more)
        #expect(ending.output.contains("events    2 enter, 2 exit"))
    }

    /// A minute on the equator, beginning at that minute and longitude.
    private func piece(_ minute: Int, from longitude: Double) -> String {
        let points = (0..<60).map { second in
            """
            <trkpt lat="0.00001" lon="\(longitude + Double(second) * 0.0001)">\
            <time>2026-01-01T00:0\(minute):\(second < 10 ? "0" : "")\(second)Z</time></trkpt>
            """
        }
        return "<gpx><trk><trkseg>\(points.joined(separator: "\n"))</trkseg></trk></gpx>"
    }

    @Test("several recordings are one drive, and fence files may stand between them")
    func severalTracks() throws {
        let first = directory.write(piece(0, from: 0), to: "1.gpx")
        let second = directory.write(piece(1, from: 0.006), to: "2.gpx")
        let waypoints = directory.write(
            "<gpx><wpt lat='0' lon='0.006'><name>w</name></wpt></gpx>", to: "w.gpx")
        let classes = directory.write(
            #"{"type":"Feature","id":"c","properties":{"class":"x","radius":60},"#
                + #""geometry":{"type":"Point","coordinates":[0.009,0]}}"#, to: "c.geojson")
        let ending = try geofencectl(
            "replay", first, fences, waypoints, second, classes, "--radius", "100")
        #expect(ending.errors.isEmpty)
        #expect(ending.output.contains("fixes     120 reports, 120 accepted, 0 refused"))
        #expect(ending.output.contains("driven    1.325 km in 1 min 59 s"))
        // The one at the seam is entered in the first and left in the second.
        #expect(ending.output.contains("events    3 enter, 3 exit"))
    }

    @Test(
        "a recording from standard input gives what it gives as a file", arguments: ["gpx", "gz"])
    func standardInput(_ kind: String) throws {
        let expected = try geofencectl("replay", track, "--fences", fences, "--json").output
        #expect(expected.contains("\"summary\""))
        let script = kind == "gz" ? "gzip -c \"$1\"" : "cat \"$1\""
        let run = Subprocess([
            "bash", "-o", "pipefail", "-c",
            script + " | \"$0\" replay - --fences \"$2\" --json", builtProgram("geofencectl"),
            track, fences,
        ])
        let ending = try #require(run.wait())
        #expect(ending.output == expected)
        #expect(ending.errors.isEmpty)
    }

    @Test("an unreadable file after the first is named")
    func missingTrack() throws {
        let ending = try geofencectl("replay", track, "/nonexistent", "--fences", fences)
        #expect(ending.errors == "geofencectl: No such file or directory: /nonexistent\n")
        #expect(ending.status == 1)
    }

    @Test("settings of a file, of the command line, and of the window, the latter first")
    func settings() throws {
        let entered = try geofencectl("replay", track, "--fences", fences)
        #expect(entered.output.contains("1 enter"))
        let strict = ["--set", "Fix.MaxErrorM=10", "--set", "Fix.MinErrorM=5"]
        let refused = try run(["replay", track, "--fences", fences] + strict)
        #expect(refused.errors.contains("60 inaccurate"))
        let config = directory.write(
            "[Fix]\nMaxErrorM=10\n[Crossing]\nSettleSec=long\n", to: "g.conf")
        let fromFile = try geofencectl("replay", track, "--fences", fences, "--config", config)
        #expect(fromFile.errors.contains("warning: \(config):4: SettleSec: long: "))
        #expect(fromFile.errors.contains("60 inaccurate"))
        let both = try run([
            "replay", track, "--fences", fences, "--config", config, "--set", "Fix.MaxErrorM=100",
        ])
        #expect(both.output.contains("60 accepted"))
    }

    @Test(
        "an unknown setting is one line and status 2",
        arguments: [
            ("SettleSec=20s", "not Section.Key=VALUE"),
            ("Crossing.SettleSec", "not Section.Key=VALUE"),
            ("Bus.MaxFences=3", "not a key of Crossing, Fix, Vehicle, Window"),
            ("Crossing.SettleSeconds=3", "unknown key in [Crossing]"),
            ("Crossing.settlesec=3", "unknown key in [Crossing]; there is SettleSec in [Crossing]"),
            ("Window.Size=1", "1: out of range: from 2 to 1000"),
            (
                "Crossing.BufferMinM=500",
                "500m: BufferMinM is above BufferMaxM; both defaults stand"
            ),
        ])
    func badSetting(_ setting: String, _ reason: String) throws {
        let ending = try geofencectl("replay", track, "--fences", fences, "--set", setting)
        #expect(
            ending.errors == "geofencectl: \(reason): --set \(setting); see geofencectl --help\n")
        #expect(ending.status == 2)
    }

    @Test("a file of settings that is not there fails")
    func missingSettings() throws {
        let ending = try geofencectl(
            "replay", track, "--fences", fences, "--config", "/nonexistent")
        #expect(ending.errors == "geofencectl: No such file or directory: /nonexistent\n")
        #expect(ending.status == 1)
    }

    @Test("filters hide events, and the summary counts all")
    func filters() throws {
        let kinds = try geofencectl("replay", track, "--fences", fences, "--kind", "exit")
        #expect(kinds.output.contains("exit      a ") && !kinds.output.contains("enter     a "))
        #expect(kinds.output.contains("events    1 enter, 1 exit"))
        let other = try geofencectl("replay", track, "--fences", fences, "--fence", "b")
        #expect(other.output.hasPrefix("\ndriven"))
        let late = try geofencectl(
            "replay", track, "--fences", fences, "--after", "2026-01-01T00:00:30Z")
        #expect(late.output.contains("exit      a ") && !late.output.contains("enter     a "))
    }

    private func run(_ arguments: [String]) throws -> Subprocess.Ending {
        try #require(Subprocess([builtProgram("geofencectl")] + arguments).wait())
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

    @Test("a file that is not a recording is named", arguments: ["", "hello"])
    func noTrack(_ text: String) throws {
        let path = directory.write(text, to: "none")
        let ending = try geofencectl("replay", path, "--fences", fences)
        #expect(ending.errors.hasPrefix("geofencectl: "))
        #expect(ending.errors.hasSuffix(": \(path)\n"))
        #expect(ending.status == 1)
    }

    @Test("a recording without usable fixes says why, and fails", arguments: [true, false])
    func useless(_ isJSON: Bool) throws {
        let path = directory.write(
            "<gpx><trkpt lat='0' lon='1'><fix>none</fix></trkpt><trkpt lat='0' lon='1'/></gpx>",
            to: "none.gpx")
        let ending =
            try isJSON
            ? geofencectl("replay", path, "--fences", fences, "--json")
            : geofencectl("replay", path, "--fences", fences)
        #expect(ending.status == 1)
        #expect(
            ending.errors
                == "geofencectl: warning: 2 points without a time that can be read: \(path)\n"
                + "geofencectl: not one of 2 positions in the recording could be used"
                + " (2 no-fix): \(path)\n")
        #expect(ending.output.contains(isJSON ? "\"summary\"" : "events    none"))
        let empty = directory.write("<gpx></gpx>", to: "empty.gpx")
        let nothing = try geofencectl("replay", empty, "--fences", fences)
        #expect(nothing.status == 1)
        #expect(
            nothing.errors == "geofencectl: there is no position in the recording: \(empty)\n")
    }

    @Test("a reader that exits leaves nothing behind, and causes no message")
    func unread() throws {
        let scratch = TemporaryDirectory()
        let points = (0..<2000).map { number in
            let (minute, second) = (number / 60 % 60, number % 60)
            let time = "2026-01-01T\(10 + number / 3600):\(minute / 10)\(minute % 10):"
            return "<trkpt lat='0.00001' lon='\(Double(number / 40 % 2) * 0.02)'><time>\(time)"
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
