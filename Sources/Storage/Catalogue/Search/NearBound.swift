import CSQLite
import Geodesy
import Glibc

// Unsafe: SQLite guarantees as many parameters and coordinates as it counts, and the counts are
// checked first.

/// Lower bounds on the signed distance from one point, m: with a square root when the other place
/// is near, as it usually is, otherwise on the sphere.
struct NearBound {
    let place: Coordinate
    /// The cosine of the latitude.
    let cosine: Double

    /// Degrees either way within which the approximation is good, and within which it is
    /// sufficient.
    private static let near = 5.0
    private static let fair = 30.0
    private static let degree = Double.pi / 180
    /// m per degree, less than anywhere (the least radius of curvature is 6 335 439 m), reduced by
    /// the difference between an arc and its sine: for a chord of 7° and for one of 43°, where
    /// sin²(x/2) ≥ (x/2)²(1 − x²/12).
    private static let nearMetres = 6_335_439 * degree * 0.998
    private static let fairMetres = 6_335_439 * degree * 0.97

    /// - Parameter place: longitude within ±180.
    init(from place: Coordinate) {
        self.init(from: place, cosine: cos(place.latitude * Self.degree))
    }

    /// - Parameter cosine: the cosine of its latitude.
    init(from place: Coordinate, cosine: Double) {
        self.place = place
        self.cosine = cosine
    }

    /// A bound for any area in the box. Decreases when the box grows.
    ///
    /// Inside: no deeper than half the height, or all of it if the box ends at a pole and the area
    /// may continue beyond. Distances are accurate to 0.6 % only, and the error of a circle is that
    /// of the distance to its centre, which is further away.
    func signedDistance(to box: GeoBox) -> Double {
        let isPolar = box.north >= 90 || box.south <= -90
        // A degree of latitude has at most 111 694 m.
        let depth = max(box.north - box.south, 0) * 111_694 * (isPolar ? 1 : 0.5)
        let outside = distance(to: box)
        if outside == 0 { return -1.007 * depth - 1 }
        return 0.993 * outside - 0.007 * depth - 1
    }

    /// False when the circle is certainly further away than that.
    @inline(__always)
    func mayBeNearer(_ circle: FenceRecord.PlainCircle, than worst: Double) -> Bool {
        guard worst < .infinity else { return true }
        let reach = worst + circle.radius
        guard reach >= 0 else { return false }
        let north = (circle.center.latitude - place.latitude).magnitude
        let east = gap(circle.center.longitude - place.longitude)
        // The bound must not decrease with the distance.
        let least = squared(min(north, Self.near), min(east, Self.near), beyond: north)
        return least * (Self.nearMetres * Self.nearMetres) <= reach * reach
    }

    private func distance(to box: GeoBox) -> Double {
        let north = max(box.south - place.latitude, place.latitude - box.north, 0)
        // The nearer of the two edges, in either direction.
        let isBeside = turn(place.longitude - box.west) > box.east - box.west
        let east =
            isBeside
            ? min(gap(box.west - place.longitude), gap(box.east - place.longitude)) : 0
        guard north < Self.fair, east < Self.fair else {
            return box.distanceLowerBound(from: SurfacePoint(place))
        }
        // The box extends from its edge to where a degree of longitude is shorter, which matters
        // only beside it.
        let beyond =
            isBeside
            ? max(
                north, (box.north - place.latitude).magnitude,
                (box.south - place.latitude).magnitude)
            : north
        let metres = max(north, east) < Self.near ? Self.nearMetres : Self.fairMetres
        return squared(north, east, beyond: beyond).squareRoot() * metres
    }

    /// A lower bound from the distance in degrees: sin²(d/2) = sin²(Δφ/2) + cos φ cos φ'
    /// sin²(Δλ/2), where no cosine differs from ours by more than its angle does.
    @inline(__always)
    private func squared(_ north: Double, _ east: Double, beyond: Double) -> Double {
        north * north + cosine * max(cosine - beyond * Self.degree, 0) * east * east
    }

    /// The angle between two longitudes, 0…180 degrees, from their difference.
    @inline(__always)
    private func gap(_ difference: Double) -> Double {
        let magnitude = difference.magnitude
        if magnitude <= 180 { return magnitude }
        let rest = magnitude.truncatingRemainder(dividingBy: 360)
        return min(rest, 360 - rest)
    }

    /// Degrees, 0..<360.
    private func turn(_ degrees: Double) -> Double {
        if degrees >= 0, degrees < 360 { return degrees }
        let rest = degrees - (degrees / 360).rounded(.down) * 360
        return rest < 360 ? rest : 0
    }
}

/// SQLite clamps scores at 0: all are raised by more than the deepest bound.
private let lift = 1e8

/// Called by SQLite for every node and box it looks at.
let nearestScore: @convention(c) (UnsafeMutablePointer<sqlite3_rtree_query_info>?) -> Int32 = {
    info in
    guard let info = unsafe info, unsafe info.pointee.nParam == 3, unsafe info.pointee.nCoord == 4,
        let parameters = unsafe info.pointee.aParam, let box = unsafe info.pointee.aCoord
    else { return SQLITE_ERROR }
    let bound = unsafe NearBound(
        from: Coordinate(latitude: parameters[0], longitude: parameters[1]),
        cosine: parameters[2])
    let area = unsafe GeoBox(west: box[0], south: box[2], east: box[1], north: box[3])
    // An entry of a node is never nearer than the node, however the bounds were computed.
    unsafe info.pointee.rScore = unsafe max(
        lift + bound.signedDistance(to: area), info.pointee.rParentScore)
    unsafe info.pointee.eWithin = Int32(PARTLY_WITHIN)
    return SQLITE_OK
}
