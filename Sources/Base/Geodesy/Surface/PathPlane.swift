import Glibc

/// A path as the plane that cuts it out of the ellipsoid, and how far along the path a point of
/// that plane lies. Neither poles nor antimeridian appear in it.
struct PathPlane {
    let path: PathSegment
    /// Unit normal of the plane of the path; points left of it.
    let normal: SIMD3<Double>

    /// Nil for a path of no length.
    init?(_ path: PathSegment) {
        let across: SIMD3<Double>
        if path.isShort {
            across = cross(path.upright, path.end.ecef - path.start.ecef)
        } else {
            let along = path.arc.direction * SIMD3(Ellipsoid.a, Ellipsoid.a, Ellipsoid.b)
            across = cross(path.start.ecef, along)
        }
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
    /// ends.
    func fraction(_ q: SIMD3<Double>) -> Double {
        if path.isShort {
            // q = start + t d + h upright: the share of d, square to upright within the plane.
            let d = path.end.ecef - path.start.ecef
            let across = cross(normal, path.upright)
            return dot(q - path.start.ecef, across) / dot(d, across)
        }
        let arc = path.arc
        let u = Ellipsoid.auxiliary(q)
        let angle = atan2(dot(u, arc.direction), dot(u, arc.origin))
        return angle / arc.angle
    }
}
