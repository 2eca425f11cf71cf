/// How a vehicle compares with the limits of a hazard, margins included: for maps.
package enum VehicleFit: Sendable {
    /// All limits were compared, and it breaks none: there is no warning.
    case fits
    /// It breaks a limit: the approach gives a warning.
    case breaks
    /// A number of the vehicle or of the limit is not known: there is no warning, although it may
    /// not fit.
    case unknown

    /// The name in JSON.
    package var name: String {
        switch self {
        case .fits: "fits"
        case .breaks: "breaks"
        case .unknown: "unknown"
        }
    }
}
