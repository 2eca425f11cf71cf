import Glibc

/// One edge as a curve on the ellipsoid: longitude and latitude are linear in t, 0…1.
struct EdgeCurve {
    let from: SIMD2<Double>
    let step: SIMD2<Double>
    /// Greatest cosine of latitude on the edge, a little too large.
    let widest: Double

    @inline(__always)
    init(_ table: EdgeTable, _ edge: Int) {
        let a = table.planar[edge]
        let b = table.planar[edge + 1]
        from = a
        step = b - a
        if a.y * b.y <= 0 {
            widest = 1
        } else {
            let p = table.ecef[edge]
            let q = table.ecef[edge + 1]
            let rho = max(p.x * p.x + p.y * p.y, q.x * q.x + q.y * q.y).squareRoot()
            widest = min(rho * 1.01 / Ellipsoid.a, 1)
        }
    }

    /// Earth-centred, m.
    @inline(__always)
    func point(at t: Double) -> SIMD3<Double> {
        Ellipsoid.ecef(
            latitudeDegrees: from.y + step.y * t, longitudeDegrees: from.x + step.x * t)
    }

    /// Upper bound of the length of the edge, m.
    var lengthBound: Double {
        let radians = step * Ellipsoid.radiansPerDegree
        let along = radians.x * widest
        return Ellipsoid.greatestRadius * (radians.y * radians.y + along * along).squareRoot()
    }

    /// Upper bound of the second derivative of the position by t, m: |q″| ≤ R (Δφ² + 2|Δφ Δλ| + Δλ²
    /// cos φ), the sum of the bounds of the three second derivatives by latitude and longitude.
    var bendBound: Double {
        let phi = step.y.magnitude * Ellipsoid.radiansPerDegree
        let lambda = step.x.magnitude * Ellipsoid.radiansPerDegree
        return Ellipsoid.greatestRadius * 1.005
            * (phi * phi + 2 * phi * lambda + lambda * lambda * widest)
    }

    /// Upper bound of the distance of the edge from the chord between its ends, m.
    var bulge: Double { min(bendBound / 8, lengthBound / 2) }

    /// The same for a piece of the edge; `share` is its fraction of the whole.
    @inline(__always)
    func bulge(share: Double) -> Double {
        min(bendBound * share * share / 8, lengthBound * share / 2)
    }

    /// How far a piece (`share` of the edge) leaves the parabola through its ends and its middle,
    /// about, m: 1/125 of the third derivative, which is at most the bend times the step.
    func remainder(share: Double) -> Double {
        let radians = (step.x.magnitude + step.y.magnitude) * Ellipsoid.radiansPerDegree
        return bendBound * share * share * radians * share / 125
    }
}
