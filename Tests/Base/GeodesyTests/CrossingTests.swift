import Foundation
import Testing

@testable import Geodesy

@Suite("Where a path crosses the boundary")
struct CrossingTests {
    /// All properties of the crossings of any area by any path.
    static func judge(_ area: Area, _ path: PathSegment, samples: Int = 400) {
        let found = area.crossings(of: path)
        let start = area.signedDistance(to: path.start) <= 0
        let end = area.signedDistance(to: path.end) <= 0
        #expect(found.count.isMultiple(of: 2) == (start == end))
        #expect(found == found.sorted())
        #expect(found.allSatisfy { (0...1).contains($0) })
        for fraction in found {
            // The boundary, to a centimetre.
            let depth = area.signedDistance(to: path.point(at: fraction))
            #expect(abs(depth) < 0.01, "\(depth) at \(fraction)")
        }
        // Between them the side follows from the count, except within a centimetre of the boundary.
        for k in 0...samples {
            let fraction = Double(k) / Double(samples)
            let passed = found.filter { $0 < fraction }.count
            let depth = area.signedDistance(to: path.point(at: fraction))
            if abs(depth) > 0.01 {
                #expect((depth <= 0) == (passed.isMultiple(of: 2) == start), "\(fraction)")
            }
        }
        if !found.isEmpty || start || end {
            #expect(area.meets(path))
            #expect(area.boundingBox.intersects(path.boundingBox))
        } else {
            #expect(!area.meets(path))
        }
    }

    static let centers: [(String, Coordinate)] = [
        ("Munich", at(48.1, 11.5)), ("equator", at(0.001, -78)), ("±180", at(-16.5, 179.999)),
        ("north pole", at(89.9999, 100)), ("Svalbard", at(78.2, 15.6)),
        ("south pole", at(-90, 0)),
    ]

    /// Paths of a few hundred metres to some kilometres around a point, in any direction.
    static func paths(_ center: Coordinate, reach: Double, count: Int, seed: UInt64)
        -> [PathSegment]
    {
        var random = Seeded(seed)
        let origin = SurfacePoint(center)
        func nearby() -> SurfacePoint {
            let target = point(random.number(-60...60), random.number(-180...180))
            let path = PathSegment(from: origin, to: target)
            return path.point(at: reach * random.number(0...1) / path.length)
        }
        return (0..<count).map { _ in PathSegment(from: nearby(), to: nearby()) }
    }

    @Test("circles of all sizes", arguments: centers)
    func circles(name: String, center: Coordinate) throws {
        for radius in [3.0, 40, 700, 9000] {
            let area = try Area(.circle(center: center, radius: radius))
            var crossed = 0
            for path in Self.paths(center, reach: radius * 2, count: 40, seed: 5) {
                Self.judge(area, path, samples: 100)
                crossed += area.crossings(of: path).count
            }
            #expect(crossed > 10, "\(name)")
        }
    }

    @Test("polygons with bays and holes", arguments: centers)
    func polygons(name: String, center: Coordinate) throws {
        var random = Seeded(17)
        for radius in [0.0005, 0.01] where center.latitude.magnitude < 89 {
            let ring = star(center, radius: radius, count: 25, &random)
            let hole = star(center, radius: radius * 0.25, count: 9, &random)
            let area = try Area(.polygons([[ring, hole]]))
            var crossed = 0
            for path in Self.paths(center, reach: radius * 160_000, count: 40, seed: 6) {
                Self.judge(area, path)
                crossed += area.crossings(of: path).count
            }
            #expect(crossed > 30, "\(name)")
        }
    }

    @Test("corridors with bends", arguments: centers)
    func corridors(name: String, center: Coordinate) throws {
        var random = Seeded(23)
        let line = Self.paths(center, reach: 2000, count: 4, seed: 8).flatMap {
            [$0.start.coordinate, $0.end.coordinate]
        }
        // At a pole the edges between such positions wind round it: that is what straight in
        // longitude and latitude means.
        let area = try Area(.corridor(line: line, width: random.number(10...200)))
        var crossed = 0
        for path in Self.paths(center, reach: 2500, count: 25, seed: 9) {
            Self.judge(area, path, samples: 200)
            crossed += area.crossings(of: path).count
        }
        #expect(crossed > 10, "\(name)")
    }

