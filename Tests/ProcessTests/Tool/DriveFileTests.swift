import Foundation
import SystemTestKit
import Testing

/// What a replay makes of a whole drive: a map, a plot, files for other programs, and each fix.
@Suite struct DriveFileTests {
    private let directory = TemporaryDirectory()
    private let track: String
    private let fences: String

    /// A drive along the equator through one circle, with a fix that no vehicle can have made.
    init() {
        var points = (0..<60).map { second in
            Self.point(second, longitude: Double(second) * 0.0001)
        }
        points[40] = Self.point(40, longitude: 1)
        track = directory.write(
            "<gpx><trk><trkseg>\(points.joined(separator: "\n"))</trkseg></trk></gpx>",
            to: "track.gpx")
        fences = directory.write(
            "id,latitude,longitude,radius,title\na=b,0,0.003,60,\"<script>alert(1)</script>&\"\n",
            to: "a.csv")
    }

    private static func point(_ second: Int, longitude: Double) -> String {
        "<trkpt lat=\"0\" lon=\"\(longitude + 0.0000001)\">"
            + "<time>2026-01-01T00:00:\(second < 10 ? "0" : "")\(second)Z</time></trkpt>"
    }

    private func json(_ text: some StringProtocol) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        return try #require(value as? [String: Any])
    }

    /// The data in a map.
    private func drive(in page: String) throws -> [String: Any] {
        let tail = try #require(page.components(separatedBy: "id=\"drive\">").dropFirst().first)
        return try json(try #require(tail.components(separatedBy: "</script>").first))
    }

    @Test("a map is one file for its owner alone, with the drive in it, and says so once")
    func map() throws {
        let file = directory.path + "/out.html"
        let ending = try geofencectl("replay", track, "--fences", fences, "--map", file)
        #expect(ending.status == 0)
        #expect(ending.output.contains("events    1 enter, 1 exit"))
        #expect(
            ending.errors == "geofencectl: \(file) holds positions: only you can read it\n")
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let page = try String(contentsOfFile: file, encoding: .utf8)
        #expect(page.hasPrefix("<!doctype html>"))
        #expect(page.utf8.count < 300_000)
        let drive = try drive(in: page)
        let events = try #require(drive["events"] as? [[String: Any]])
        #expect(
            events.map { ($0["event"] as? [String: Any])?["kind"] as? String } == ["enter", "exit"])
        let evidence = events.map {
            ($0["event"] as? [String: Any])?["evidence"] as? [String: Double]
        }
        #expect(evidence.map { $0?["buffer_m"] } == [30, 30])
        #expect(evidence.map { $0?["proof_bound_m"] != nil } == [false, true])
        let fixes = try #require(drive["fixes"] as? [String: Any])
        #expect((fixes["t"] as? [Int])?.count == 59)
        let refused = try #require(drive["refused"] as? [[Any]])
        #expect(refused.map { $0.last as? String } == ["implausible"])
    }

    @Test("a map names the files that it was made of, with their SHA-256")
    func inputs() throws {
        let page = try geofencectl("replay", track, "--fences", fences, "--map", "-").output
        let inputs = try #require(try drive(in: page)["inputs"] as? [[String: Any]])
        #expect(inputs.map { $0["name"] as? String } == ["track.gpx", "a.csv"])
        for (input, path) in zip(inputs, [track, fences]) {
            let run = Subprocess(["sha256sum", path])
            let sum = try #require(run.wait()).output.split(separator: " ").first
            #expect(input["sha256"] as? String == sum.map(String.init))
        }
    }

    @Test("markup in a title is text in a map")
    func hostileTitle() throws {
        let page = try geofencectl("replay", track, "--fences", fences, "--map", "-").output
        #expect(!page.contains("<script>alert"))
        let fence = try #require((try drive(in: page)["fences"] as? [[String: Any]])?.first)
        #expect(fence["title"] as? String == "<script>alert(1)</script>&")
    }

    @Test("a map replaces an ordinary file, and nothing else")
    func noOrdinaryFile() throws {
        let file = directory.write("before", to: "out.html")
        _ = try geofencectl("replay", track, "--fences", fences, "--map", file)
        #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("<!doctype"))
        let link = directory.path + "/link.html"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        for target in [link, "/dev/null", directory.path] {
            let ending = try geofencectl("replay", track, "--fences", fences, "--map", target)
            #expect(ending.status == 1)
            #expect(ending.errors.contains("exists, and is no ordinary file: \(target)"))
        }
    }

    @Test("GeoJSON has the paths, the stay and the events, and escapes nothing wrongly")
    func geojson() throws {
        let ending = try geofencectl("replay", track, "--fences", fences, "--format", "geojson")
        let collection = try json(ending.output)
        let features = try #require(collection["features"] as? [[String: Any]])
        let properties = features.compactMap { $0["properties"] as? [String: Any] }
        #expect(properties.map { $0["type"] as? String } == ["path", "stay", nil, nil])
        #expect(properties.map { $0["kind"] as? String } == [nil, nil, "enter", "exit"])
        let enter = try #require(features[2]["geometry"] as? [String: Any])
        let place = try #require(enter["coordinates"] as? [Double])
        // 60 m before the centre, where the boundary was crossed.
        #expect(abs(place[0] - 0.002461) < 0.00001)
        #expect(place[1] == 0)
    }

    @Test(
        "GPX and KML are well-formed with a hostile title, and filtered like the lines",
        arguments: ["gpx", "kml"])
    func xml(_ format: String) throws {
        let ending = try geofencectl(
            "replay", track, "--fences", fences, "--format", format, "--kind", "enter")
        #expect(ending.output.contains("&lt;script&gt;alert(1)&lt;/script&gt;&amp;"))
        #expect(!ending.output.contains("exit &lt;"))
        let check = Subprocess(
            ["python3", "-c", "import sys, xml.dom.minidom as m; m.parse(sys.stdin.buffer)"],
            input: ending.output)
        #expect(try #require(check.wait()).status == 0)
        if format == "gpx" {
            #expect(ending.output.components(separatedBy: "<trkpt").count - 1 == 59)
            let file = directory.write(ending.output, to: "again.gpx")
            let again = try geofencectl("replay", file, "--fences", fences)
            #expect(again.output.contains("1 enter, 1 exit"))
        }
    }

    @Test("a plot is a small SVG of the fence that is named, whose id may have an equals sign")
    func plot() throws {
        let file = directory.path + "/a.svg"
        let ending = try geofencectl("replay", track, "--fences", fences, "--plot", "a=b=\(file)")
        #expect(ending.status == 0)
        let picture = try String(contentsOfFile: file, encoding: .utf8)
        #expect(picture.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\""))
        #expect(picture.utf8.count < 20_000)
        #expect(!picture.contains("<script"))
        #expect(picture.contains(">enter</text>"))
        #expect(picture.contains(">exit</text>"))
        let unknown = try geofencectl("replay", track, "--fences", fences, "--plot", "x=\(file)")
        #expect(unknown.errors == "geofencectl: no such fence: x\n")
    }

    @Test("a path over 180° is cut there in GeoJSON")
    func antimeridian() throws {
        let points = (0..<20).map { second in
            let longitude = 179.9991 + Double(second) * 0.0001
            return Self.point(second, longitude: longitude > 180 ? longitude - 360 : longitude)
        }
        let over = directory.write(
            "<gpx><trk><trkseg>\(points.joined(separator: "\n"))</trkseg></trk></gpx>",
            to: "over.gpx")
        let ending = try geofencectl("replay", over, "--fences", fences, "--format", "geojson")
        let features = try #require(try json(ending.output)["features"] as? [[String: Any]])
        let geometry = try #require(features.first?["geometry"] as? [String: Any])
        #expect(geometry["type"] as? String == "MultiLineString")
        let pieces = try #require(geometry["coordinates"] as? [[[Double]]])
        #expect(pieces.count == 2)
        #expect(pieces.first?.last?.first == 180 && pieces.last?.first?.first == -180)
        for piece in pieces {
            #expect(Set(piece.map { $0[0] > 0 }).count == 1, "on one side")
        }
    }

    @Test("each fix is a line, with its reason where it did not count, and its distances")
    func fixes() throws {
        let ending = try geofencectl(
            "replay", track, "--fences", fences, "--json", "--fixes", "--fence", "a=b")
        let lines = try ending.output.split(separator: "\n").map { try json($0) }
        let fixes = lines.compactMap { $0["fix"] as? [String: Any] }
        #expect(fixes.count == 60)
        let refused = fixes.filter { $0["accepted"] as? Bool == false }
        #expect(refused.map { $0["reason"] as? String } == ["implausible"])
        #expect(refused.map { $0["time"] as? String } == ["2026-01-01T00:00:40.000Z"])
        let distances = fixes.compactMap { ($0["distance_m"] as? [String: Double])?["a=b"] }
        #expect(distances.count == 60)
        #expect(distances.min() == -60)
    }

    @Test(
        "what cannot be is wrong usage",
        arguments: [
            (["--format", "csv"], "not geojson, gpx or kml: --format csv"),
            (["--format", "gpx", "--json"], "not together with --json: --format gpx"),
            (["--fixes"], "only together with --json: --fixes"),
            (["--plot", "a"], "not ID=FILE: --plot a"),
            (["--map", "-", "--format", "gpx"], "only one can go to standard output: -"),
        ])
    func wrongUsage(_ options: [String], _ reason: String) throws {
        let run = Subprocess(
            [builtProgram("geofencectl"), "replay", track, "--fences", fences] + options)
        let ending = try #require(run.wait())
        #expect(ending.errors == "geofencectl: \(reason); see geofencectl --help\n")
        #expect(ending.status == 2)
        #expect(ending.output.isEmpty)
    }
}
