import Model
import Time

/// A finding of the beacon law: an event without the fix.
struct BeaconFinding: Hashable, Sendable {
    /// Nil where there is no event: the stay continues, but the end of the presence by hand has
    /// changed.
    var kind: EventKind?
    /// The region; nil for those of the radio.
    var region: BeaconRegion?
    var time: UTCTime
    /// Of an exit.
    var length: TimeSpan?
    /// The reason; nil for a dwell, and where there is no event or no region.
    var reason: EventReason?
    /// The stay after it; nil if none is open.
    var stay: OpenStay?
    /// Nil if it was not proved by sightings or silence.
    var evidence: BeaconEvidence?
}

extension Findings {
    /// Of several the last of a region counts for its stay.
    /// - Parameter fix: the last fix; nil while the position is lost or doubtful.
    init(_ findings: [BeaconFinding], at fix: Fix?) {
        for finding in findings {
            if let kind = finding.kind { events.append(Event(kind, finding, at: fix)) }
            guard let id = finding.region?.id else { continue }
            let key = FenceKey(id)
            opened.removeAll { FenceKey($0.fence) == key }
            closed.removeAll { FenceKey($0) == key }
            if let stay = finding.stay {
                opened.append(stay)
            } else {
                closed.append(id)
            }
        }
    }
}

extension Event {
    fileprivate init(_ kind: EventKind, _ finding: BeaconFinding, at fix: Fix?) {
        self.init(
            kind: kind, fence: finding.region?.id, title: finding.region?.title ?? "",
            time: finding.time, fixTime: fix?.time ?? finding.time, presence: kind.presence,
            reason: finding.reason, error: fix?.error, speed: fix?.speed, course: fix?.course,
            coordinate: fix?.coordinate, stay: finding.length,
            announced: kind.isAnnounced(
                onEntry: finding.region?.notifyOnEntry ?? true,
                onExit: finding.region?.notifyOnExit ?? true),
            metadata: finding.region?.metadata ?? "{}", beacon: finding.evidence)
    }
}

extension BeaconMonitor {
    /// The state that must survive a power cut, if a stay is open.
    func openStay(_ clock: BeaconClock) -> OpenStay? {
        stay.map {
            OpenStay(
                fence: region.id, added: region.added, began: $0.began, dwellTold: $0.dwellTold,
                manualUntil: manual.map { clock.time($0.until) })
        }
    }

    /// The stay continues; nil outside.
    func kept(at time: UTCTime, _ clock: BeaconClock) -> BeaconFinding? {
        openStay(clock).map {
            BeaconFinding(kind: nil, region: region, time: time, stay: $0)
        }
    }

    /// Opens a stay, at the time of the first sighting or of the statement by hand.
    mutating func open(
        at began: UTCTime, since: Uptime, reason: EventReason,
        evidence: BeaconEvidence? = nil, _ clock: BeaconClock
    ) -> BeaconFinding {
        stay = Stay(began: began, since: since)
        let isInitial = !isKnown && !region.initialEnter
        isKnown = true
        return BeaconFinding(
            kind: isInitial ? .initial : .enter, region: region, time: began, reason: reason,
            stay: openStay(clock), evidence: evidence)
    }

    /// Ends the stay, never before it began; nil outside.
    mutating func close(
        at time: UTCTime, reason: EventReason, evidence: BeaconEvidence? = nil
    ) -> BeaconFinding? {
        guard let stay else { return nil }
        let time = max(time, stay.began)
        self.stay = nil
        hearing = nil
        manual = nil
        return BeaconFinding(
            kind: .exit, region: region, time: time, length: time - stay.began,
            reason: reason, evidence: evidence)
    }

    /// The stay has lasted long enough for a dwell at `now`, and is proved to be still open.
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
    /// For a stay that opens now; nil if nothing was heard.
    func evidenceOfOpening(way: Double) -> BeaconEvidence? {
        hearing.map {
            BeaconEvidence(
                beacon: $0.beacon, level: level?.level, sightings: $0.count, gap: $0.gap,
                way: region.rule.isCompanion ? way - $0.firstWay : nil)
        }
    }

    /// For a stay that silence ends now; nil if this process has not heard it.
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
