import Glibc

/// A path as the plane that cuts it out of the ellipsoid, and how far along the path a point of
/// that plane lies. Neither poles nor antimeridian appear in it.
struct PathPlane {
    let path: PathSegment
    /// Unit normal of the plane through both ends and the Earth's centre; points left of the path.
    let normal: SIMD3<Double>
    private let arc: PathSegment.Arc

    /// Nil for a path of no length.
    init?(_ path: PathSegment) {
        arc = path.arc
        let along =
            path.isShort
            ? path.end.ecef - path.start.ecef
            : arc.direction * SIMD3(Ellipsoid.a, Ellipsoid.a, Ellipsoid.b)
        let across = cross(path.start.ecef, along)
        let length = dot(across, across).squareRoot()
        guard length > 0, length < .infinity else { return nil }
        normal = across / length
        self.path = path
    }

    /// Distance from the plane, m, positive on the left. Taken from the start of the path, so that
    /// it is good to a nanometre near it.
    @inline(__always)
    func offset(_ q: SIMD3<Double>) -> Double { dot(normal, q - path.start.ecef) }

    /// The fraction of the path at which a point of the plane lies; below 0 or above 1 beyond its
    /// ends. NaN on the far side of the Earth.
    func fraction(_ q: SIMD3<Double>) -> Double {
        if path.isShort {
            let fromStart = dot(normal, cross(path.start.ecef, q - path.start.ecef))
            let toEnd = dot(normal, cross(q - path.end.ecef, path.end.ecef))
            let whole = fromStart + toEnd
            return whole > 0 ? fromStart / whole : .nan
        }
        let u = Ellipsoid.auxiliary(q)
        let angle = atan2(dot(u, arc.direction), dot(u, arc.origin))
        return angle / arc.angle
    }
}
