/// How a vehicle compares with the limits of a hazard, margins included: for those who draw it.
package enum VehicleFit: Sendable {
    /// Everything was compared, and it breaks nothing: nobody is warned.
    case fits
    /// It breaks a limit: it is warned of on the approach.
    case breaks
    /// A number of the vehicle or of the limit is not known: nobody is warned, and nobody knows.
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
            // Compared with the lowest clearance that nobody signs.
            return limits.basis == .belowDefault && limits.unnumbered == .height ? .fits : .unknown
        }
        return limits.kinds.allSatisfy { value($0) != nil } ? .fits : .unknown
    }
}
