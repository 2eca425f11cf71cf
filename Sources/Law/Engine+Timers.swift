import Geodesy
import Model
import Time

// Each part has what it decides when no fix has come, and times of the receiver: here they are listed.
extension Engine {
    /// The next decision that falls due if no fix comes after the last accepted one. While fixes
    /// wait for the store, fixes have not stopped: no region decides before they have been judged.
    /// It is mutating only so that the compiler copies no engine for it, 2.7 KB three times a fix.
    private mutating func nextDue() -> Uptime? {
        let lost = reception.due(after: gates.last?.fix.arrival, lostAfter)
        guard regions.due != nil || parking.isWatching || trips.isOpen, isCaughtUp else {
            return lost
        }
        let (last, since) = (way.last?.fix, way.standing.since)
        let wait = settings.crossing.timedDecision
        var due = Uptime.earlier(lost, regions.due)
        due = .earlier(due, parking.due(after: last, standingSince: since, wait: wait))
        return .earlier(
            due,
            trips.due(
                after: last, standingSince: since, ignition: parking.ignition, settings.trips,
                wait: wait))
    }

    /// Without an accepted fix for longer, the position is lost.
    @inline(__always)
    private var lostAfter: TimeSpan { way.pace.hole(atLeast: settings.gates.lostAfter) }

    /// Makes what is decided then; `last` is the last accepted fix, nil between fixes that are judged
    /// together: they have not stopped.
    private mutating func fire(at due: Uptime, last: Fix?, _ directives: inout [Directive]) {
        let (since, wait) = (way.standing.since, settings.crossing.timedDecision)
        let isArmed =
            last != nil
            && parking.fire(at: due, after: way.last?.fix, standingSince: since, wait: wait)
        var findings = regions.fire(at: due, after: way.judged, law, &catalogue)
        findings.ofVehicle = isArmed
        if let last {
            let ended = trips.fire(
                at: due, way, ignition: parking.ignition, settings.trips, wait: wait
            ) { [regions] in regions.place }
            findings.events += ended.events
            findings.ofVehicle = isArmed || ended.ofVehicle
            if let lost = reception.fire(at: due, after: last, lostAfter) {
                findings.events.append(lost)
            }
        }
        record(findings, isNeeded: true, &directives)
    }

    /// A re-base: translates every stored receiver time to the new time base, so that durations agree
    /// with monotonic time.
    mutating func shift(by span: TimeSpan, _ directives: inout [Directive]) {
        way.shift(by: span)
        trust.shift(by: span)
        parking.shift(by: span)
        trips.shift(by: span)
        queue.shift(by: span)
        catalogue.shift(by: span)
        guard regions.window != nil else { return }
        regions.shift(by: span)
        approaches.shift(by: span)
        beacons.shift(by: span)
        noteRegionsDue()
        let stays = regions.openStays + beacons.openStays(beaconClock)
        record(Findings(opened: stays), isNeeded: trips.isOpen, &directives)
    }

    /// Asks to be woken for what is due next, and to ask the store again when it failed.
    ///
    /// Every fix puts the next decision off. A wake-up that comes too early does no harm, so an
    /// earlier one is kept until half its time is over: while fixes come nothing wakes up, and the
    /// timer is set only now and then.
    mutating func noteWake(at now: Uptime, _ directives: inout [Directive]) {
        var next = Uptime.earlier(nextDue(), queue.due)
        if !beacons.isEmpty { next = .earlier(next, beacons.due(hasPosition: hasPosition)) }
        guard next != wake else { return }
        if let next, let wake, wake > now, wake < next {
            let left = wake - now
            guard next - now > left + left else { return }
        }
        wake = next
        directives.append(.wake(at: next))
    }

    /// Every accepted fix has been judged, or is not to be.
    @inline(__always)
    private var isCaughtUp: Bool {
        if gates.last?.fix == way.last?.fix { return true }
        return trust.isDoubtful && queue.isJudged
    }

    /// To be called whenever the state of a region, or what it is measured by, has changed.
    mutating func noteRegionsDue() { regions.noteDue(after: way.last?.fix, law) }

    /// A fix and a timer at the same instant: the fix first.
    mutating func fireTimers(before now: Uptime, _ directives: inout [Directive]) {
        while let due = nextDue(), due < now {
            fire(at: due, last: gates.last?.fix, &directives)
        }
    }

    mutating func fireTimers(upTo now: Uptime, _ directives: inout [Directive]) {
        while let due = nextDue(), due <= now {
            fire(at: due, last: gates.last?.fix, &directives)
        }
    }

    /// Held fixes are accepted together but lie apart in time: what falls due between two of them
    /// is decided between them. `position-lost` was recorded before, 30 s after the last accepted
    /// fix, and is not repeated for each gap among them.
    mutating func fireTimers(beforeJudging fix: Fix, _ directives: inout [Directive]) {
        while let due = regions.due, due < fix.arrival {
            fire(at: due, last: nil, &directives)
        }
    }
}
