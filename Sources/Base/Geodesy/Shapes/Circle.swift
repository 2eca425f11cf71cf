import Glibc

/// A circle on the ellipsoid: all points at most `radius` metres of geodesic from the centre.
struct Circle: Sendable {
    let center: SurfacePoint
    let radius: Double

    @inline(__always)
    func signedDistance(_ point: SIMD3<Double>) -> Double {
        Ellipsoid.distance(center.ecef, point) - radius
    }

    /// Whether the path certainly ends before, or begins after, its point nearest to the centre. A
    /// short path is treated as its chord: up to 100 km from the centre this gives the nearest
    /// point to 6e-5 of the length of the path.
    func isMonotone(on path: PathSegment, in range: ClosedRange<Double>) -> Bool {
        let chord = path.end.ecef - path.start.ecef
        let toCenter = center.ecef - path.start.ecef
        guard path.isShort, dot(toCenter, toCenter) < 1e10 else { return false }
        let nearest = dot(toCenter, chord)
        let squared = dot(chord, chord)
        return nearest > (range.upperBound + 0.001) * squared
            || nearest < (range.lowerBound - 0.001) * squared
    }

    /// Places where the path may pass the rim. Along a great ellipse the distance to the centre has
    /// one least and one greatest value; between these it is monotone.
    func candidates(_ path: PathSegment) -> [Double] {
        let start = signedDistance(path.start.ecef)
        let end = signedDistance(path.end.ecef)
        let reach = path.length * 1.002
        guard reach > 0, reach < .infinity else { return [] }
        if (start > 0) == (end > 0), start.magnitude + end.magnitude > reach { return [] }
        var knots = [0.0]
        for turn in turningPoints(path) where turn > 0 && turn < 1 {
            knots.append(polished(turn, path))
        }
        knots.append(1)
        knots.sort()
        var found: [Double] = []
        var (s0, f0) = (0.0, start)
        for knot in knots.dropFirst() {
            let f = knot < 1 ? signedDistance(path.position(at: knot)) : end
            if (f > 0) != (f0 > 0) { found.append(root(path, s0, f0, knot, f)) }
            (s0, f0) = (knot, f)
        }
        return found
    }

    /// Nearest to the centre and farthest from it, on the auxiliary sphere.
    private func turningPoints(_ path: PathSegment) -> [Double] {
        let arc = path.arc
        let c = Ellipsoid.auxiliary(center.ecef)
        // The difference to the start, so that a centre nearby loses no digits:
        // tan θ = c·w / c·u with c·w = (c − u)·w.
        let nearest = atan2(dot(c - arc.origin, arc.direction), dot(c, arc.origin))
        guard arc.angle > 0 else { return [] }
        let opposite = nearest > 0 ? nearest - .pi : nearest + .pi
        return [nearest / arc.angle, opposite / arc.angle]
    }

    /// The turning point of the auxiliary sphere moved to that of the ellipsoid: the vertex of a
    /// parabola through three values round it.
    private func polished(_ s: Double, _ path: PathSegment) -> Double {
        let middle = signedDistance(path.position(at: s))
        let h = min(max((middle + radius) * 0.02, 0.1) / path.length, s, 1 - s)
        guard h > 1e-9 else { return s }
        let before = signedDistance(path.position(at: s - h))
        let after = signedDistance(path.position(at: s + h))
        let curvature = before - 2 * middle + after
        guard curvature != 0 else { return s }
        let shift = (before - after) / (2 * curvature) * h
        return shift.magnitude <= h ? s + shift : s
    }

    /// By the method of Illinois, to a hundredth of a millimetre.
    private func root(
        _ path: PathSegment, _ s0: Double, _ f0: Double, _ s1: Double, _ f1: Double
    ) -> Double {
        var (s0, f0, s1, f1) = (s0, f0, s1, f1)
        for _ in 0..<80 {
            let s = f1 != f0 ? s0 - f0 * (s1 - s0) / (f1 - f0) : (s0 + s1) / 2
            let f = signedDistance(path.position(at: s))
            if f.magnitude < 1e-5 || (s1 - s0).magnitude * path.length < 1e-5 { return s }
            if (f > 0) == (f1 > 0) { f0 /= 2 } else { (s0, f0) = (s1, f1) }
            (s1, f1) = (s, f)
        }
        return s1
    }
}
