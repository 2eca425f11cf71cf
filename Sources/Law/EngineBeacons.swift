import Geodesy
import Model
import Time

// Connects the beacon law, which has no fixes and no log, with the engine.
extension Engine {
    /// Takes an input about beacons. Decisions that fell due before it are made first.
    mutating func takeBeacon(
        _ input: Input, at now: Uptime, _ directives: inout [Directive]
    ) {
        if case .radio(_, let time) = input {
            wallClock = (now, time)
            beacons.clockIsKnown(at: now, beaconClock)
        }
        decideBeacons(at: now, &directives)
        let clock = beaconClock
        let findings: [BeaconFinding]
        switch input {
        case .beacons(let regions):
            if lacksFences { orphans += beacons.release(missingIn: regions, clock) }
            findings = beacons.monitor(regions, at: now, clock)
            orphans = beacons.resume(orphans)
        case .sighting(let sighting): findings = beacons.hear(sighting, at: now, clock)
        case .radio(let radio, _): findings = beacons.listen(radio, at: now, clock)
        case .presence(let said, let id):
            findings = beacons.state(said, of: id, at: now, clock)
        default: return
        }
        record(findings, &directives)
    }

    /// Makes the decisions that silence or the end of a presence by hand has made due.
    @inline(__always)
    mutating func decideBeacons(at now: Uptime, _ directives: inout [Directive]) {
        guard !beacons.isEmpty else { return }
        let findings = beacons.decide(at: now, hasPosition: hasPosition, beaconClock)
        record(findings, &directives)
    }

    /// When the next such decision is due, without further input.
    @inline(__always)
    mutating func beaconsDue() -> Uptime? {
        beacons.isEmpty ? nil : beacons.due(hasPosition: hasPosition)
    }

    /// The odometer of beacons: it counts only certain movement, and does not advance for a parked
    /// vehicle whose position wanders.
    @inline(__always)
    mutating func driveBeacons(_ link: Passage.Link) {
        guard !beacons.isEmpty, case .path(let path) = link,
            motion.isMovingAtEitherEnd(settings.crossing)
        else { return }
        beacons.drive(path.length)
    }

    @inline(__always)
    private var hasPosition: Bool { gates.last != nil && !isPositionLost }

    var beaconClock: BeaconClock {
        if let last = gates.last?.fix { return BeaconClock(base: (last.arrival, last.time)) }
        return BeaconClock(base: wallClock.map { ($0.at, $0.time) })
    }

    private mutating func record(_ findings: [BeaconFinding], _ directives: inout [Directive]) {
        guard !findings.isEmpty else { return }
        var changes = StayChanges()
        for finding in findings {
            guard let id = finding.region?.id else { continue }
            let key = FenceKey(id)
            // The last finding of a region counts.
            changes.opened.removeAll { FenceKey($0.fence) == key }
            changes.closed.removeAll { FenceKey($0) == key }
            if let stay = finding.stay {
                changes.opened.append(stay)
            } else {
                changes.closed.append(id)
            }
        }
        let fix = hasPosition && !isPositionDoubtful ? gates.last?.fix : nil
        let events = findings.compactMap { Event($0, at: fix) }
        record(events, changes, &directives)
    }
}

extension BeaconLaw {
    /// The state that must survive a power cut.
    func openStays(_ clock: BeaconClock) -> [OpenStay] {
        memory.monitors.compactMap { $0.openStay(clock) }
    }
}

extension Event {
    /// Nil for a finding without an event.
    /// - Parameter fix: the last fix; nil while the position is lost or doubtful.
    fileprivate init?(_ finding: BeaconFinding, at fix: Fix?) {
        guard let kind = finding.kind else { return nil }
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
