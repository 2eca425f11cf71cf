import Geodesy

// What is decided because no fix came.
extension Engine {
    /// The next decision that falls due without a fix.
    private var nextDue: Uptime? {
        // While fixes wait for the store, fixes have not stopped.
        let pending = isWaitingToJudge ? [] : timed
        return (pending.map(\.due.at) + [lostDue(after: gates.last?.fix)].compactMap { $0 }).min()
    }

    /// "More than" 30 s: the first moment after them. Never before the first fix.
    private func lostDue(after last: Fix?) -> Uptime? {
        guard !isPositionLost, let last else { return nil }
        return last.arrival + settings.gates.lostAfter + TimeSpan(nanoseconds: 1)
    }

    /// Regions with something pending since the last judged fix.
    private var timed: [(index: Int, due: (at: Uptime, what: FenceMonitor.Due))] {
        guard let window, let last = motion.last else { return [] }
        return window.regions.enumerated().compactMap { index, region in
            guard !region.isIdle else { return nil }
            return region.due(after: last.fix, settings: settings.crossing).map { (index, $0) }
        }
    }

    private var isWaitingToJudge: Bool {
        works.contains {
            if case .judge = $0 { return true }
            return false
        }
    }

    /// A fix and a timer at the same instant: the fix first.
    mutating func fireTimers(before now: Uptime, _ directives: inout [Directive]) {
        while let due = nextDue, due < now { fire(at: due, last: gates.last?.fix, &directives) }
    }

    mutating func fireTimers(upTo now: Uptime, _ directives: inout [Directive]) {
        while let due = nextDue, due <= now { fire(at: due, last: gates.last?.fix, &directives) }
    }

    /// Held fixes are accepted together and yet stand apart: what falls due between two of them is
    /// decided between them.
    mutating func fireTimers(beforeJudging fix: Fix, _ directives: inout [Directive]) {
        while let last = motion.last?.fix,
            let due = (timed.map(\.due.at) + [lostDue(after: last)].compactMap { $0 }).min(),
            due < fix.arrival
        {
            fire(at: due, last: last, &directives)
        }
    }

    private mutating func fire(
        at due: Uptime, last: Fix?, _ directives: inout [Directive]
    ) {
        var events: [Event] = []
        var told = EventOrder()
        if var window, let judged = motion.last?.fix {
            for region in timed where region.due.at == due {
                let found = window.regions[region.index].decide(region.due.what, last: judged)
                told.add(found, of: window.regions[region.index])
            }
            self.window = window
            events = told.events(judged)
        }
        if let last, lostDue(after: last) == due {
            isPositionLost = true
            events.append(
                .position(
                    .positionLost, time: last.time + settings.gates.lostAfter, fix: last))
        }
        record(events, told.changes, &directives)
    }

    /// Asks to be woken for what is due next, and for the store when it failed.
    mutating func noteWake(_ directives: inout [Directive]) {
        var next = nextDue
        if !works.isEmpty, let retry = backOff.until {
            next = next.map { min($0, retry) } ?? retry
        }
        guard next != wake else { return }
        wake = next
        directives.append(.wake(at: next))
    }
}
