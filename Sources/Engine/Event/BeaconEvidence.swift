package import Time

/// The numbers with which section 10 of the law proved an enter or an exit of a fence of beacons.
/// What was said by hand, a dwell, and the end of a stay because the fence was edited have none.
///
/// Rounded to a tenth of a decibel, the centimetre and the millisecond, so that every text form gives
/// them back unchanged.
package struct BeaconEvidence: Hashable, Sendable {
    /// The beacon that was heard last.
    package var beacon: BeaconIdentity
    /// RSSI smoothed with a time constant of 5 s, dBm; nil where no sighting had one.
    package var level: Double?
    /// Those that count, from the first on that belongs to the stay; 255 stands for more.
    package var sightings: Int
    /// The mean gap between two of them; nil before there are two.
    package var gap: TimeSpan?
    /// For how long nothing was heard while the radio listened; of an exit.
    package var silence: TimeSpan?
    /// How long that might have been; of an exit.
    package var patience: TimeSpan?
    /// Path on which the vehicle certainly moves, m: of a companion that comes in since the first
    /// sighting, of an exit since the last one.
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
        .seconds((span.seconds * 1000).rounded() / 1000)
    }
}
