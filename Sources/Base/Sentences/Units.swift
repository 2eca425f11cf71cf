/// Of what a person reads and hears.
package enum Units: String, CaseIterable, Sendable {
    /// Metres, kilometres, tonnes.
    case metric
    /// Feet and inches, yards, miles, tonnes: of the United Kingdom.
    case imperial
    /// Feet and inches, feet, miles, tons of 2000 lb: of the United States.
    case us
}

/// Which units a driver wants.
package enum UnitChoice: String, CaseIterable, Sendable {
    /// Those of the sign; where there is none those of the country.
    case sign
    case metric
    case imperial
    case us

    /// The units.
    /// - Parameters:
    ///   - isFeet: whether there is a sign in feet; nil: no sign.
    ///   - region: of the driver, as in ``DriverLanguage``.
    package func units(isFeet: Bool?, region: String) -> Units {
        let isAmerican = region == "US"
        switch self {
        case .metric: return .metric
        case .imperial: return .imperial
        case .us: return .us
        case .sign:
            guard isFeet ?? isAmerican else { return .metric }
            return isAmerican ? .us : .imperial
        }
    }
}
