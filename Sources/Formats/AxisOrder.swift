import Geodesy

/// Whether latitude and longitude of a file are the wrong way round, judged by its first thousands of
/// entries together: read as they are they lie off the globe or in the sea, exchanged they lie on
/// land.
struct AxisOrder {
    /// Entries that are judged: more say nothing more.
    private static let judged = 10_000

    private var entries = 0
    /// Beyond 90 degrees of latitude, and on the globe when they are exchanged.
    private var offGlobe = 0
    /// Off the globe or in the sea, and on land when they are exchanged.
    private var onlyExchanged = 0

    /// An entry whose area is good.
    mutating func note(_ area: Area) {
        guard entries < Self.judged else { return }
        let position: Coordinate? =
            switch area.geometry {
            case .circle(let center, _): center
            case .corridor(let line, _): line.first
            case .polygons(let parts): parts.first?.first?.first
            }
        note(position)
    }

    /// An entry of which this much is known.
    mutating func note(_ position: Coordinate?) {
        guard let position, entries < Self.judged else { return }
        entries += 1
        let exchanged = Coordinate(
            latitude: position.longitude, longitude: position.latitude)
        guard exchanged.latitude.magnitude <= 90, exchanged.longitude.magnitude <= 180 else {
            return
        }
        if position.latitude.magnitude > 90 { offGlobe += 1 }
        // No vehicle drives in the Antarctic, which half of the southern sea would become.
        let isLand = exchanged.latitude > -60 && LandMask.hasLand(exchanged)
        if isLand, !LandMask.hasLand(position) { onlyExchanged += 1 }
    }

    /// What is to be said of the file; nil where it is good.
    var warning: String? {
        // One or two among others are slips.
        if offGlobe > 0, offGlobe == entries || offGlobe >= 3 && offGlobe * 10 >= entries {
            return "latitude and longitude seem to be the wrong way round: of \(entries) entries "
                + "\(offGlobe) lie off the globe, and on it when the two are exchanged"
        }
        // Of nine tenths, for a coarse map is wrong at the coasts; of one or two nothing can be said.
        guard onlyExchanged >= 3, onlyExchanged * 10 >= entries * 9 else { return nil }
        return "latitude and longitude seem to be the wrong way round: of \(entries) entries "
            + "\(onlyExchanged) lie in the sea, and on land when the two are exchanged"
    }
}
