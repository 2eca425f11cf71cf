package import Time

/// Section 8 of the law: matching, confirmation and stages.
package struct ApproachSettings: Hashable, Sendable {
    /// Added to the vehicle's height, m.
    package var heightMargin = 0.10
    /// Added to the vehicle's width, m.
    package var widthMargin = 0.20
    /// The height of a vehicle whose height nobody has set, m.
    package var assumedHeight = 4.20
    /// How long a confirmation of the height counts.
    package var confirmationLifetime = TimeSpan.seconds(24 * 3_600)
    /// A vehicle higher than this, m, is told of a clearance `below-default`.
    package var belowDefaultHeight = 3.5
    /// An advisory far from the escape needs at least this chance.
    package var chance = 0.3

    package init() {}
}
