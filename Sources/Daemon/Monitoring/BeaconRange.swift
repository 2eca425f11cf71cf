import Glibc
package import Model
package import Time

/// The beacons that are near, for one program: only those of its patterns are kept.
package struct BeaconRange {
    private struct Heard {
        var rssi: Int?
        /// The smoothed RSSI, dBm, and its time; nil before the first RSSI.
        var level: (value: Double, at: Uptime)?
        var measuredPower: Int?
        var count: Int
        var last: Uptime
    }

    /// The patterns that are kept.
    package let patterns: Set<BeaconPattern>
    private var heard: [BeaconIdentity: Heard] = [:]

    /// A beacon stays in the list for this long after it was heard.
    package static let kept = TimeSpan.seconds(10)
    /// After this silence its proximity is unknown.
    private static let fresh = TimeSpan.seconds(5)
    /// The greatest number of beacons in a list; the nearest are kept.
    package static let most = 64
    /// The greatest number that is kept; beyond it the one that was silent for the longest is
    /// forgotten.
    private static let mostKnown = 1_024
    /// Sightings that a proximity needs.
    private static let leastCount = 3
    /// Time constant of the level, s.
    private static let constant = 5.0
    /// Plausible powers at 1 m, dBm.
    private static let powers = -100 ... -20
    /// m
    private static let (immediate, near) = (0.5, 4.0)

    package init(_ patterns: Set<BeaconPattern>) { self.patterns = patterns }

    /// Takes a sighting; false if it matches none of the patterns.
    package mutating func hear(_ sighting: BeaconSighting, at now: Uptime) -> Bool {
        guard sighting.identity.patterns.contains(where: patterns.contains) else { return false }
        var beacon = heard[sighting.identity] ?? Heard(count: 0, last: now)
        beacon.count += 1
        beacon.last = now
        beacon.measuredPower = sighting.measuredPower ?? beacon.measuredPower
        if let rssi = sighting.rssi {
            beacon.rssi = rssi
            let new = Double(rssi)
            if let (old, time) = beacon.level {
                let elapsed = max((now - time).seconds, 0)
                beacon.level = (old + (new - old) * elapsed / (Self.constant + elapsed), now)
            } else {
                beacon.level = (new, now)
            }
        }
        heard[sighting.identity] = beacon
        if heard.count > Self.mostKnown,
            let oldest = heard.min(by: { $0.value.last < $1.value.last })?.key
        {
            heard[oldest] = nil
        }
        return true
    }

    /// Forgets everything.
    package mutating func removeAll() { heard = [:] }

    /// The beacons that were heard within ``kept``, the nearest first, at most ``most``; the others
    /// are forgotten.
    package mutating func beacons(at now: Uptime) -> [RangedBeacon] {
        heard = heard.filter { now - $0.value.last <= Self.kept }
        let all = heard.map { Self.ranged($0.key, $0.value, at: now) }
        return Array(all.sorted(by: Self.precedes).prefix(Self.most))
    }

    private static func ranged(
        _ identity: BeaconIdentity, _ beacon: Heard, at now: Uptime
    ) -> RangedBeacon {
        var ranged = RangedBeacon(
            identity, rssi: beacon.rssi, level: beacon.level?.value, lastSeen: beacon.last)
        guard let level = beacon.level?.value, let power = beacon.measuredPower,
            powers.contains(power)
        else { return ranged }
        // Free space: 20 dB for each factor of ten.
        let distance = pow(10, (Double(power) - level) / 20)
        ranged.distance = distance
        guard beacon.count >= leastCount, now - beacon.last <= fresh else { return ranged }
        ranged.proximity = distance < immediate ? .immediate : distance < near ? .near : .far
        return ranged
    }

    private static func precedes(_ a: RangedBeacon, _ b: RangedBeacon) -> Bool {
        let (first, second) = (a.distance ?? .infinity, b.distance ?? .infinity)
        if first != second { return first < second }
        let levels = (a.level ?? -.infinity, b.level ?? -.infinity)
        if levels.0 != levels.1 { return levels.0 > levels.1 }
        return a.identity.text < b.identity.text
    }
}
