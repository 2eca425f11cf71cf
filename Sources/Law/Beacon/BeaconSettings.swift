package import Time

/// The numbers of the law of beacons.
package struct BeaconSettings: Hashable, Sendable {
    /// Sightings further apart than this do not open a stay together.
    package var enterGap = TimeSpan.seconds(15)
    /// Sightings nearer than this are one advertising event, sent on three channels.
    package var oneEvent = TimeSpan.milliseconds(20)
    /// The patience, in mean gaps. The gaps of a beacon that is heard at random are geometrically
    /// distributed: one in 160 000 is longer than 12 means.
    package var patienceFactor: Int64 = 12
    /// The least patience.
    package var leastPatience = TimeSpan.seconds(30)
    /// The least patience while the radio listens only now and then.
    package var limitedPatience = TimeSpan.seconds(180)
    /// The greatest patience; also the silence that is enough for an exit without a position.
    package var mostPatience = TimeSpan.seconds(300)
    /// The path that an exit needs since the last sighting, on which the vehicle certainly moves,
    /// m.
    package var exitWay = 50.0
    /// A radio that does not listen for longer than this is lost.
    package var lostAfter = TimeSpan.seconds(30)
    /// How far below its least RSSI a region is kept, dB.
    package var keepBelow = 10.0
    /// The path along which a companion must be heard before its stay opens, m.
    package var companionWay = 500.0
    /// By how much one companion of a group must be stronger than the others, dB.
    package var groupMargin = 6.0
    /// How long a presence by hand holds by default.
    package var manualFor = TimeSpan.seconds(12 * 3600)

    package init() {}
}
