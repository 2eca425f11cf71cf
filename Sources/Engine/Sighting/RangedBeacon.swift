package import Time

/// How near a beacon is, in words. The raw values are those of the D-Bus interface.
package enum BeaconProximity: UInt32, CaseIterable, Sendable {
    /// Heard too seldom or too long ago, or nobody knows how strong it is.
    case unknown = 0
    /// Nearer than 0.5 m.
    case immediate = 1
    /// Nearer than 4 m.
    case near = 2
    case far = 3
}

/// A beacon in a list of those that are near.
package struct RangedBeacon: Hashable, Sendable {
    /// Which beacon it is.
    package var identity: BeaconIdentity
    /// Of the last sighting that had one, dBm; nil where none had.
    package var rssi: Int?
    /// Smoothed with a time constant of 5 s, dBm.
    package var level: Double?
    /// m; nil where its power at 1 m is not known. See ``distanceFactor``.
    package var distance: Double?
    /// In words.
    package var proximity: BeaconProximity
    /// When it was last heard.
    package var lastSeen: Uptime

    package init(
        _ identity: BeaconIdentity, rssi: Int? = nil, level: Double? = nil,
        distance: Double? = nil, proximity: BeaconProximity = .unknown, lastSeen: Uptime
    ) {
        self.identity = identity
        self.rssi = rssi
        self.level = level
        self.distance = distance
        self.proximity = proximity
        self.lastSeen = lastSeen
    }

    /// The true distance is between ``distance`` divided by this and multiplied with it in 68 of 100
    /// cases: nine walks past twelve receivers, unfitted (Danis et al., PMC 81, 2022).
    package static let distanceFactor = 2.5
}
