import Foundation
import Testing

@testable import Geodesy

@Suite("Polygons: which side")
struct PolygonSideTests {
    @Test(
        "agree with shapely on real boundaries, with islands and holes",
        arguments: [
            ("counties.geojson", "counties_points.csv"), ("lakes.geojson", "lakes_points.csv"),
        ])
    func truth(areas: String, points: String) throws {
        let areas = try Shipped.areas(areas)
        let rows = try Shipped.rows(points)
        #expect(rows.count >= 30)
        for row in rows {
            let p = point(try #require(Double(row[0])), try #require(Double(row[1])))
            let holders = areas.filter { $0.area.signedDistance(to: p) <= 0 }.map(\.id)
            #expect(holders == (row[2] == "-" ? [] : [row[2]]), "\(row)")
            for (id, area) in areas where holders.contains(id) {
                #expect(area.boundingBox.contains(p.coordinate))
                #expect(area.contains(p))
            }
        }
    }

    @Test("agree with turf; on the boundary the distance is zero")
    func turf() throws {
        let cases = try #require(
            try Shipped.object("turf_point_in_polygon.json")["cases"] as? [[String: Any]])
        for one in cases {
            let geometry = try GeoJSON.geometry(#require(one["geometry"] as? [String: Any]))
            // Turf's plane has no poles: four of its cases reach latitude 100.
            if case .polygons(let polygons) = geometry,
                polygons.joined().joined().contains(where: { $0.latitude > 90 })
            {
                #expect(throws: AreaError.self) { try Area(geometry) }
                continue
            }
            let p = SurfacePoint(try GeoJSON.position(#require(one["point"])))
            let distance = try Area(geometry).signedDistance(to: p)
            switch one["expect"] as? String {
            case "inside": #expect(distance < 0, "\(one)")
            case "outside": #expect(distance > 0, "\(one)")
            case "on_boundary": #expect(abs(distance) < 2e-3, "\(one)")
            default: Issue.record("\(one)")
            }
        }
    }

    @Test("of two polygons that share an edge exactly one contains a point on it")
    func shared() throws {
        let west = PolygonShape([[box(0, 0, 1, 3)]])
        let east = PolygonShape([[box(1, 0, 2, 3)]])
        for latitude in [0, 0.5, 1, 2.25] {
            let p = at(latitude, 1)
            #expect(west.contains(p) != east.contains(p))
        }
    }
}

@Suite("Polygons: how far")
struct PolygonDistanceTests {
    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let center: Coordinate
        /// Degrees.
        let radius: Double
        let count: Int
    }

    static let places: [Place] = [
        Place(testDescription: "a yard", center: at(48, 11), radius: 0.0005, count: 12),
        Place(testDescription: "a town", center: at(-33, 151), radius: 0.05, count: 60),
        Place(testDescription: "a country", center: at(20, 30), radius: 6, count: 40),
        Place(testDescription: "a country of few vertices", center: at(55, 0), radius: 9, count: 7),
        Place(testDescription: "the far north", center: at(80, 0), radius: 3, count: 16),
        Place(testDescription: "on the equator", center: at(0, -70), radius: 1, count: 33),
    ]

    @Test("agree with a dense sampling of the edges, from near and far", arguments: places)
    func oracle(_ place: Place) throws {
        var random = Seeded(UInt64(place.count))
        for _ in 0..<3 {
            let ring = star(place.center, radius: place.radius, count: place.count, &random)
            let area = try Area(.polygons([[ring]]))
            for k in 0..<24 {
                let reach = place.radius * (k % 3 == 0 ? 5 : 1.2)
                let p = SurfacePoint(
                    at(
                        min(place.center.latitude + random.number(-reach...reach), 90),
                        place.center.longitude + 2 * random.number(-reach...reach)))
                let distance = Oracle.distance(p, chain: ring)
                let wanted = Oracle.holds(ring, p.coordinate) ? -distance : distance
                let found = area.signedDistance(to: p)
                let relative = distance < 1e5 ? 1e-4 : 1e-3
                #expect(abs(found - wanted) <= relative * distance + 2e-3, "\(p.coordinate)")
            }
        }
    }

    @Test("a long edge along a parallel is not a geodesic")
    func parallel() throws {
        // 20 degrees along 60° north; the geodesic would run 44 km further north.
        let area = try Area(.polygons([[box(0, 40, 20, 60)]]))
        for (latitude, longitude) in [(60.001, 10), (59.99, 10), (60.2, 7.5), (61, 19.9)] {
            let p = point(latitude, longitude)
            let meridian = p.distance(to: point(60, longitude))
            let found = abs(area.signedDistance(to: p))
            #expect(abs(found - meridian) <= 1e-4 * meridian + 2e-3)
        }
    }

    @Test("a hole is outside, and its edge is part of the boundary")
    func hole() throws {
        let area = try Area(.polygons([[box(0, 0, 4, 4), box(1, 1, 3, 3)]]))
        let inHole = area.signedDistance(to: point(2, 2.9))
        #expect(abs(inHole - point(2, 2.9).distance(to: point(2, 3))) < 1)
        let inArea = area.signedDistance(to: point(2, 3.1))
        #expect(abs(inArea + point(2, 3.1).distance(to: point(2, 3))) < 1)
    }

    @Test("of several parts the smallest counts, with the inradius of that part")
    func parts() throws {
        let area = try Area(.polygons([[box(0, 0, 1, 1)], [box(3, 0, 3.2, 0.2)]]))
        #expect(area.inradii.count == 2)
        let nearSmall = area.clearance(at: point(0.1, 2.9))
        #expect(nearSmall.signedDistance > 0 && nearSmall.inradius == area.inradii[1])
        let inLarge = area.clearance(at: point(0.5, 0.5))
        #expect(inLarge.signedDistance < -50_000 && inLarge.inradius == area.inradii[0])
        let overlapping = try Area(.polygons([[box(0, 0, 2, 2)], [box(1, 0, 3, 2)]]))
        // On the edge of the first, a degree inside the second.
        #expect(overlapping.signedDistance(to: point(1, 2)) < -110_000)
    }

    @Test("change no faster than the point moves", arguments: places)
    func lipschitz(_ place: Place) throws {
        var random = Seeded(99)
        let ring = star(place.center, radius: place.radius, count: place.count, &random)
        let area = try Area(.polygons([[ring]]))
        for _ in 0..<400 {
            let reach = place.radius * 1.5
            let p = point(
                min(place.center.latitude + random.number(-reach...reach), 89.9),
                place.center.longitude + random.number(-reach...reach))
            let step = reach * pow(10, random.number(-4 ... -1))
            let q = point(
                min(p.coordinate.latitude + random.number(-step...step), 90),
                p.coordinate.longitude + random.number(-step...step))
            let change = abs(area.signedDistance(to: p) - area.signedDistance(to: q))
            #expect(change <= p.distance(to: q) * 1.001 + 5e-3)
        }
    }

    @Test("a polygon of 20 000 vertices gives the same as a linear search")
    func large() throws {
        var random = Seeded(3)
        let ring = star(at(47, 8), radius: 0.5, count: 20_000, &random)
        let table = PolygonShape([[ring]])
        for _ in 0..<20 {
            let p = point(random.number(46.4...47.6), random.number(7.2...8.8))
            var nearest = Double.infinity
            for edge in 0..<table.table.edgeCount where table.table.isBoundary(edge) {
                var one = NearestEdgeSearch(table.table, to: p.ecef, among: edge..<(edge + 1))
                one.run()
                nearest = min(nearest, one.distance)
            }
            #expect(abs(table.boundaryDistance(p, part: 0) - nearest) < 2e-3)
            #expect(table.contains(p.coordinate) == Oracle.holds(ring, p.coordinate))
        }
    }

    @Test("geometry that was never validated does not crash")
    func garbage() {
        let bad: [[Coordinate]] = [
            [], [at(.nan, 0)], [at(0, 0), at(.infinity, .nan), at(1, 1), at(0, 0)],
            [at(1e9, 1e300), at(-1e300, 5), at(0, 0), at(1e9, 1e300)], [at(0, 0), at(0, 0)],
        ]
        for ring in bad {
            for geometry in [
                Geometry.polygons([[ring], []]), .polygons([[ring]]),
                .corridor(line: ring, width: .nan),
            ] {
                #expect(throws: AreaError.self) {
                    try Area(stored: geometry, inradii: [], size: 0)
                }
            }
            let shape = PolygonShape([[ring], []])
            _ = shape.measure(point(1, 1))
            let line = Corridor(lines: [ring], width: .nan)
            _ = line.signedDistance(point(1, 1).ecef)
            _ = line.candidates(PathSegment(from: point(0, 0), to: point(1, .nan)))
        }
    }
}
