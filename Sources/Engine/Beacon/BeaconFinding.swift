import Time

/// What the law of beacons found: an event without the fix.
struct BeaconFinding: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// `initial`: what was before it is not known.
        case opening(isInitial: Bool)
        case dwell
        case exit(stay: TimeSpan)
        /// No event: the stay goes on, and until when it was said by hand has changed.
        case kept
        /// The radio has not listened for too long; of no region.
        case lost
        /// It listens again; of no region.
        case regained
    }

    var kind: Kind
    /// Nil for `lost` and `regained`.
    var region: BeaconRegion?
    var time: ReceiverTime
    /// Nil for a dwell, `kept`, `lost` and `regained`.
    var reason: EventReason?
    /// The stay after it; nil where none is open.
    var stay: OpenStay?
    /// Nil where nothing that was heard proved it.
    var evidence: BeaconEvidence?
}

extension BeaconMonitor {
    /// What must outlive a power cut, if a stay is open.
    func openStay(_ clock: BeaconClock) -> OpenStay? {
        stay.map {
            OpenStay(
                fence: region.id, added: region.added, began: $0.began, dwellTold: $0.dwellTold,
                manualUntil: manual.map { clock.time($0.until) })
        }
    }

    /// The stay goes on; nil outside.
    func kept(at time: ReceiverTime, _ clock: BeaconClock) -> BeaconFinding? {
        openStay(clock).map {
            BeaconFinding(kind: .kept, region: region, time: time, stay: $0)
        }
    }

    /// Opens a stay. Its time is that of the first sighting, or of what was said by hand.
    mutating func open(
        at began: ReceiverTime, since: Uptime, reason: EventReason,
        evidence: BeaconEvidence? = nil, _ clock: BeaconClock
    ) -> BeaconFinding {
        stay = Stay(began: began, since: since)
        let isInitial = !isKnown && !region.initialEnter
        isKnown = true
        return BeaconFinding(
            kind: .opening(isInitial: isInitial), region: region, time: began, reason: reason,
            stay: openStay(clock), evidence: evidence)
    }

    /// Ends the stay, never before it began; nil outside.
    mutating func close(
        at time: ReceiverTime, reason: EventReason, evidence: BeaconEvidence? = nil
    ) -> BeaconFinding? {
        guard let stay else { return nil }
        let time = max(time, stay.began)
        self.stay = nil
        hearing = nil
        manual = nil
        return BeaconFinding(
            kind: .exit(stay: time - stay.began), region: region, time: time, reason: reason,
            evidence: evidence)
    }

    /// The stay has lasted long enough at `now`, and it is proved that it lasts.
    mutating func dwell(at now: Uptime, _ clock: BeaconClock) -> BeaconFinding? {
        guard region.dwell > .zero, let open = stay, !open.dwellTold,
            now - open.since >= region.dwell
        else { return nil }
        stay?.dwellTold = true
        return BeaconFinding(
            kind: .dwell, region: region, time: open.began + region.dwell,
            stay: openStay(clock))
    }
}

// MARK: - Evidence

extension BeaconMonitor {
    /// Of a stay that opens now; nil where nothing was heard.
    func evidenceOfOpening(way: Double) -> BeaconEvidence? {
        hearing.map {
            BeaconEvidence(
                beacon: $0.beacon, level: level?.level, sightings: $0.count, gap: $0.gap,
                way: region.rule.isCompanion ? way - $0.firstWay : nil)
        }
    }

    /// Of a stay that silence ends now; nil where the process has heard nothing of it.
    func evidenceOfSilence(
        at now: Uptime, way: Double, hasPosition: Bool, _ ear: BeaconEar,
        _ settings: BeaconSettings
    ) -> BeaconEvidence? {
        guard let hearing, let silent = silent(ear) else { return nil }
        return BeaconEvidence(
            beacon: hearing.beacon, level: level?.level, sightings: hearing.count,
            gap: hearing.gap, silence: now - silent,
            patience: hasPosition ? patience(ear, settings) : settings.mostPatience,
            way: hasPosition ? way - hearing.lastWay : nil)
    }
}
