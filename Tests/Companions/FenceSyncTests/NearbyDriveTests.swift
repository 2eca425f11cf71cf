import Foundation
import JSON
import SystemTestKit
import Testing

/// Recorded drives through a map that only the server has.
@MainActor
@Suite(.serialized) struct NearbyDriveTests {
    private static let traces = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("ReplayTests/Traces").path

    /// The positions of a recording, from its RMC sentences.
    private func positions(_ track: String) throws -> [(latitude: Double, longitude: Double)] {
        let text = try #require(Subprocess(["zcat", track]).wait()).output
        func degrees(_ text: Substring, _ hemisphere: Substring) -> Double? {
            guard let number = Double(text) else { return nil }
            let whole = (number / 100).rounded(.down)
            let value = whole + (number - whole * 100) / 60
            return hemisphere == "S" || hemisphere == "W" ? -value : value
        }
        return text.split(whereSeparator: \.isNewline).compactMap { line in
            let words = line.split(separator: ",", omittingEmptySubsequences: false)
            guard words.count > 6, words[0].hasSuffix("RMC"), words[2] == "A",
                let latitude = degrees(words[3], words[4]),
                let longitude = degrees(words[5], words[6])
            else { return nil }
            return (latitude, longitude)
        }
    }

    /// Circles of 60 m on the track, one every 500 m at least, and many where it never comes.
    private func world(_ track: String) throws -> [JSONValue] {
        var rows: [JSONValue] = []
        func add(_ latitude: Double, _ longitude: Double) {
            rows.append([
                "ID": .string("p\(rows.count)"), "Latitude": JSONValue(latitude),
                "Longitude": JSONValue(longitude), "Radius": 60,
            ])
        }
        var last: (latitude: Double, longitude: Double)?
        for place in try positions(track) {
            let isFar =
                last.map {
                    let north = (place.latitude - $0.latitude) * 111_000
                    let degrees = (place.longitude - $0.longitude).remainder(dividingBy: 360)
                    let east = degrees * 111_000 * cos(place.latitude * .pi / 180)
                    return (north * north + east * east).squareRoot() >= 500
                } ?? true
            if isFar {
                add(place.latitude, place.longitude)
                last = place
            }
        }
        let start = try #require(last)
        for number in 0..<5000 {
            let east = start.longitude + Double(number % 100 - 50) * 0.2 + 0.1
            add(
                start.latitude + Double(number / 100 - 25) * 0.2 + 0.1,
                east > 180 ? east - 360 : east < -180 ? east + 360 : east)
        }
        return rows
    }

    private func fences(_ rows: [JSONValue]) -> String {
        let features = rows.map { row -> JSONValue in
            [
                "type": "Feature", "id": .string("office/\(row["ID"]?.string ?? "")"),
                "geometry": [
                    "type": "Point",
                    "coordinates": [row["Longitude"] ?? .null, row["Latitude"] ?? .null],
                ],
                "properties": ["radius": row["Radius"] ?? .null],
            ]
        }
        let collection: JSONValue = ["type": "FeatureCollection", "features": .array(features)]
        return collection.text
    }

    private func crossings(_ events: [JSONValue]) -> [String] {
        events.compactMap { event in
            guard let kind = event["kind"]?.string, ["enter", "exit"].contains(kind),
                let fence = event["fence"]?.string, fence.hasPrefix("office/")
            else { return nil }
            return "\(kind) \(fence)"
        }
    }

