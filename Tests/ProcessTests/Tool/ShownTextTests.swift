import Foundation
import Geodesy
import JSON
import Model
import Monitoring
import Storage
import SystemTestKit
import Systemd
import Testing
import Time

/// Texts of others, which must not reach a terminal as what it would interpret: not on the screen, and not
/// from a file that somebody looks at later.
@MainActor
@Suite(.serialized)
struct ShownTextTests {
    private static let hostile =
        "a\u{1B}[2J\u{7}\u{7F}\u{9B}31m\u{9D}0;x\u{9C}\u{202E}\u{2066}\u{2028}b\rc\nd"
    /// An id has no controls.
    private static let hostileID = "scale \u{202E}x"

    /// What may be there: lines, tabs, and what begins a record of RFC 8142.
    private func unshown(_ text: String) -> [Unicode.Scalar] {
        let plain = Array(text.replacing("\r\n", with: "\n").unicodeScalars)
        return plain.enumerated().filter { index, scalar in
            let isBegin = index == 0 || plain[index - 1] == "\n"
            if scalar == "\u{1E}" { return !isBegin }
            return scalar != "\n" && scalar != "\t" && scalar != "\u{FEFF}" && isInterpreted(scalar)
        }.map(\.element)
    }

    private func isInterpreted(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
            || [0x2028, 0x2029].contains(scalar.value)
            || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }

    /// A daemon that has driven into, and out of, fences with such texts.
    private func daemon() throws -> ServedDaemon {
        let daemon = try ServedDaemon()
        var json = JSONWriter()
        json.beginObject()
        json.key("k\u{9B}\u{202E}\u{7F}")
        json.string(Self.hostile)
        json.endObject()
        for (id, east) in [(Self.hostileID, 300.0), ("plain", 1500)] {
            let center = Coordinate(latitude: 48, longitude: 11 + east / 74_600)
            let fence = Fence(
                id: id, area: try Area(.circle(center: center, radius: 100)), title: Self.hostile,
                description: Self.hostile, metadata: json.text)
            _ = try daemon.monitoring.apply(
                upserts: [fence], removing: [], of: .named("bus/x"), .init(), at: .boot)
        }
        #expect(try daemon.run("driver", "set", "jane \u{202E}\u{2028}doe").status == 0)
        daemon.drive(from: 0, to: 1500)
        return daemon
    }

    private static let questions: [[String]] = [
        ["list"], ["list", "--json"], ["show", hostileID], ["show", hostileID, "--json"],
        ["export"], ["export", "--json"], ["export", "--format", "seq"],
        ["export", "--format", "csv"], ["export", "--format", "kml"],
        ["export", "--format", "gpx"], ["window"], ["window", "--json"], ["events"],
        ["events", "--json"], ["status"], ["status", "--json"], ["driver", "show"],
        ["driver", "show", "--json"], ["metrics"],
        ["doctor"], ["doctor", "--json"], ["consumer", "list"], ["vehicle", "show"],
        ["remove", "no such \u{202E}\u{9B}fence"], ["show", "no \u{1B}[2Jsuch"],
    ]

    private static var reports: [[String]] {
        ["table", "csv", "json", "html"].flatMap { form in
            [[], ["--by", "place"], ["--by", "driver"], ["--by", "day"], ["--by", "trip"]].map {
                ["report", "--format", form] + $0
            } + [["report", "--format", form, "--by", "jurisdiction", "--origin", "bus/x"]]
        }
    }

    @Test("no verb writes what a terminal would interpret, in any format")
    func verbs() throws {
        let daemon = try daemon()
        for arguments in Self.questions + Self.reports {
            let ending = try #require(try daemon.loop.run(untilEndOf: daemon.start(arguments)))
            let found = unshown(ending.output) + unshown(ending.errors)
            #expect(found.isEmpty, "\(arguments): \(found.map { String($0.value, radix: 16) })")
            // Without consumers, or without trips, there is nothing to say.
            let mayBeSilent = ["consumer", "json", "trip"].contains(where: arguments.contains)
            let isSilent = ending.output.isEmpty && ending.errors.isEmpty
            #expect(mayBeSilent || !isSilent, "\(arguments)")
        }
    }

    @Test("what JSON says reads back as it was, and so does what is exported as such")
    func whole() throws {
        let daemon = try daemon()
        let shown = try #require(try daemon.json("show", Self.hostileID).first)
        #expect(shown["id"]?.string == Self.hostileID)
        #expect(shown["properties"]?["title"]?.string == Self.hostile)
        #expect(shown["properties"]?["k\u{9B}\u{202E}\u{7F}"]?.string == Self.hostile)
        for format in ["geojson", "seq"] {
            let export = try daemon.run("export", "--format", format).output
            let file = daemon.directory.write(export, to: "fences.\(format)")
            // Metadata are kept as they were written: here with escapes, which say the same.
            _ = try daemon.json("import", file, "--origin", "bus/x")
            #expect(try daemon.json("show", Self.hostileID).first == shown)
            let again = try daemon.json("import", file, "--origin", "bus/x")
            #expect(again.first?["changed"]?.integer == 0, "\(again)")
        }
        let kml = try daemon.run("export", "--format", "kml").output
        #expect(kml.contains("&#155;31m") && kml.contains("id=\"scale &#8238;x\""))
    }

    @Test("files of fences and drives are told without it, and what a replay writes has none")
    func files() throws {
        let directory = TemporaryDirectory()
        var json = JSONWriter()
        json.string(Self.hostile)
        let fences = directory.write(
            """
            {"type":"Feature","id":"x\u{202E}","geometry":{"type":"Point","coordinates":[11.004,48]},
            "properties":{"radius":100,"title":\(json.text),"k\u{9B}":\(json.text)}}
            """, to: "a\u{1B}[2J\u{9B}.geojson")
        let track = directory.write(
            """
            <gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
            \((0..<60).map {
                "<trkpt lat=\"48\" lon=\"\(11 + Double($0) * 0.0002)\">"
                    + "<time>2026-11-20T07:00:\($0 < 10 ? "0" : "")\($0)Z</time></trkpt>"
            }.joined(separator: "\n"))
            </trkseg></trk></gpx>
            """, to: "d\u{1B}[2J\u{9B}.gpx")
        for arguments in [
            ["check", fences], ["check", fences, "--json"],
            ["replay", track, "--fences", fences], ["replay", track, "--fences", fences, "--json"],
            ["replay", track, "--fences", fences, "--map", "-"],
            ["replay", track, "--fences", fences, "--format", "geojson"],
            ["replay", track, "--fences", fences, "--format", "gpx"],
            ["replay", track, "--fences", fences, "--format", "kml"],
            ["replay", track, "--fences", fences, "--plot", "x\u{202E}=-"],
            ["replay", fences], ["check", track],
        ] {
            let ending = try #require(
                Subprocess([builtProgram("geofencectl")] + arguments).wait())
            let found = unshown(ending.output) + unshown(ending.errors)
            #expect(found.isEmpty, "\(arguments): \(found.map { String($0.value, radix: 16) })")
        }
        let file = directory.file("map.html")
        _ = try geofencectl("replay", track, "--fences", fences, "--map", file)
        let page = try String(contentsOfFile: file, encoding: .utf8)
        #expect(!page.isEmpty && unshown(page).isEmpty)
    }
}
