import Model
import Time

/// What the receiver's clock shows at a monotonic time.
struct BeaconClock: Sendable {
    /// A monotonic time and what the receiver's clock showed then; nil if not known.
    var base: (Uptime, UTCTime)?

    func time(_ uptime: Uptime) -> UTCTime {
        guard let (now, time) = base else { return UTCTime(nanoseconds: uptime.nanoseconds) }
        return time + (uptime - now)
    }
}

// Decisions when a stay is proved, and when nothing is heard.
extension BeaconLaw {
    /// Opens the stay of a monitor with enough sightings, unless another of its group is as near.
    mutating func open(
        _ place: Int, at now: Uptime, _ clock: BeaconClock
    ) -> [BeaconFinding] {
        guard memory.monitors[place].isReady(way: memory.way, settings),
            prevails(place, at: now), let first = memory.monitors[place].hearing?.first
        else { return [] }
        var findings = contradict(place, at: now, clock)
        let reason: EventReason =
            memory.monitors[place].region.rule.isCompanion ? .coupled : .sighted
        let evidence = memory.monitors[place].evidenceOfOpening(way: memory.way)
        findings.append(
            memory.monitors[place].open(
                at: clock.time(first), since: first, reason: reason, evidence: evidence, clock))
        return findings
    }

    /// Whether it is clearly the strongest of the companions of its group that are heard.
    private func prevails(_ place: Int, at now: Uptime) -> Bool {
        let rivals = rivals(of: place, at: now)
        guard !rivals.isEmpty else { return true }
        guard let mine = memory.monitors[place].level?.mean else { return false }
        return rivals.allSatisfy { rival in
            rival.level.map { mine - $0.mean >= settings.groupMargin } ?? false
        }
    }

    private func rivals(of place: Int, at now: Uptime) -> [BeaconMonitor] {
        let region = memory.monitors[place].region
        guard region.rule.isCompanion, let group = region.rule.group else { return [] }
        return memory.monitors.indices.filter { $0 != place }.map { memory.monitors[$0] }.filter {
            $0.region.rule.group == group && $0.manual == nil
                && $0.isAudible(at: now, ear, settings)
                && ($0.hearing?.count ?? 0) >= $0.region.rule.sightings
        }
    }

    /// Ends a presence by hand of another companion of its group.
    private mutating func contradict(
        _ place: Int, at now: Uptime, _ clock: BeaconClock
    ) -> [BeaconFinding] {
        guard let group = memory.monitors[place].region.rule.group else { return [] }
        var findings: [BeaconFinding] = []
        for other in memory.monitors.indices where other != place {
            guard memory.monitors[other].region.rule.group == group,
                memory.monitors[other].manual?.isInside == true,
                let exit = memory.monitors[other].close(at: clock.time(now), reason: .coupled)
            else { continue }
            findings.append(exit)
        }
        return findings
    }

    /// Ends the presence by hand.
    mutating func takeBack(
        _ place: Int, at now: Uptime, _ clock: BeaconClock
    ) -> [BeaconFinding] {
        guard let manual = memory.monitors[place].manual else { return [] }
        memory.monitors[place].manual = nil
        // Earlier sightings belong to no stay.
        if !manual.isInside { memory.monitors[place].hearing = nil }
        // Heard now: continues as an ordinary stay, until it is silent.
        if !manual.isInside || memory.monitors[place].isAudible(at: now, ear, settings) {
            return memory.monitors[place].kept(at: clock.time(now), clock).map { [$0] } ?? []
        }
        return memory.monitors[place].close(at: clock.time(now), reason: .manual).map { [$0] } ?? []
    }

    /// Makes the decisions that are due at `now`. Called before and after each input; a second call
    /// changes nothing.
    /// - Parameter hasPosition: the position is known, so that path counts.
    mutating func decide(
        at now: Uptime, hasPosition: Bool, _ clock: BeaconClock
    ) -> [BeaconFinding] {
        guard let due = due(hasPosition: hasPosition), now >= due else { return [] }
        var findings: [BeaconFinding] = []
        if let due = lostDue, now >= due {
            memory.isLost = true
            let since = memory.radioSince ?? now
            findings.append(
                BeaconFinding(kind: .beaconsLost, time: clock.time(since + settings.lostAfter)))
        }
        for index in memory.monitors.indices {
            let monitor = memory.monitors[index]
            if let manual = monitor.manual {
                if manual.isInside,
                    let dwell = memory.monitors[index].dwell(at: min(now, manual.until), clock)
                {
                    findings.append(dwell)
                }
                if now >= manual.until { findings += takeBack(index, at: manual.until, clock) }
            }
            let due = monitor.due(way: memory.way, hasPosition: hasPosition, ear, settings)
            guard let due, now >= due, let last = monitor.hearing?.last ?? monitor.stay?.since
            else { continue }
            let evidence = monitor.evidenceOfSilence(
                at: now, way: memory.way, hasPosition: hasPosition, ear, settings)
            guard
                let exit = memory.monitors[index].close(
                    at: clock.time(last), reason: .silent, evidence: evidence)
            else { continue }
            findings.append(exit)
        }
        return findings
    }

    /// When the next decision of ``decide(at:hasPosition:_:)`` is due, without further input.
    mutating func due(hasPosition: Bool) -> Uptime? {
        guard !isEmpty else { return nil }
        if !dues.areKnown || dues.hasPosition != hasPosition {
            let times = memory.monitors.indices.map { due(at: $0, hasPosition: hasPosition) }
            dues.set(times, hasPosition: hasPosition)
        }
        return Uptime.earlier(lostDue, dues.earliest)
    }

    /// The same of one region.
    func due(at place: Int, hasPosition: Bool) -> Uptime? {
        let silent = memory.monitors[place].due(
            way: memory.way, hasPosition: hasPosition, ear, settings)
        guard let manual = memory.monitors[place].manual else { return silent }
        return Uptime.earlier(
            Uptime.earlier(manual.until, dwellDue(memory.monitors[place])), silent)
    }

    /// For a presence by hand; otherwise a dwell is proved by a sighting.
    private func dwellDue(_ monitor: BeaconMonitor) -> Uptime? {
        guard let stay = monitor.stay, !stay.dwellTold, monitor.region.dwell > .zero,
            monitor.manual?.isInside == true
        else { return nil }
        return stay.since + monitor.region.dwell
    }

    private var lostDue: Uptime? {
        guard memory.radio == .deaf, memory.hasListened, !memory.isLost,
            let since = memory.radioSince
        else { return nil }
        return since + settings.lostAfter + TimeSpan(nanoseconds: 1)
    }
}
