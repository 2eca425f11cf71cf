package import Time

/// The numbers with which section 10 of the law proved an enter or an exit of a beacon fence. A
/// presence by hand, a dwell, and the end of a stay by an edit of the fence have none.
///
/// Rounded to a tenth of a decibel, the centimetre and the millisecond, so that every text form
/// keeps them unchanged.
package struct BeaconEvidence: Hashable, Sendable {
    /// The beacon that was heard last.
    package var beacon: BeaconIdentity
    /// RSSI smoothed with a time constant of 5 s, dBm; nil if no sighting had one.
    package var level: Double?
    /// The number of sightings of the stay that count; 255 stands for more.
    package var sightings: Int
    /// The mean gap between sightings; nil before there are two.
    package var gap: TimeSpan?
    /// Of an exit: how long nothing was heard while the radio listened.
    package var silence: TimeSpan?
    /// Of an exit: the patience, which the silence exceeded.
    package var patience: TimeSpan?
    /// Path on which the vehicle certainly moves, m: since the first sighting for a companion that
    /// is coupled, since the last one for an exit.
    package var way: Double?

    package init(
        beacon: BeaconIdentity, level: Double? = nil, sightings: Int, gap: TimeSpan? = nil,
        silence: TimeSpan? = nil, patience: TimeSpan? = nil, way: Double? = nil
    ) {
        self.beacon = beacon
        self.level = level.map { ($0 * 10).rounded() / 10 }
        self.sightings = sightings
        self.gap = gap.map(Self.rounded)
        self.silence = silence.map(Self.rounded)
        self.patience = patience.map(Self.rounded)
        self.way = way.map { ($0 * 100).rounded() / 100 }
    }

    private static func rounded(_ span: TimeSpan) -> TimeSpan {
        .seconds(span.roundedSeconds)
    }
}
