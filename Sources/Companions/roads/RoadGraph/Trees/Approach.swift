/// The last way out before a hazard.
package struct Escape: Hashable, Sendable {
    /// Where the road to turn into lies for the driver.
    package enum Side: String, Sendable { case left, right, ahead, back }

    /// Metres to go to the hazard at its junction.
    package let metres: Double
    /// The road to turn into; empty: it has no name.
    package let road: String
    /// Where it is.
    package let side: Side
}

/// A turn of more than 40° at a junction, on the way to a hazard.
package struct SharpTurn: Hashable, Sendable {
    /// Metres to go to the hazard at its junction.
    package let metres: Double
    /// Degrees, positive.
    package let angle: Double
}

/// A line of road that leads to a hazard.
package struct Leg: Sendable {
    /// In the direction of travel; at least two.
    package let points: [RoadPoint]
    /// Metres to go to the hazard at its end.
    package let end: Double
    /// How likely a vehicle at its end goes on to the hazard, 0.001...1 in steps of 0.001.
    package let chance: Double
    /// The leg that follows, an earlier one of the list; nil: the hazard.
    package internal(set) var next: Int?
    /// nil: there is none.
    package let escape: Escape?
    /// The next one that must be made; nil: none.
    package let turn: SharpTurn?
    /// Roads that would lead into it may be missing, because the extract ends.
    package let isCut: Bool
    /// Its road's name or number; empty: it has none.
    package let road: String
}

/// How a hazard is reached.
package struct Approach: Sendable {
    /// Legs come after their next.
    package let legs: [Leg]
    /// The lines of the hazard's restricted section.
    package let section: [[RoadPoint]]
    /// Lines of other roads beside legs, in directions of travel.
    package internal(set) var rivals: [[RoadPoint]]
    /// It was too large, and lacks its farthest legs, or ways into its section and lines of it.
    package let isTruncated: Bool
}
