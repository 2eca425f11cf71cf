/// What the vehicle's own network says of its motion, before it has been looked at.
package struct VehicleMotion: Hashable, Sendable {
    /// Of the wheels, m/s, 0 to ``mostSpeed``.
    package var speed: Double
    /// The wheels stand.
    package var isStanding: Bool
    /// What the vehicle's odometer shows, m, 0 to `SharedLimits.odometer`; nil where that is not known.
    package var odometer: Double?
    /// Who has counted that; another one shows something else. At most ``longestSource`` bytes.
    package var odometerSource: String

    package init(
        speed: Double, isStanding: Bool, odometer: Double? = nil, odometerSource: String = ""
    ) {
        self.speed = speed
        self.isStanding = isStanding
        self.odometer = odometer
        self.odometerSource = odometerSource
    }

    /// The fastest that is believed, m/s.
    package static let mostSpeed = 90.0
    /// Bytes.
    package static let longestSource = 64
}

/// Why what the vehicle said of its motion does not count, or not all of it.
package enum WheelRefusal: String, Hashable, Sendable, CaseIterable {
    /// Without a speed, or without the word whether it stands.
    case incomplete
    /// Not a number, or infinite.
    case notFinite = "not-finite"
    /// Negative, or more than there is; or standing wheels that turn.
    case outOfRange = "out-of-range"
    /// More than there may be in a second.
    case tooOften = "too-often"
    /// The odometer shows less than before: from there on it counts anew.
    case wentBack = "odometer-went-back"
    /// The odometer shows more than can have been driven: from there on it counts anew.
    case leaped = "odometer-leaped"
}

/// What the wheels say at one report of the position.
package struct WheelReading: Hashable, Sendable {
    /// m/s, not negative.
    package var speed: Double
    /// They stand.
    package var isStanding: Bool
    /// How far they have come since the last accepted fix, m, not negative; nil where nobody has
    /// counted since then.
    package var way: Double?

    package init(speed: Double, isStanding: Bool, way: Double? = nil) {
        self.speed = speed
        self.isStanding = isStanding
        self.way = way
    }
}
