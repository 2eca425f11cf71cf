import Time

/// One beacon region and what is known of it.
struct BeaconMonitor: Hashable, Sendable {
    /// From an enter (or `initial`) to its exit.
    struct Stay: Hashable, Sendable {
        /// Time of the event that opened it, in the present time base.
        var began: ReceiverTime
        /// The same on the monotonic clock; that of the restart for a stay from before it.
        var since: Uptime
        /// The `dwell` of this stay has been recorded.
        var dwellTold = false
    }

    /// Said by hand, and not yet over.
    struct Manual: Hashable, Sendable {
        var isInside: Bool
        var until: Uptime
    }

    var region: BeaconRegion
    /// Since when it is monitored.
    var since: Uptime
    /// Nil outside.
    var stay: Stay?
    /// Nothing but an opening can follow: what opens is no longer `initial`.
    var isKnown = false
    var hearing: BeaconHearing?
    var level: BeaconLevel?
    /// The last sighting, of whatever strength. Not among what outlives the process.
    var sighted: Uptime?
    var manual: Manual?
    /// What was said by hand before a power cut holds until then; nil once the clock is known, see
    /// ``BeaconLaw/settle(at:_:)``.
    var resumedUntil: ReceiverTime?

    init(_ region: BeaconRegion, since: Uptime) {
        self.region = region
        self.since = since
    }

    /// How long it may be silent.
    func patience(_ ear: BeaconEar, _ settings: BeaconSettings) -> TimeSpan {
        // Nobody knows the rhythm of what was heard once.
        guard let gap = hearing?.gap else { return settings.mostPatience }
        let least = ear.isLimited ? settings.limitedPatience : settings.leastPatience
        return min(max(gap * settings.patienceFactor, least), settings.mostPatience)
    }

    /// When its silence began; nil where nobody listens.
    func silent(_ ear: BeaconEar) -> Uptime? {
        guard let listening = ear.since else { return nil }
        let last = hearing?.last ?? stay?.since ?? since
        return max(last, listening)
    }

    /// Heard a short while ago, as far as anybody can tell.
    func isAudible(at now: Uptime, _ ear: BeaconEar, _ settings: BeaconSettings) -> Bool {
        guard hearing != nil, let silent = silent(ear) else { return false }
        return now - silent <= patience(ear, settings)
    }

    /// Takes a sighting; true where it counts.
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

    /// Strong enough to count.
    private func isStrong(_ rssi: Double?, _ settings: BeaconSettings) -> Bool {
        guard let least = region.rule.leastRSSI.map(Double.init) else { return true }
        // Of an unknown strength it is a sign of life, and proves no nearness.
        guard rssi != nil, let level else { return stay != nil }
        return level.level >= (stay == nil ? least : least - settings.keepBelow)
    }

    /// Outside, and too long after the last one to belong to it.
    private func isBroken(
        at now: Uptime, isGap: Bool, _ ear: BeaconEar, _ settings: BeaconSettings
    ) -> Bool {
        guard stay == nil, let hearing else { return false }
        guard isGap else { return true }
        let isProving = region.rule.isCompanion && hearing.count >= region.rule.sightings
        let most = isProving ? patience(ear, settings) : settings.enterGap
        return now - hearing.last > most
    }

    /// Enough sightings for a stay, and for a companion enough path.
    func isReady(way: Double, _ settings: BeaconSettings) -> Bool {
        guard stay == nil, manual == nil, let hearing, hearing.count >= region.rule.sightings else {
            return false
        }
        return !region.rule.isCompanion || way - hearing.firstWay >= settings.companionWay
    }

    /// When the stay is over if nothing is heard and nothing moves until then; nil where it is not.
    /// - Parameters:
    ///   - way: where the odometer stands, m.
    ///   - hasPosition: the position is known, so that the odometer counts.
    func due(
        way: Double, hasPosition: Bool, _ ear: BeaconEar, _ settings: BeaconSettings
    ) -> Uptime? {
        guard stay != nil, manual == nil, let silent = silent(ear) else { return nil }
        // "More than": the first moment after it.
        let moment = TimeSpan(nanoseconds: 1)
        guard hasPosition else { return silent + settings.mostPatience + moment }
        guard way - (hearing?.lastWay ?? 0) >= settings.exitWay else { return nil }
        return silent + patience(ear, settings) + moment
    }
}

/// Whether and since when the radio listens.
struct BeaconEar: Hashable, Sendable {
    /// Nil while it does not.
    var since: Uptime?
    var isLimited = false
}
