import Testing

@testable import Geodesy

@Suite("Distances on the ellipsoid")
struct GeodesicTests {
    @Test("agree with Karney's geodesics: 2e-6 up to 600 km, 1e-4 to 19 000 km, 0.3 % to antipodes")
    func vectors() throws {
        let rows = try Shipped.rows("geodesics.csv")
        #expect(rows.count > 300)
        for row in rows {
            let v = try row.dropFirst().map { try #require(Double($0)) }
            let distance = point(v[0], v[1]).distance(to: point(v[2], v[3]))
            let relative = v[4] < 6e5 ? 2e-6 : v[4] < 1.9e7 ? 1e-4 : 3e-3
            // The short rows are rounded to a micrometre, their positions to 0.1 mm.
            #expect(abs(distance - v[4]) <= relative * v[4] + 1e-6, "\(row)")
        }
    }

    @Test(
        "hold where longitudes jump or have no meaning",
        arguments: [
            ("over ±180", point(0, 179.999), point(0, -179.999), 222.638982),
            ("longitude 540 is 180", point(10, 540), point(10, 180), 0),
            ("at the pole any longitude", point(90, 0), point(90, 135), 0),
            ("over the pole", point(89.999, 0), point(89.999, 180), 223.38795),
            ("pole to pole", point(90, 0), point(-90, 0), 20_003_931.4586),
        ])
    func special(name: String, a: SurfacePoint, b: SurfacePoint, metres: Double) {
        #expect(abs(a.distance(to: b) - metres) < metres * 1e-6 + 1e-6, "\(name)")
    }

    @Test("stay within 0.6 % at the antipodes of the equator")
    func antipodes() {
        let distance = point(0, 0).distance(to: point(0, 180))
        #expect(abs(distance / 20_003_931.4586 - 1) < 6e-3)
    }

    @Test("are continuous where one formula replaces the other")
    func continuity() {
        var last = point(50, 8).distance(to: point(50, 13))
        for k in 1...6000 {
            let longitude = 13 + Double(k) * 0.001
            let next = point(50, 8).distance(to: point(50, longitude))
            #expect(next > last && next - last < 72)
            last = next
        }
    }

    @Test("NaN gives NaN and does not trap")
    func notFinite() {
        for bad in [Double.nan, .infinity, -.infinity] {
            #expect(point(bad, 0).distance(to: point(0, 0)).isNaN)
            #expect(point(0, bad).distance(to: point(0, 0)).isNaN)
        }
    }
}

@Suite("The path between two fixes")
struct PathSegmentTests {
    static let paths: [(String, PathSegment)] = [
        ("30 m", PathSegment(from: point(48, 11), to: point(48.0002, 11.0003))),
        ("3 km", PathSegment(from: point(48, 11), to: point(48.02, 11.03))),
        ("9.9 km", PathSegment(from: point(-33, 151), to: point(-33.06, 151.08))),
        ("over ±180", PathSegment(from: point(-17, 179.99), to: point(-17.01, -179.99))),
        ("over the pole", PathSegment(from: point(89.99, 10), to: point(89.99, -160))),
        ("500 km", PathSegment(from: point(60, 5), to: point(62, 13))),
        ("an ocean", PathSegment(from: point(51, 0), to: point(40, -74))),
        ("antipodes", PathSegment(from: point(10, 20), to: point(-10, -160))),
    ]

    @Test("fractions divide the length, and the parts add up to it", arguments: paths)
    func fractions(name: String, path: PathSegment) {
        let relative = path.isShort ? 1e-6 : 4e-3
        for k in 0...10 {
            let fraction = Double(k) / 10
            let middle = path.point(at: fraction)
            let before = path.start.distance(to: middle)
            let after = middle.distance(to: path.end)
            #expect(
                abs(before - fraction * path.length) <= relative * path.length + 1e-6, "\(name)")
            #expect(abs(before + after - path.length) <= relative * path.length + 1e-6, "\(name)")
        }
        #expect(path.point(at: -1) == path.start)
        #expect(path.point(at: .nan) == path.start)
        #expect(path.point(at: 2) == path.end)
    }

    @Test("a point of the path lies on the ellipsoid, at its coordinate", arguments: paths)
    func onSurface(name: String, path: PathSegment) {
        for fraction in [0.1, 0.5, 0.77] {
            let p = path.point(at: fraction)
            #expect(SurfacePoint(p.coordinate).distance(to: p) < 1e-6, "\(name)")
        }
    }

    @Test("the box of a path contains all of it", arguments: paths)
    func boxes(name: String, path: PathSegment) {
        for k in 0...100 {
            let p = path.point(at: Double(k) / 100)
            #expect(path.boundingBox.contains(p.coordinate), "\(name)")
        }
        if path.length < 10_000, path.start.coordinate.latitude < 80 {
            #expect(path.boundingBox.north - path.boundingBox.south < 0.07, "\(name)")
        }
    }

    @Test("a path of zero length stays at its point")
    func nothing() {
        let path = PathSegment(from: point(48, 11), to: point(48, 11))
        #expect(path.length == 0)
        #expect(path.point(at: 0.5).distance(to: path.start) < 1e-6)
    }
}
