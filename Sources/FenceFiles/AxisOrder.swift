import Geodesy

/// Detects whether latitude and longitude of a file are exchanged, from its first thousands of
/// entries together: as given they lie off the globe or in the sea, exchanged they lie on land.
struct AxisOrder {
    /// Number of entries examined: more would add nothing.
    private static let judged = 10_000

    private var entries = 0
    /// Beyond 90 degrees of latitude, and on the globe when exchanged.
    private var offGlobe = 0
    /// Off the globe or in the sea, and on land when exchanged.
    private var onlyExchanged = 0

    /// A valid entry with its area.
    mutating func note(_ area: Area) {
        guard entries < Self.judged else { return }
        note(area.geometry.firstPosition)
    }

    /// A refused entry, with its first position if known.
    mutating func note(_ position: Coordinate?) {
        guard let position, entries < Self.judged else { return }
        entries += 1
        let exchanged = Coordinate(
            latitude: position.longitude, longitude: position.latitude)
        guard exchanged.latitude.magnitude <= 90, exchanged.longitude.magnitude <= 180 else {
            return
        }
        if position.latitude.magnitude > 90 { offGlobe += 1 }
        // No vehicle drives in Antarctica, which half of the southern seas would become.
        let isLand = exchanged.latitude > -60 && LandMask.hasLand(exchanged)
        if isLand, !LandMask.hasLand(position) { onlyExchanged += 1 }
    }

    /// The warning for the file; nil if there is none.
    var warning: String? {
        // One or two among others are typing errors.
        if offGlobe > 0, offGlobe == entries || offGlobe >= 3 && offGlobe * 10 >= entries {
            return "latitude and longitude seem to be the wrong way round: of \(entries) entries "
                + "\(offGlobe) lie off the globe, and on it when the two are exchanged"
        }
        // Nine tenths, since a coarse map is wrong at the coasts; one or two entries prove nothing.
        guard onlyExchanged >= 3, onlyExchanged * 10 >= entries * 9 else { return nil }
        return "latitude and longitude seem to be the wrong way round: of \(entries) entries "
            + "\(onlyExchanged) lie in the sea, and on land when the two are exchanged"
    }
}