    @Test("a corridor left by a few centimetres in the bend counts as left")
    func bend() throws {
        // A right angle of two corridors of 10 m; the path cuts the inner corner.
        let corner = MeasureTests.ring([(100, 0), (0, 0), (0, 100)])
        let area = try Area(.corridor(line: Array(corner.dropLast()), width: 10))
        func path(_ gap: Double) -> PathSegment {
            let reach = 10 + gap
            return PathSegment(
                from: SurfacePoint(MeasureTests.meters(reach, 0)),
                to: SurfacePoint(MeasureTests.meters(0, reach)))
        }
        #expect(area.crossings(of: path(-0.1)).isEmpty)
        #expect(area.crossings(of: path(0.1)).count == 2)
        Self.judge(area, path(0.1))
    }

    @Test("rings round a pole, and edges of many degrees")
    func polar() throws {
        let cap = try Area(
            .polygons([[[at(89.99, 0), at(89.99, 120), at(89.99, -120), at(89.99, 0)]]]))
        for path in Self.paths(at(90, 0), reach: 2500, count: 60, seed: 12) {
            Self.judge(cap, path)
        }
        let band = try Area(.polygons([[box(-60, 40, 60, 60)]]))
        for longitude in [-59.0, -10, 0, 33.3] {
            let path = PathSegment(
                from: point(59.99, longitude), to: point(60.01, longitude + 0.01))
            Self.judge(band, path)
            #expect(band.crossings(of: path).count == 1)
            // Along the parallel the geodesic bows north, over it and back.
            let along = PathSegment(
                from: point(59.99995, longitude), to: point(59.99995, longitude + 0.3))
            #expect(band.crossings(of: along).count == 2)
            Self.judge(band, along)
        }
    }

    @Test("real coasts and counties", arguments: ["counties.geojson", "seam_countries.geojson"])
    func real(name: String) throws {
        for (_, area) in try Shipped.areas(name) {
            guard case .polygons(let polygons) = area.geometry else { continue }
            let ring = polygons[0][0]
            for k in stride(from: 0, to: ring.count, by: max(ring.count / 6, 1)) {
                for path in Self.paths(ring[k], reach: 2500, count: 3, seed: UInt64(k)) {
                    Self.judge(area, path, samples: 60)
                }
            }
        }
    }

    @Test("passing through a vertex is one crossing, touching it is no crossing")
    func vertices() throws {
        let area = try Area(
            .polygons([[[at(0, 0), at(0, 0.01), at(0.01, 0.005), at(0, 0)]]]))
        let through = PathSegment(from: point(0.012, 0.005), to: point(0.005, 0.005))
        #expect(area.crossings(of: through).count == 1)
        let touch = PathSegment(from: point(0.01, 0), to: point(0.01, 0.01))
        #expect(area.crossings(of: touch).count.isMultiple(of: 2))
        Self.judge(area, touch)
    }

    @Test("a path from one part into another that overlaps it does not cross")
    func overlapping() throws {
        let area = try Area(.polygons([[box(0, 0, 0.02, 0.02)], [box(0.01, 0, 0.03, 0.02)]]))
        let path = PathSegment(from: point(0.01, 0.005), to: point(0.01, 0.025))
        #expect(area.crossings(of: path).isEmpty)
        let out = PathSegment(from: point(0.01, -0.005), to: point(0.01, 0.035))
        #expect(area.crossings(of: out).count == 2)
    }

    @Test("a circle larger than half the Earth is left across its far side")
    func huge() throws {
        let area = try Area(.circle(center: at(0, 0), radius: 1.9e7))
        let path = PathSegment(from: point(-12, -179), to: point(12, 179))
        #expect(area.crossings(of: path).count == 2)
    }

    @Test("paths of zero length, or with NaN, cross nothing")
    func nothing() throws {
        let p = point(48, 11)
        for geometry: Geometry in [
            .circle(center: at(48, 11), radius: 10), .polygons([[box(10, 47, 12, 49)]]),
            .corridor(line: [at(48, 10), at(48, 12)], width: 10),
        ] {
            let area = try Area(geometry)
            #expect(area.crossings(of: PathSegment(from: p, to: p)).isEmpty)
            let lost = PathSegment(from: p, to: point(.nan, .nan))
            #expect(area.crossings(of: lost).count <= 1)
        }
    }
}
