import Model
import Time

/// One beacon region and its state.
struct BeaconMonitor: Hashable, Sendable {
    /// From an enter (or `initial`) to its exit.
    struct Stay: Hashable, Sendable {
        /// Time of the event that opened it, in the present time base.
        var began: UTCTime
        /// The same on the monotonic clock; for a stay from before a restart, the time of the
        /// restart.
        var since: Uptime
        /// The `dwell` of this stay has been recorded.
        var dwellTold = false
    }

    /// A presence by hand that still holds.
    struct Manual: Hashable, Sendable {
        var isInside: Bool
        var until: Uptime
    }

    var region: BeaconRegion
    /// Since when it is monitored.
    var since: Uptime
    /// Nil outside.
    var stay: Stay?
    /// It was outside before: a stay that opens is an `enter`, not an `initial`.
    var isKnown = false
    var hearing: BeaconHearing?
    var level: BeaconLevel?
    /// The last sighting of any strength. Not stored in checkpoints.
    var sighted: Uptime?
    var manual: Manual?
    /// The end of a presence by hand from before a power cut; nil once the clock is known, see
    /// ``BeaconLaw/clockIsKnown(at:as:after:)``.
    var resumedUntil: UTCTime?

    init(_ region: BeaconRegion, since: Uptime) {
        self.region = region
        self.since = since
    }

    /// How long it may be silent.
    func patience(_ ear: BeaconEar, _ settings: BeaconSettings) -> TimeSpan {
        // After a single sighting the rhythm is not known.
        guard let gap = hearing?.gap else { return settings.mostPatience }
        let least = ear.isLimited ? settings.limitedPatience : settings.leastPatience
        return min(max(gap * settings.patienceFactor, least), settings.mostPatience)
    }

    /// When its silence began; nil while the radio does not listen.
    func silent(_ ear: BeaconEar) -> Uptime? {
        guard let listening = ear.since else { return nil }
        let last = hearing?.last ?? stay?.since ?? since
        return max(last, listening)
    }

    /// Whether it was heard within its patience.
    func isAudible(at now: Uptime, _ ear: BeaconEar, _ settings: BeaconSettings) -> Bool {
        guard hearing != nil, let silent = silent(ear) else { return false }
        return now - silent <= patience(ear, settings)
    }

    /// Takes a sighting; true if it counts.
    mutating func hear(
        _ beacon: BeaconIdentity, rssi: Double?, at now: Uptime, way: Double, _ ear: BeaconEar,
        _ settings: BeaconSettings
    ) -> Bool {
        sighted = now
        if let hearing, now - hearing.last < settings.oneEvent { return false }
        if let rssi {
            if level == nil {
                level = BeaconLevel(rssi, at: now)
            } else {
                level?.add(rssi, at: now)
            }
        }
        guard isStrong(rssi, settings) else { return false }
        let isGap = hearing.map { last in ear.since.map { $0 <= last.last } ?? false } ?? false
        if hearing == nil || isBroken(at: now, isGap: isGap, ear, settings) {
            hearing = BeaconHearing(beacon, at: now, way: way)
            if let rssi { level?.restart(rssi) }
        } else {
            hearing?.add(
                beacon, at: now, way: way, isGap: isGap, most: settings.mostPatience)
        }
        return true
    }

    /// Whether it is strong enough to count.
    private func isStrong(_ rssi: Double?, _ settings: BeaconSettings) -> Bool {
        guard let least = region.rule.leastRSSI.map(Double.init) else { return true }
        // Without a known strength it keeps a stay, but cannot open one.
        guard rssi != nil, let level else { return stay != nil }
        return level.level >= (stay == nil ? least : least - settings.keepBelow)
    }

    /// Outside, and too late to belong to the last sighting.
    private func isBroken(
        at now: Uptime, isGap: Bool, _ ear: BeaconEar, _ settings: BeaconSettings
    ) -> Bool {
        guard stay == nil, let hearing else { return false }
        guard isGap else { return true }
        let isProving = region.rule.isCompanion && hearing.count >= region.rule.sightings
        let most = isProving ? patience(ear, settings) : settings.enterGap
        return now - hearing.last > most
    }

    /// Whether there are enough sightings for a stay, and for a companion enough path.
    func isReady(way: Double, _ settings: BeaconSettings) -> Bool {
        guard stay == nil, manual == nil, let hearing, hearing.count >= region.rule.sightings else {
            return false
        }
        return !region.rule.isCompanion || way - hearing.firstWay >= settings.companionWay
    }

    /// When the stay ends if nothing is heard and nothing moves until then; nil if it does not.
    /// - Parameters:
    ///   - way: where the odometer stands, m.
    ///   - hasPosition: the position is known, so that the odometer counts.
    func due(
        way: Double, hasPosition: Bool, _ ear: BeaconEar, _ settings: BeaconSettings
    ) -> Uptime? {
        guard stay != nil, manual == nil, let silent = silent(ear) else { return nil }
        // The law says "longer than": the first moment after it.
        let moment = TimeSpan(nanoseconds: 1)
        guard hasPosition else { return silent + settings.mostPatience + moment }
        guard way - (hearing?.lastWay ?? 0) >= settings.exitWay else { return nil }
        return silent + patience(ear, settings) + moment
    }
}

/// Whether the radio listens, and since when.
struct BeaconEar: Hashable, Sendable {
    /// Nil while it does not.
    var since: Uptime?
    var isLimited = false
}
