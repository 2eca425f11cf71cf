import Geodesy
import Model
import Time

// What is decided when no fix has come.
extension Engine {
    /// The next decision that falls due if no fix comes after the last accepted one. While fixes
    /// wait for the store, fixes have not stopped: no region decides before they have been judged.
    /// It is mutating only so that the compiler copies no engine for it, 2.7 KB three times a fix.
    private mutating func nextDue() -> Uptime? {
        let lost = lostDue(after: gates.last?.fix.arrival)
        guard regionsDue != nil || parking.isWatching || parking.hasTrip, isCaughtUp else {
            return lost
        }
        return Uptime.earlier(
            Uptime.earlier(regionsDue, Uptime.earlier(armingDue, tripDue)), lost)
    }

    /// Every accepted fix has been judged, or is not to be.
    @inline(__always)
    private var isCaughtUp: Bool {
        if gates.last?.fix == motion.last?.fix { return true }
        return isPositionDoubtful && isJudged
    }

    /// No fix waits to be judged.
    @inline(__always)
    var isJudged: Bool { !works.contains { if case .judge = $0 { true } else { false } } }

    /// "More than" 30 s: the first moment after them. Never before the first fix.
    @inline(__always)
    private func lostDue(after last: Uptime?) -> Uptime? {
        guard !isPositionLost, let last, let last = rest.waits(since: last) else { return nil }
        return last + settings.gates.lostAfter + TimeSpan(nanoseconds: 1)
    }

    /// To be called whenever the state of a region, or what it is measured by, has changed.
    mutating func noteRegionsDue() {
        regionsDue = nil
        guard let window, let last = motion.last?.fix else { return }
        let law = law
        for index in window.regions.indices where !window.regions[index].isIdle {
            let due = window.regions[index].due(
                after: last, law: law)
            regionsDue = Uptime.earlier(regionsDue, due?.at)
        }
    }

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
        while let due = regionsDue, due < fix.arrival {
            fire(at: due, last: nil, &directives)
        }
    }

    private mutating func fire(
        at due: Uptime, last: Fix?, _ directives: inout [Directive]
    ) {
        // Between fixes that are judged together they have not stopped.
        let isArmed = last != nil && armingDue == due
        if isArmed { armWithoutFix() }
        let endsTrip = last != nil && tripDue == due
        var events: [Event] = []
        var order = EventOrder()
        if var window, let judged = motion.last?.fix {
            let law = law
            for (index, region) in window.regions.enumerated() {
                let next = region.due(
                    after: judged, law: law)
                guard let next, next.at == due else { continue }
                let found = window.regions[index].decide(
                    next.decision, last: judged, law: law)
                order.add(found, of: window.regions[index])
            }
            order.changes.spent = noteSpent(window.regions, at: nil)
            self.window = window
            noteRegionsDue()
            events = order.events(judged, driven: odometer.reading)
        }
        if endsTrip, let event = endTripUnseen() { events.append(event) }
        if let last, lostDue(after: last.arrival) == due {
            isPositionLost = true
            let waited = max((rest.ended ?? last.arrival) - last.arrival, .zero)
            events.append(
                .position(
                    .positionLost, time: last.time + waited + settings.gates.lostAfter, fix: last))
        }
        record(events, order.changes, parking: isArmed || endsTrip ? parking : nil, &directives)
    }

    /// Asks to be woken for what is due next, and to ask the store again when it failed.
    ///
    /// Every fix puts the next decision off. A wake-up that comes too early does no harm, so an
    /// earlier one is kept until half its time is over: while fixes come nothing wakes up, and the
    /// timer is set only now and then.
    mutating func noteWake(at now: Uptime, _ directives: inout [Directive]) {
        var next = Uptime.earlier(nextDue(), beaconsDue())
        if !works.isEmpty { next = Uptime.earlier(next, backOff.until) }
        guard next != wake else { return }
        if let next, let wake, wake > now, wake < next {
            let left = wake - now
            guard next - now > left + left else { return }
        }
        wake = next
        directives.append(.wake(at: next))
    }
}
