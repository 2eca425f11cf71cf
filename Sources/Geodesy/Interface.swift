// SKELETON to be replaced: the types other targets rely on.

/// A point on the ellipsoid with its Earth-centred coordinates, computed once per fix.
package struct SurfacePoint: Hashable, Sendable {
    package let coordinate: Coordinate
    /// Earth-centred, Earth-fixed, m.
    package let ecef: SIMD3<Double>
    package init(_ coordinate: Coordinate) {
        self.coordinate = coordinate
        ecef = .zero
    }
    /// Geodesic distance, m: relative error ≤ 1e-4 up to 100 km, ≤ 0.6 % beyond.
    package func distance(to other: SurfacePoint) -> Double { 0 }
}

/// A box in longitude and latitude. `west > east` never occurs: a box over the antimeridian has
/// `east` beyond 180.
package struct GeoBox: Hashable, Sendable {
    package var west: Double, south: Double, east: Double, north: Double
    package init(west: Double, south: Double, east: Double, north: Double) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }
    /// Everything within `radius` metres of `point`, and a little more.
    package init(around point: Coordinate, radius: Double) {
        self.init(west: 0, south: 0, east: 0, north: 0)
    }
}

/// A geometry as it was written.
package enum Geometry: Hashable, Sendable {
    case circle(center: Coordinate, radius: Double)
    /// Parts, each a list of rings: the first is the shell, the others are holes; rings are closed.
    case polygons([[[Coordinate]]])
    case corridor(line: [Coordinate], width: Double)
}

/// A geometry that has passed the checks at the door, prepared for measuring.
package struct Area: Hashable, Sendable {
    package let geometry: Geometry
    package init(_ geometry: Geometry) throws(AreaError) { self.geometry = geometry }
    package var boundingBox: GeoBox { GeoBox(west: 0, south: 0, east: 0, north: 0) }
    /// m².
    package var size: Double { 0 }
    package func signedDistance(to point: SurfacePoint) -> Double { 0 }
    package func clearance(at point: SurfacePoint) -> Clearance {
        Clearance(signedDistance: 0, inradius: 0)
    }
    package func crossings(of path: PathSegment) -> [Double] { [] }
}

/// Signed distance and the inradius of the part nearest to the point, m.
package struct Clearance: Hashable, Sendable {
    package var signedDistance: Double
    package var inradius: Double
    package init(signedDistance: Double, inradius: Double) {
        self.signedDistance = signedDistance
        self.inradius = inradius
    }
}

/// The geodesic between two fixes, at most a few kilometres.
package struct PathSegment: Hashable, Sendable {
    package let start: SurfacePoint
    package let end: SurfacePoint
    /// m
    package let length: Double
    package init(from start: SurfacePoint, to end: SurfacePoint) {
        self.start = start
        self.end = end
        length = start.distance(to: end)
    }
    /// 0 is the start, 1 the end.
    package func point(at fraction: Double) -> SurfacePoint { start }
}

/// Why a geometry was refused.
package struct AreaError: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
    package init(description: String) { self.description = description }
}
