package import Time

/// Section 8 of the law: matching, confirmation and stages.
package struct ApproachSettings: Hashable, Sendable {
    /// The height of a vehicle whose height nobody has set, m.
    package var assumedHeight = 4.20
    /// How long a confirmation of the height counts.
    package var confirmationLifetime = TimeSpan.seconds(24 * 3_600)
    /// An advisory far from the escape needs at least this chance.
    package var chance = 0.3

    package init() {}
}
