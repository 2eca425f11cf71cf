package import Geodesy
import Glibc

/// A position as OpenStreetMap stores it: whole 1e-7 degrees, about 1 cm.
package struct RoadPoint: Hashable, Sendable {
    /// 1e-7 degrees, positive east.
    package var longitude: Int32
    /// 1e-7 degrees, positive north.
    package var latitude: Int32

    package init(longitude: Int32, latitude: Int32) {
        self.longitude = longitude
        self.latitude = latitude
    }

    /// The nearest one to a valid coordinate.
    package init(_ coordinate: Coordinate) {
        longitude = Int32((coordinate.longitude * 1e7).rounded())
        latitude = Int32((coordinate.latitude * 1e7).rounded())
    }

    /// In degrees.
    package var coordinate: Coordinate {
        Coordinate(latitude: Double(latitude) / 1e7, longitude: Double(longitude) / 1e7)
    }
}

/// Metres east and north.
package struct Offset: Hashable, Sendable {
    /// m.
    package var east: Double
    /// m.
    package var north: Double

    package init(east: Double, north: Double) {
        self.east = east
        self.north = north
    }

    /// m.
    package var length: Double { (east * east + north * north).squareRoot() }
}

/// A plane that touches the ellipsoid: metres around a latitude. Lengths are right to 1e-4 within
/// 20 km, which is more than the road data are.
package struct LocalPlane: Sendable {
    /// m for 1e-7 degrees of latitude, and of longitude.
    private let north: Double
    private let east: Double
    private let origin: RoadPoint

    package init(at origin: RoadPoint) {
        // WGS 84.
        let (a, e2) = (6_378_137.0, 0.006_694_379_990_14)
        let phi = Double(origin.latitude) * 1e-7 * .pi / 180
        let s = sin(phi)
        let w = 1 - e2 * s * s
        north = a * (1 - e2) / (w * w.squareRoot()) * 1e-7 * .pi / 180
        // Not 0, so that offsets can be turned back into points at the poles.
        east = max(a / w.squareRoot() * cos(phi), 1) * 1e-7 * .pi / 180
        self.origin = origin
    }

    /// Where a point lies from the origin; across ±180° by the shorter way.
    package func offset(of point: RoadPoint) -> Offset {
        var turn = Double(point.longitude) - Double(origin.longitude)
        if turn > 1.8e9 { turn -= 3.6e9 }
        if turn < -1.8e9 { turn += 3.6e9 }
        return Offset(
            east: turn * east, north: (Double(point.latitude) - Double(origin.latitude)) * north)
    }

    /// The point at an offset from the origin of less than 100 km.
    package func point(at offset: Offset) -> RoadPoint {
        let longitude = Double(origin.longitude) + offset.east / east
        let latitude = Double(origin.latitude) + offset.north / north
        return RoadPoint(
            longitude: Int32(max(-1.8e9, min(1.8e9, longitude.rounded()))),
            latitude: Int32(max(-9e8, min(9e8, latitude.rounded()))))
    }
}

extension RoadPoint {
    /// m.
    package func distance(to other: RoadPoint) -> Double {
        let middle = RoadPoint(
            longitude: longitude,
            latitude: Int32((Int64(latitude) + Int64(other.latitude)) / 2))
        let plane = LocalPlane(at: middle)
        let (here, there) = (plane.offset(of: self), plane.offset(of: other))
        return Offset(east: there.east - here.east, north: there.north - here.north).length
    }

    /// Direction to another point, degrees clockwise from north, -180...180; nil for the same point.
    package func bearing(to other: RoadPoint) -> Double? {
        let offset = LocalPlane(at: self).offset(of: other)
        guard offset.east != 0 || offset.north != 0 else { return nil }
        return atan2(offset.east, offset.north) * 180 / .pi
    }
}

/// From one direction to another, degrees, -180...180, positive to the right.
package func turn(from: Double, to: Double) -> Double {
    var angle = (to - from).truncatingRemainder(dividingBy: 360)
    if angle > 180 { angle -= 360 }
    if angle < -180 { angle += 360 }
    return angle
}