    @Test(
        "Every fence of the server that a drive meets is there before the vehicle is",
        arguments: [("antimeridian-drive", 15), ("regensburg-drive", 40)])
    func drive(_ name: String, _ rate: Int) throws {
        let track = "\(Self.traces)/\(name).nmea.gz"
        let bench = try SyncBench()
        let rows = try world(track)
        bench.nearby(rows, "ReachM=4km\nMaxRadiusM=100m\nPauseSec=1s\nQueryGridDeg=0.01")
        let file = bench.directory.write(fences(rows), to: "all.geojson")
        let oracle = try bench.tool("--json", "replay", track, "--fences", file)
        try #require(oracle.status == 0, "\(oracle.errors)")
        let expected = crossings(
            try oracle.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) })
        try #require(expected.count > 20)

        try bench.startDaemon(source: "replay:\(track)?rate=\(rate)")
        // Afterwards only the bus starts it.
        try #require(
            waitUntil(seconds: 30) {
                (try? bench.look([]))?.status == 0 && (try? bench.state()) == "imported"
            })
        let first = bench.requests.count
        let end = try #require(expected.last)
        #expect(
            waitUntil(seconds: 200) {
                (try? crossings(bench.events()).contains(end)) == true
            })
        let told = crossings(try bench.events())
        // What the vehicle had passed before the first look is missing, and nothing else.
        #expect(told.count > expected.count / 2)
        #expect(told == Array(expected.suffix(told.count)), "\(told)\n\(expected)")
        #expect(bench.requests.count > first, "\(bench.requests)")
        // The map is the server's: only a part was ever here.
        let count = try #require(try bench.status()["fences"]?.integer)
        #expect(count < 200 && count > 5)
    }

    @Test("Too many for the vehicle: half as far, until they fit; nothing there is no failure")
    func halved() throws {
        let track = "\(Self.traces)/amsterdam-parked.nmea.gz"
        let bench = try SyncBench()
        let place = try #require(try positions(track).last)
        let rows = (0..<400).map { number -> JSONValue in
            let north = place.latitude + Double(number % 20 - 10) * 0.02
            let east = place.longitude + Double(number / 20 - 10) * 0.02
            return [
                "ID": .string("p\(number)"), "Radius": 50, "Latitude": JSONValue(north),
                "Longitude": JSONValue(east),
            ]
        }
        let query = "ReachM=40km\nMaxRadiusM=100m\nPauseSec=1s\nQueryGridDeg=0.01\n"
        bench.nearby(rows, query + "[Source]\nMaxFences=100")
        try bench.startDaemon(source: "replay:\(track)?rate=0")
        try #require(
            waitUntil(seconds: 30) {
                (try? bench.look([]))?.status == 0 && (try? bench.state()) == "imported"
            })
        let count = try #require(try bench.status()["fences"]?.integer)
        #expect(count > 10 && count <= 100)
        #expect(try bench.catalogue().contains("source/office/metafence"))
        // Gone from the server, and the vehicle is where it was: held, for it is all of them.
        bench.nearby([], query + "[Source]\nMaxFences=100")
        try bench.look([])
        #expect(try bench.state() == "held")
        try bench.look(["--accept"])
        #expect(try bench.state() == "imported")
        #expect(try bench.status()["fences"]?.integer == 0)
        #expect(try !bench.catalogue().contains("office/p"))
    }

    /// A recording, at that hour, of one that stands at 48° N for 200 s, which is long after a start,
    /// and is then so far north of it, for 5 s each.
    private func stand(
        _ bench: SyncBench, hour: Int, then kilometres: [Double]
    ) throws {
        let norths =
            Array(repeating: 0.0, count: 200)
            + kilometres.flatMap { Array(repeating: $0, count: 5) }
        let points = norths.enumerated().map { second, north in
            let clock = "0\(hour):0\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60)"
            let time = "2026-03-02T\(clock)Z"
            return "<trkpt lat=\"\(48 + north / 111)\" lon=\"11\"><time>\(time)</time></trkpt>"
        }
        let track = bench.directory.write(
            "<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>",
            to: "stand.gpx")
        try bench.startDaemon(source: "replay:\(track)?rate=0")
    }

    @Test("Around a doubtful position nobody is asked, what is known stays, until it is trusted")
    func doubtful() throws {
        let bench = try SyncBench()
        let rows = [("here", 48.01), ("there", 48.3)].map { name, latitude -> JSONValue in
            [
                "ID": .string(name), "Latitude": JSONValue(latitude), "Longitude": 11,
                "Radius": 50,
            ]
        }
        bench.nearby(rows, "ReachM=4km\nMaxRadiusM=100m\nPauseSec=1s\nQueryGridDeg=0.01")
        func state(_ word: String) throws {
            try #require(
                waitUntil(seconds: 20) {
                    (try? bench.tool("--json", "status").output.contains(word)) == true
                })
        }
        try stand(bench, hour: 7, then: [])
        try #require(
            waitUntil(seconds: 20) {
                (try? bench.look([]))?.status == 0 && (try? bench.state()) == "imported"
            })
        let known = try bench.catalogue()
        #expect(known.contains("office/here") && !known.contains("office/there"))

        // Without a doubt it would be asked for: 33 km are outside of the metafence.
        try stand(bench, hour: 8, then: [33])
        try state(#""position_state":"doubtful""#)
        let asked = bench.requests.count
        let run = try bench.look([])
        #expect(run.status == 1 && run.errors.contains("a doubtful one"), "\(run)")
        #expect(try bench.state() == "not-stored")
        // What the timer and the bus start says nothing, and has no failure.
        for _ in 0..<3 { #expect(try bench.look(["--due"]).status == 0) }
        #expect(try bench.status()["failures"] == 1)
        #expect(bench.requests.count == asked)
        #expect(try bench.catalogue() == known)

        try stand(bench, hour: 9, then: [33, 0])
        try state(#""position_state":"known""#)
        let again = try bench.look([])
        #expect(again.status == 0, "\(again)")
        #expect(try bench.state() == "unchanged")
        #expect(bench.requests.count > asked)
        #expect(try bench.catalogue() == known)
    }
}
