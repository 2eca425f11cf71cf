import Glibc

/// The WGS 84 ellipsoid (NIMA TR8350.2): metres, and radians unless a name says degrees.
enum Ellipsoid {
    /// Semi-major axis, m.
    @inline(__always) static var a: Double { 6_378_137 }
    /// Semi-minor axis, m.
    @inline(__always) static var b: Double { 6_356_752.314245179 }
    /// Flattening.
    @inline(__always) static var f: Double { 3.3528106647474805e-3 }
    /// First eccentricity squared.
    @inline(__always) static var e2: Double { 6.694379990141317e-3 }
    /// Mean radius (2a + b) / 3, m.
    @inline(__always) static var meanRadius: Double { 6_371_008.7714 }
    /// The least radius of curvature anywhere (of the meridian at the equator), m: the metric of a
    /// sphere of this radius over geodetic latitude and longitude is never above the true one.
    @inline(__always) static var leastRadius: Double { 6_335_439.327 }
    /// Above every radius of curvature (6 399 594 m at the poles), m: never below the true metric.
    @inline(__always) static var greatestRadius: Double { 6_399_600 }
    /// The longest geodesic there is: half a meridian, m.
    @inline(__always) static var farthest: Double { 20_003_931.4586 }
    @inline(__always) static var radiansPerDegree: Double { 0.017453292519943295 }

    /// Earth-centred coordinates of a geodetic position, m.
    @inline(__always)
    static func ecef(latitudeDegrees: Double, longitudeDegrees: Double) -> SIMD3<Double> {
        let phi = latitudeDegrees * radiansPerDegree
        let lambda = longitudeDegrees * radiansPerDegree
        let sinPhi = sin(phi)
        let n = a / (1 - e2 * sinPhi * sinPhi).squareRoot()
        let rho = n * cos(phi)
        return SIMD3(rho * cos(lambda), rho * sin(lambda), n * (1 - e2) * sinPhi)
    }

    /// Outward normal of the ellipsoid at, below or above `v`; not of unit length.
    @inline(__always)
    static func upright(_ v: SIMD3<Double>) -> SIMD3<Double> {
        v * SIMD3(1, 1, 1 / (1 - e2))
    }

    /// The point of the surface above a point a little below it, in the direction `up`: two steps
    /// of Newton's method, the first of which is exact to a micrometre for a depth of a metre.
    @inline(__always)
    static func lifted(_ v: SIMD3<Double>, along up: SIMD3<Double>) -> SIMD3<Double> {
        let direction = auxiliary(up)
        var q = v
        for _ in 0..<2 {
            let u = auxiliary(q)
            let slope = 2 * dot(u, direction)
            guard slope > 0 else { return q }
            q += up * ((1 - dot(u, u)) / slope)
        }
        return q
    }

    /// The ellipsoid pressed into the unit sphere: the latitude there is the reduced latitude.
    @inline(__always)
    static func auxiliary(_ v: SIMD3<Double>) -> SIMD3<Double> {
        v * SIMD3(1 / a, 1 / a, 1 / b)
    }

    /// Geodesic distance between two points of the surface, m. Below 400 km the chord is bent to
    /// the arc of the mean sphere (relative error below 2e-6, at 100 km 2e-7, for all that depends
    /// on the radius is the difference of the two); above 600 km it is Lambert's formula.
    @inline(__always)
    static func distance(_ p: SIMD3<Double>, _ q: SIMD3<Double>) -> Double {
        let d = p - q
        let squared = dot(d, d)
        if squared < 1.6e11 { return arc(chordSquared: squared) }
        return farDistance(p, q, chordSquared: squared)
    }

    /// Arc of the mean sphere over a chord of at most 600 km: the series of 2R asin(c / 2R).
    @inline(__always)
    static func arc(chordSquared: Double) -> Double {
        let x = chordSquared * (1 / (4 * meanRadius * meanRadius))
        let bend = 1 + x * (1 / 6.0 + x * (3 / 40.0 + x * (15 / 336.0 + x * (105 / 3456.0))))
        return chordSquared.squareRoot() * bend
    }

    /// Lambert's formula for long lines, written with vectors of the auxiliary sphere so that
    /// nothing in it grows without bound towards the antipodes (there it is 0.2 % off).
    private static func farDistance(
        _ p: SIMD3<Double>, _ q: SIMD3<Double>, chordSquared: Double
    ) -> Double {
        let u = auxiliary(p)
        let v = auxiliary(q)
        let difference = u - v
        let sum = u + v
        let dd = dot(difference, difference)
        let ss = dot(sum, sum)
        let sigma = 2 * atan2(dd.squareRoot(), ss.squareRoot())
        let sinSigma = (dd * ss).squareRoot() / 2
        let x = ss > 0 ? (sigma - sinSigma) * sum.z * sum.z / ss : 0
        let y = dd > 0 ? (sigma + sinSigma) * difference.z * difference.z / dd : 0
        let far = a * (sigma - f / 2 * (x + y))
        guard chordSquared < 3.6e11 else { return far }
        // Both are within 1e-5 here. The change from one to the other is gradual, because the
        // engine relies on distances that change no faster than the vehicle moves.
        let weight = (chordSquared - 1.6e11) / 2e11
        return far * weight + arc(chordSquared: chordSquared) * (1 - weight)
    }
}

@inline(__always)
func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
    a.x * b.x + a.y * b.y + a.z * b.z
}

@inline(__always)
func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}
