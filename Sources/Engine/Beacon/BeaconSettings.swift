package import Time

/// The numbers of the law of beacons.
package struct BeaconSettings: Hashable, Sendable {
    /// Sightings further apart than this do not open a stay together.
    package var enterGap = TimeSpan.seconds(15)
    /// Sightings nearer than this are one advertising event, sent on three channels.
    package var oneEvent = TimeSpan.milliseconds(20)
    /// The patience, in mean gaps. Gaps of a beacon that is heard at random are geometric: one in
    /// 160 000 is longer than 12 means.
    package var patienceFactor: Int64 = 12
    /// The patience is no less.
    package var leastPatience = TimeSpan.seconds(30)
    /// The patience is no less while the radio listens only now and then.
    package var limitedPatience = TimeSpan.seconds(180)
    /// The patience is no more; and enough without a position.
    package var mostPatience = TimeSpan.seconds(300)
    /// An exit needs this much path since the last sighting, certainly moved, m.
    package var exitWay = 50.0
    /// A radio that does not listen for longer is lost.
    package var lostAfter = TimeSpan.seconds(30)
    /// A region with a least RSSI is kept down to this much below it, dB.
    package var keepBelow = 10.0
    /// A companion is heard along this much path before it is one, m.
    package var companionWay = 500.0
    /// Of two companions of a group the one that is stronger by this is the one, dB.
    package var groupMargin = 6.0
    /// What was said by hand holds for so long, unless something else was asked.
    package var manualFor = TimeSpan.seconds(12 * 3600)

    package init() {}
}
