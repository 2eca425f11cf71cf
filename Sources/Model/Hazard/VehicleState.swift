/// What there is to be said of the vehicle now.
package struct VehicleState: Equatable, Sendable {
    /// What is in force; without a height, nobody has set one.
    package var vehicle = Vehicle()
    /// How sure the height is.
    package var certainty = Vehicle.Certainty.assumed
    /// m; used where nobody has set one.
    package var assumedHeight = 0.0
    /// The height as it was stated, m, where a greater one is in force until it is confirmed.
    package var statedHeight: Double?
    /// Names of the profiles, in the order of the settings.
    package var profiles: [String] = []
    /// Whether hazards are known that it is judged for.
    package var hasHazards = false
    /// Ids of the companions that may be with it, where they are known.
    package var companions: [String] = []

    package init() {}
}

extension VehicleState {
    /// A text of the numbers that limits are compared with; it changes if one of them does.
    package var numbers: String {
        Limits.Kind.allCases.map { kind in vehicle[kind].map { "\($0)" } ?? "" }
            .joined(separator: "/") + "/\(assumedHeight)"
    }
}
