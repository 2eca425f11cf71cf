import Foundation
import Testing

@testable import Geodesy

@Suite("Corridors")
struct CorridorTests {
    @Test("turf's distances to lines, as far as a sphere and the ellipsoid agree")
    func turf() throws {
        let cases = try #require(
            try Shipped.object("turf_point_to_line.json")["cases"] as? [[String: Any]])
        #expect(cases.count == 20)
        for one in cases {
            let line = try GeoJSON.ring(#require(one["line"]))
            let p = SurfacePoint(try GeoJSON.position(#require(one["point"])))
            let metres =
                try #require(one["distance"] as? NSNumber).doubleValue
                * (one["units"] as? String == "miles"
                    ? 1609.344 : one["units"] as? String == "meters" ? 1 : 1000)
            let found = try Area(.corridor(line: line, width: 0.001)).signedDistance(to: p)
            // Turf: sphere, and great circles between the positions. Lines of many degrees differ
            // (segment4: an edge of 22 by 8 degrees).
            let name = try #require(one["name"] as? String)
            let isLong = ["segment4", "line1"].contains(name)
            guard !isLong else { continue }
            #expect(abs(found / metres - 1) < 0.008, "\(name): \(found) for \(metres)")
        }
    }

    @Test("distance to the line minus half the width, against a dense sampling")
    func oracle() throws {
        var random = Seeded(11)
        for (center, size) in [(at(48, 11), 0.01), (at(-60, 179.95), 0.2), (at(70, 20), 5.0)] {
            let line = (0..<6).map { k in
                at(
                    center.latitude + size * random.number(-1...1),
                    center.longitude + size * (Double(k) + random.number(-0.4...0.4)))
            }
            let area = try Area(.corridor(line: line, width: 40))
            for _ in 0..<40 {
                let p = point(
                    center.latitude + size * random.number(-2...2),
                    center.longitude + size * random.number(-2...8))
                let distance = Oracle.distance(p, chain: line)
                let found = area.signedDistance(to: p)
                let relative = distance < 1e5 ? 1e-4 : 1e-3
                #expect(abs(found - (distance - 20)) <= relative * distance + 2e-3)
            }
        }
    }

    @Test("inradius is half the width, size length times width, and the box holds all")
    func measures() throws {
        let line = [at(10, 179.9), at(10, -179.9), at(10.1, -179.9)]
        let area = try Area(.corridor(line: line, width: 1000))
        #expect(area.clearance(at: point(10, 180)).inradius == 500)
        let length =
            point(10, 179.9).distance(to: point(10, -179.9))
            + point(10, -179.9).distance(to: point(10.1, -179.9))
        #expect(abs(area.size / (length * 1000) - 1) < 1e-4)
        var random = Seeded(4)
        for _ in 0..<2000 {
            let p = point(random.number(9.9...10.2), random.number(179.8...180.2))
            if area.signedDistance(to: p) <= 0 { #expect(area.boundingBox.contains(p.coordinate)) }
        }
        #expect(area.boundingBox.east - area.boundingBox.west < 0.3)
    }

    @Test("several lines are the corridors of each together, also over the antimeridian")
    func lines() throws {
        var random = Seeded(29)
        for center in [at(48, 11), at(-20, 179.999)] {
            let lines = (0..<7).map { _ in
                (0..<4).map { _ in
                    at(
                        center.latitude + random.number(-0.02...0.02),
                        center.longitude + random.number(-0.02...0.02))
                }
            }
            let area = try Area(.lines(lines, width: 300))
            let corridors = try lines.map { try Area(.corridor(line: $0, width: 300)) }
            for _ in 0..<300 {
                let p = point(
                    center.latitude + random.number(-0.03...0.03),
                    center.longitude + random.number(-0.03...0.03))
                let least = try #require(corridors.map { $0.signedDistance(to: p) }.min())
                #expect(abs(area.signedDistance(to: p) - least) < 1e-6)
                if least <= 0 { #expect(area.boundingBox.contains(p.coordinate)) }
            }
            #expect(abs(area.size / corridors.reduce(0) { $0 + $1.size } - 1) < 1e-9)
        }
        #expect(throws: AreaError(description: "geometry has no lines")) {
            try Area(.lines([], width: 1))
        }
        #expect(throws: AreaError(description: "line 2 has fewer than 2 positions")) {
            try Area(.lines([[at(0, 0), at(0, 1)], [at(0, 0)]], width: 1))
        }
    }
}
