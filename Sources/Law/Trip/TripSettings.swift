package import Time

/// Section 15 of the law.
package struct TripSettings: Hashable, Sendable {
    /// Whether trips are recorded.
    package var areRecorded = false
    /// A vehicle that has stood, or was not seen, for that long has ended its trip.
    package var stand = TimeSpan.seconds(300)
    /// How often a position is recorded in a trip; zero for never.
    package var every = TimeSpan.zero
    /// A standing of that length is a stop.
    let stop = TimeSpan.seconds(60)

    package init() {}
}
