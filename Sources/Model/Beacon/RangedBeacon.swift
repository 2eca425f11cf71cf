package import Time

/// How near a beacon is, in words. The raw values are those of the D-Bus interface.
package enum BeaconProximity: UInt32, CaseIterable, Sendable {
    /// Heard too rarely or too long ago, or of unknown strength.
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
    /// The RSSI of the last sighting that had one, dBm; nil if none had.
    package var rssi: Int?
    /// The RSSI smoothed with a time constant of 5 s, dBm.
    package var level: Double?
    /// The distance, m; nil if its power at 1 m is not known. See ``distanceFactor``.
    package var distance: Double?
    /// The distance in words.
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

    /// The true distance is between ``distance`` divided by this and multiplied by it in 68 of 100
    /// cases: nine walks past twelve receivers, unfitted (Danis et al., PMC 81, 2022).
    package static let distanceFactor = 2.5
}
