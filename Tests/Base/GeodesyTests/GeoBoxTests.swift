import Foundation
import Testing

@testable import Geodesy

@Suite("Boxes")
struct GeoBoxTests {
    @Test(
        "meet modulo 360 degrees",
        arguments: [
            ("side by side", GeoBox(west: 0, south: 0, east: 1, north: 1), true),
            ("touching", GeoBox(west: 10, south: 0, east: 11, north: 1), true),
            ("apart", GeoBox(west: 10.1, south: 0, east: 11, north: 1), false),
            ("north of it", GeoBox(west: 0, south: 1.1, east: 1, north: 2), false),
            ("a turn away", GeoBox(west: 365, south: 0, east: 366, north: 1), true),
            ("over ±180, all round", GeoBox(west: 170, south: 0, east: 361, north: 1), true),
            ("over ±180, not that far", GeoBox(west: 170, south: 0, east: 190, north: 1), false),
        ])
    func intersects(name: String, other: GeoBox, meets: Bool) {
        let box = GeoBox(west: 0, south: 0, east: 10, north: 1)
        #expect(box.intersects(other) == meets, "\(name)")
        #expect(other.intersects(box) == meets, "\(name)")
    }

    @Test("around a point and a radius they contain everything within it")
    func around() {
        var random = Seeded(1)
        for _ in 0..<4000 {
            let latitude = random.number(-90...90)
            let center = at(latitude, random.number(-180...180))
            let radius = pow(10, random.number(0...6.9))
            let box = GeoBox(around: center, radius: radius)
            #expect(box.west >= -180 && box.west <= 180 && box.west <= box.east)
            let origin = SurfacePoint(center)
            // Along paths to random points, cut at the radius.
            for _ in 0..<4 {
                let target = point(random.number(-90...90), random.number(-180...180))
                let path = PathSegment(from: origin, to: target)
                guard path.length > radius else { continue }
                let p = path.point(at: radius / path.length * 0.999)
                if origin.distance(to: p) <= radius { #expect(box.contains(p.coordinate)) }
            }
        }
    }

    @Test("at a pole they are as wide as the Earth")
    func pole() {
        let box = GeoBox(around: at(89.99, 30), radius: 2000)
        #expect(box.west == -180 && box.east == 180 && box.north == 90 && box.south > 89)
    }

    @Test("never overestimate the distance of a point, and are close to it")
    func lowerBound() {
        var random = Seeded(2)
        for _ in 0..<3000 {
            let west = random.number(-180...180)
            let south = random.number(-90...89)
            let box = GeoBox(
                west: west, south: south, east: west + random.number(0...40),
                north: min(south + random.number(0...20), 90))
            let p = point(random.number(-90...90), random.number(-180...180))
            let bound = box.distanceLowerBound(from: p)
            // The box as a polygon, its edges being meridians and parallels.
            var nearest = Double.infinity
            for k in 0...60 {
                let share = Double(k) / 60
                let x = box.west + (box.east - box.west) * share
                let y = box.south + (box.north - box.south) * share
                for q in [
                    point(box.south, x), point(box.north, x), point(y, box.west),
                    point(y, box.east),
                ] { nearest = min(nearest, p.distance(to: q)) }
            }
            if box.contains(p.coordinate) {
                #expect(bound == 0)
            } else {
                #expect(bound <= nearest)
                #expect(bound > nearest * 0.95 - 200_000)
            }
        }
    }

    @Test("the bound is sharp for a small box nearby, over ±180 too")
    func sharp() {
        let box = GeoBox(west: 179.99, south: 10, east: 180.01, north: 10.01)
        let bound = box.distanceLowerBound(from: point(10.005, -179.9))
        let distance = point(10.005, -179.99).distance(to: point(10.005, -179.9))
        #expect(bound <= distance && bound > distance * 0.99)
    }

    @Test("of several parts the narrowest box that contains all")
    func holding() {
        let parts = [
            GeoBox(west: 170, south: 0, east: 180, north: 1),
            GeoBox(west: -180, south: 2, east: -170, north: 3),
        ]
        #expect(GeoBox(holding: parts) == GeoBox(west: 170, south: 0, east: 190, north: 3))
        // The one that begins last ends last, one turn further.
        let nested = [
            GeoBox(west: 179.9, south: 0, east: 180.3, north: 1),
            GeoBox(west: -180, south: 0, east: -179.9, north: 1),
        ]
        #expect(GeoBox(holding: nested) == nested[0])
        let around = parts + [GeoBox(west: -171, south: 0, east: 171, north: 1)]
        #expect(GeoBox(holding: around) == GeoBox(west: -180, south: 0, east: 180, north: 3))
    }
}
