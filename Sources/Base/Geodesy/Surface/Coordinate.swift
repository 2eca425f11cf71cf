/// A position on the WGS 84 ellipsoid.
package struct Coordinate: Hashable, Sendable {
    /// Geodetic latitude, degrees, −90…90, positive north.
    package var latitude: Double
    /// Longitude, degrees, positive east; −180…180 once normalized.
    package var longitude: Double

    package init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Finite, latitude within ±90° and longitude within ±180°.
    package var isValid: Bool {
        latitude.magnitude <= 90 && longitude.magnitude <= 180
    }

    /// The same position with its longitude within ±180°; what is not finite becomes NaN.
    package var normalized: Coordinate {
        guard !(longitude.magnitude <= 180) else { return self }
        let turns = (longitude / 360).rounded()
        return Coordinate(latitude: latitude, longitude: longitude - 360 * turns)
    }
}
