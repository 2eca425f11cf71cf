import Glibc

/// The geodesic between two fixes, normally a few kilometres at most.
///
/// Up to 10 km it is approximated by the section with the plane through both ends that holds the
/// normal of the ellipsoid half-way, which is within a micrometre of the geodesic over 3 km;
/// beyond, by the great ellipse (the plane through both and the centre of the Earth), which is
/// within 0.7 m over 100 km and some kilometres between continents.
package struct PathSegment: Hashable, Sendable {
    /// The fix that the vehicle came from.
    package let start: SurfacePoint
    /// The fix that it has reached.
    package let end: SurfacePoint
    /// m
    package let length: Double

    package init(from start: SurfacePoint, to end: SurfacePoint) {
        self.start = start
        self.end = end
        length = start.distance(to: end)
    }

    /// 0 is the start, 1 the end; what lies outside (or is NaN) gives the nearer of these.
    package func point(at fraction: Double) -> SurfacePoint {
        guard fraction > 0 else { return start }
        guard fraction < 1 else { return end }
        return SurfacePoint(ecef: position(at: fraction))
    }

    /// The same, Earth-centred, m: a third of the cost.
    func position(at fraction: Double) -> SIMD3<Double> {
        guard fraction > 0 else { return start.ecef }
        guard fraction < 1 else { return end.ecef }
        guard !isShort else {
            let chord = start.ecef + (end.ecef - start.ecef) * fraction
            return Ellipsoid.lifted(chord, along: upright)
        }
        let bow = arc
        let angle = fraction * bow.angle
        let v = bow.origin * cos(angle) + bow.direction * sin(angle)
        return v * SIMD3(Ellipsoid.a, Ellipsoid.a, Ellipsoid.b)
    }

    /// Holds everything on the path, and a little more; includes a pole that the path touches.
    package var boundingBox: GeoBox {
        let a = start.coordinate
        let b = end.coordinate
        let north = max(a.latitude, b.latitude)
        let south = min(a.latitude, b.latitude)
        let steepest = max(north.magnitude, south.magnitude)
        guard length < 50_000, steepest < 85 else {
            return GeoBox(around: point(at: 0.5).coordinate, radius: length * 0.501 + 0.01)
        }
        // Between its ends the geodesic bows towards the pole by L² tan φ / 8R at most.
        let phi = (steepest + 1) * Ellipsoid.radiansPerDegree
        let bow = length * length * tan(phi) / (8 * Ellipsoid.leastRadius)
        let margin = (bow + 0.01) / Ellipsoid.leastRadius / Ellipsoid.radiansPerDegree
        var west = a.longitude
        var east = b.longitude
        if (east - west).magnitude > 180 {
            if east < west { east += 360 } else { west += 360 }
        }
        if west > east { swap(&west, &east) }
        return GeoBox(
            west: west - margin / cos(phi), south: south - margin,
            east: east + margin / cos(phi), north: north + margin
        ).normalized
    }

    /// Normal of the ellipsoid half-way, of no particular length.
    var upright: SIMD3<Double> { Ellipsoid.upright(start.ecef + end.ecef) }

    /// Short enough that equal steps of the chord are equal steps of the path, to a millimetre.
    var isShort: Bool { length < 10_000 }

    /// The path on the auxiliary unit sphere: `origin cos θ + direction sin θ`, θ in 0…`angle`.
    struct Arc {
        let origin: SIMD3<Double>
        let direction: SIMD3<Double>
        let angle: Double
    }

    var arc: Arc {
        let u = Ellipsoid.auxiliary(start.ecef)
        let v = Ellipsoid.auxiliary(end.ecef)
        let difference = v - u
        // v − u (u·v), with u·v = 1 − |v − u|² / 2 so that short paths lose no digits.
        var w = difference + u * (dot(difference, difference) / 2)
        let sine = dot(w, w).squareRoot()
        let cosine = dot(u, v)
        if sine < 1e-9, cosine < 0 {
            // Antipodes: the geodesic goes over a pole.
            let pole = SIMD3<Double>(0, 0, 1)
            w = pole - u * u.z
            if dot(w, w) < 1e-9 { w = SIMD3(1, 0, 0) - u * u.x }
        }
        let norm = dot(w, w).squareRoot()
        return Arc(
            origin: u, direction: norm > 0 ? w / norm : w, angle: atan2(sine, cosine))
    }
}
