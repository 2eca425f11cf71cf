import Foundation
import Testing

@testable import Geodesy

@Suite("Inradius and size")
struct MeasureTests {
    /// Metres to degrees around a point of latitude 0: M = 6335439, N = 6378137.
    static func meters(_ x: Double, _ y: Double, turned: Double = 0) -> Coordinate {
        let c = cos(turned)
        let s = sin(turned)
        return at(
            (x * s + y * c) / 6_335_439.327 * 180 / .pi, (x * c - y * s) / 6_378_137 * 180 / .pi)
    }

    static func ring(_ corners: Corners, turned: Double = 0) -> [Coordinate] {
        (corners + [corners[0]]).map { meters($0.0, $0.1, turned: turned) }
    }

    typealias Corners = [(Double, Double)]

    /// A regular polygon of 64 sides about a circle of 500 m.
    static let round: Corners = (0..<64).map { k in
        let angle = Double(k) * Double.pi / 32
        let reach = 500 / cos(Double.pi / 64)
        return (reach * cos(angle), reach * sin(angle))
    }

    static let bend: Double = 100 * (2 - Double(2).squareRoot())
    static let square: Corners = [(0, 0), (100, 0), (100, 100), (0, 100)]
    static let rectangle: Corners = [(0, 0), (1000, 0), (1000, 100), (0, 100)]
    static let sliver: Corners = [(0, 0), (5000, 0), (5000, 10), (0, 10)]
    static let triangle: Corners = [(0, 0), (400, 0), (0, 300)]
    static let angle: Corners = [
        (0, 0), (300, 0), (300, 100), (100, 100), (100, 300), (0, 300),
    ]
    static let outer: Corners = [(0, 0), (400, 0), (400, 400), (0, 400)]
    static let inner: Corners = [(100, 100), (300, 100), (300, 300), (100, 300)]

    static let shapes: [(String, [Corners], Double)] = [
        ("square", [square], 50), ("rectangle 1:10", [rectangle], 50),
        ("sliver 1:500", [sliver], 5), ("triangle 3-4-5", [triangle], 100), ("L", [angle], bend),
        ("frame", [outer, inner], bend), ("circle", [round], 500),
    ]

    @Test("the largest inscribed circle to 1 %, whichever way it is turned", arguments: shapes)
    func inradius(name: String, rings: [Corners], wanted: Double) throws {
        for turned in [0, 0.3, 0.785, 1.2] {
            let area = try Area(.polygons([rings.map { Self.ring($0, turned: turned) }]))
            #expect(abs(area.inradii[0] / wanted - 1) < 0.01, "\(name): \(area.inradii[0])")
        }
    }

    @Test("a circle's inradius is its radius, its size πr²")
    func circle() throws {
        let area = try Area(.circle(center: at(50, 8), radius: 100))
        #expect(area.clearance(at: point(50, 8)).inradius == 100)
        #expect(abs(area.size - .pi * 10_000) < 1e-6)
        #expect(area.inradii == [100])
    }

    @Test("the area between parallels and meridians is that of the ellipsoid, at any size")
    func sizes() throws {
        func exact(_ south: Double, _ north: Double, width: Double) -> Double {
            // ∫ M N cos φ dφ, by Simpson's rule.
            let n = 2000
            let h = (north - south) / Double(n) * .pi / 180
            let e2 = 6.694379990141317e-3
            var sum = 0.0
            for k in 0...n {
                let phi = south * .pi / 180 + Double(k) * h
                let w = 1 - e2 * sin(phi) * sin(phi)
                let f = 6_378_137.0 * 6_378_137 * (1 - e2) * cos(phi) / (w * w)
                sum += f * (k == 0 || k == n ? 1 : k.isMultiple(of: 2) ? 2 : 4)
            }
            return sum * h / 3 * width * .pi / 180
        }
        for (west, south, east, north) in [
            (0.0, 0.0, 0.001, 0.001), (170, 40, 190, 60), (-180, 60, 180, 90),
            (10, -89.9, 11, -89), (-20, -45, 60, 45),
        ] {
            let area = try Area(.polygons([[box(west, south, east, north)]]))
            let wanted = exact(south, north, width: east - west)
            #expect(abs(area.size / wanted - 1) < 1e-5)
        }
        let framed = try Area(.polygons([[box(0, 0, 4, 4), box(1, 1, 3, 3)]]))
        let wanted = exact(0, 4, width: 4) - exact(1, 3, width: 2)
        #expect(abs(framed.size / wanted - 1) < 1e-6)
    }

    @Test("stored values are used unchanged if they are plausible")
    func trusted() throws {
        let geometry = Geometry.polygons([[box(0, 0, 1, 1)], [box(2, 0, 3, 1)]])
        let measured = try Area(geometry)
        let stored = try Area(stored: geometry, inradii: [7, 8], size: 9)
        #expect(stored.inradii == [7, 8] && stored.size == 9)
        #expect(stored == measured && stored.hashValue == measured.hashValue)
        #expect(stored.clearance(at: point(0.5, 2.5)).inradius == 8)
        let misfit = try Area(stored: geometry, inradii: [7], size: 9)
        #expect(misfit.inradii == measured.inradii)
        #expect(try Area(.polygons([[box(0, 0, 1, 2)]])) != measured)
    }
}
