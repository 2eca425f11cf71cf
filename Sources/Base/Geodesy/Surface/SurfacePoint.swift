import Glibc

/// A point on the ellipsoid with its Earth-centred coordinates, computed once per fix.
package struct SurfacePoint: Hashable, Sendable {
    /// Longitude within ±180°.
    package let coordinate: Coordinate
    // Not a SIMD3, which has the size and alignment of four numbers: fixes are copied often.
    private let x: Double
    private let y: Double
    private let z: Double

    /// Earth-centred, Earth-fixed, m.
    @inline(__always)
    package var ecef: SIMD3<Double> { SIMD3(x, y, z) }

    /// Longitudes outside ±180° are normalized. What is not finite gives a point whose distances
    /// are NaN.
    package init(_ coordinate: Coordinate) {
        let normal = coordinate.normalized
        self.init(
            normal,
            Ellipsoid.ecef(
                latitudeDegrees: normal.latitude, longitudeDegrees: normal.longitude))
    }

    private init(_ coordinate: Coordinate, _ ecef: SIMD3<Double>) {
        self.coordinate = coordinate
        (x, y, z) = (ecef.x, ecef.y, ecef.z)
    }

    /// `ecef` lies on the ellipsoid.
    init(ecef: SIMD3<Double>) {
        let rho = (ecef.x * ecef.x + ecef.y * ecef.y).squareRoot()
        let phi = atan2(ecef.z, rho * (1 - Ellipsoid.e2))
        let lambda = atan2(ecef.y, ecef.x)
        self.init(
            Coordinate(
                latitude: phi / Ellipsoid.radiansPerDegree,
                longitude: lambda / Ellipsoid.radiansPerDegree), ecef)
    }

    /// Geodesic distance, m: relative error ≤ 2e-6 up to 400 km, ≤ 2e-5 beyond, 0.2 % where the
    /// two are nearly antipodes.
    package func distance(to other: SurfacePoint) -> Double {
        Ellipsoid.distance(ecef, other.ecef)
    }
}
