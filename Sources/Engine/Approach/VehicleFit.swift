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

extension ApproachRules {
    /// How the vehicle compares with these limits.
    package func fit(_ limits: Limits) -> VehicleFit {
        if shortfall(limits) != nil { return .breaks }
        guard limits.basis.hasNumber else {
            // Compared with the lowest clearance that is usually not signed.
            return limits.basis == .belowDefault && limits.unnumbered == .height ? .fits : .unknown
        }
        return limits.kinds.allSatisfy { value($0) != nil } ? .fits : .unknown
    }
}
