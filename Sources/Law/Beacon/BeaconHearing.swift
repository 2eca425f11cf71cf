import Model
import Time

/// Sightings of one region that belong together: those before a stay, or those of the stay.
struct BeaconHearing: Hashable, Sendable {
    /// The beacon of the last sighting.
    var beacon: BeaconIdentity
    /// The time of the first sighting.
    var first: Uptime
    /// Where the odometer stood then, m.
    var firstWay: Double
    /// The time of the last sighting.
    var last: Uptime
    /// Where the odometer stood then, m.
    var lastWay: Double
    /// The number of sightings, up to 255.
    var count = 1
    /// The mean gap between sightings; nil before there are two.
    var gap: TimeSpan?

    init(_ beacon: BeaconIdentity, at now: Uptime, way: Double) {
        self.beacon = beacon
        (first, firstWay, last, lastWay) = (now, way, now, way)
    }

    /// Takes the next sighting.
    /// - Parameter isGap: the radio listened all the time since the last one.
    mutating func add(
        _ beacon: BeaconIdentity, at now: Uptime, way: Double, isGap: Bool, most: TimeSpan
    ) {
        self.beacon = beacon
        if isGap {
            let new = min(now - last, most)
            // g += 0.1 (gap - g)
            gap = gap.map { $0 + (new - $0) / 10 } ?? new
        }
        count = min(count + 1, 255)
        (last, lastWay) = (now, way)
    }
}

/// How strongly a region is heard. Means are taken in dBm, and need no logarithm.
struct BeaconLevel: Hashable, Sendable {
    /// Smoothed with a time constant of 5 s, dBm.
    private(set) var level: Double
    /// The time of the last sighting with an RSSI.
    private(set) var time: Uptime
    /// Mean of the last sightings, about 64 of them, dBm.
    private(set) var mean: Double
    private(set) var count = 1

    /// In seconds. An exponential filter by the implicit Euler step, dt / (T + dt): the engine has
    /// no exponential function, and every machine computes the same.
    private static let constant = 5.0
    private static let most = 64

    init(_ rssi: Double, at now: Uptime) {
        (level, mean, time) = (rssi, rssi, now)
    }

    init(level: Double, mean: Double, count: Int, time: Uptime) {
        (self.level, self.mean, self.count, self.time) = (level, mean, count, time)
    }

    mutating func add(_ rssi: Double, at now: Uptime) {
        let elapsed = max((now - time).seconds, 0)
        level += (rssi - level) * elapsed / (Self.constant + elapsed)
        count = min(count + 1, Self.most)
        mean += (rssi - mean) / Double(count)
        time = now
    }

    /// Restarts the mean, because earlier sightings belong to another way.
    mutating func restart(_ rssi: Double) { (mean, count) = (rssi, 1) }
}
