import Glibc

/// Area on the ellipsoid, m², of rings whose edges are straight in longitude and latitude.
enum SurfaceArea {
    /// Area between the equator and a latitude, for one radian of longitude: the series of the
    /// authalic latitude in e² (Snyder, Map Projections, 3-12), good to 1e-9.
    @inline(__always)
    private static func zone(_ sinPhi: Double) -> Double {
        let q = Ellipsoid.e2 * sinPhi * sinPhi
        let series = 1 + q * (2 / 3.0 + q * (3 / 5.0 + q * (4 / 7.0 + q * (5 / 9.0))))
        return Ellipsoid.b * Ellipsoid.b * sinPhi * series
    }

    /// Of the ring over the edges of a chain, positive.
    static func ring(_ points: ArraySlice<SIMD2<Double>>) -> Double {
        guard let first = points.first else { return 0 }
        // Measured from the latitude of the first vertex, so that small rings lose no digits.
        let base = zone(sin(first.y * Ellipsoid.radiansPerDegree))
        var sum = 0.0
        for (a, b) in zip(points, points.dropFirst()) where a.x != b.x {
            sum += (b.x - a.x) * Ellipsoid.radiansPerDegree * mean(a.y, b.y, base)
        }
        return sum.magnitude
    }

    /// Mean of the zone between two latitudes: Gauss's rule with two points on pieces of at most
    /// two degrees.
    private static func mean(_ from: Double, _ to: Double, _ base: Double) -> Double {
        let pieces = min(max(((to - from).magnitude / 2).rounded(.up), 1), 90)
        let step = (to - from) / pieces
        let offset = step / 2 * 0.5773502691896257
        var sum = 0.0
        var k = 0.5
        while k < pieces {
            let middle = from + step * k
            sum += zone(sin((middle - offset) * Ellipsoid.radiansPerDegree)) - base
            sum += zone(sin((middle + offset) * Ellipsoid.radiansPerDegree)) - base
            k += 1
        }
        return sum / (2 * pieces)
    }

    /// Of all polygons of a shape, without their holes.
    static func size(_ shape: PolygonShape) -> Double {
        var sum = 0.0
        for polygon in shape.polygons {
            for index in polygon.rings {
                let edges = shape.rings[index].edges
                guard !edges.isEmpty else { continue }
                let area = ring(shape.table.planar[edges.lowerBound...edges.upperBound])
                sum += index == polygon.rings.lowerBound ? area : -area
            }
        }
        return max(sum, 0)
    }
}
