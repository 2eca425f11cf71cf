import Geodesy
import Time

// Hours: outside them a fence is treated as absent.
extension FenceMonitor {
    /// Judges the step to the next accepted fix for a fence with hours or an end, by the time of
    /// the receiver.
    ///
    /// A stay that was open when the hours ended, ends then. If the hours have begun since the
    /// previous fix, the presence is unknown until this fix, as for a fence that was added.
    mutating func judgeInHours(
        _ passage: Passage, law: Law, announcer: Announcer
    ) -> [Transition] {
        let time = passage.to.time
        let wasOpen = passage.before.map { isOpen(at: $0.time) } ?? true
        // After a power cut the clock may be earlier than the beginning of the open stay.
        let since = min(passage.since ?? openedAt ?? time, time)
        let closed = firstClosed(from: since, through: time)
        var found: [Transition] = []
        if let closed {
            found = close(at: closed, law: law)
        }
        lookUp(time)
        guard isOpen(at: time) else {
            rest(passage)
            return found
        }
        if closed != nil || !wasOpen { state = .unknown }
        return found
            + judgeCrossings(
                passage, law: law, announcer: announcer)
    }

    /// When the open stay or approach began; nil if there is none.
    private var openedAt: ReceiverTime? {
        switch state {
        case .inside(let stay): stay.began
        case .approaching(let progress): progress.began
        case .unknown, .outside: nil
        }
    }

    /// Ends the open stay or approach.
    mutating func close(
        at time: ReceiverTime, law: Law
    ) -> [Transition] {
        let reason = hasExpired(by: time) ? EventReason.expired : .schedule
        let before = state
        defer { state = .outside(nil) }
        switch before {
        case .inside(let stay):
            return stay.ending(
                at: max(time, stay.began), reason: reason, distance: lastDistance ?? 0,
                dwell: stay.crossedOut == nil ? entry.fence.dwell : .zero, ordinal: 0)
        case .approaching:
            return endingApproach(
                at: max(time, approachBegan), reason: reason, rules: law.approaches)
        case .unknown, .outside:
            return []
        }
    }

    /// The end of the hours, judged like a dwell: at the later of its time and the time at which a
    /// settle would be decided, so that fixes decide as long as they come.
    func closingDue(
        after last: Fix, law: Law
    ) -> (at: Uptime, what: TimedDecision)? {
        guard entry.isTimed, openedAt != nil else { return nil }
        let time = isOpen(at: last.time) ? closes(after: last.time) : last.time
        guard let time else { return nil }
        let grace = last.arrival + law.crossing.settle + law.crossing.settleGrace
        return (max(last.arrival + (time - last.time), grace), .close(at: time))
    }

    /// The decision that falls due first; of two at the same time the first one.
    func earlier(
        _ a: (at: Uptime, what: TimedDecision)?, _ b: (at: Uptime, what: TimedDecision)?
    ) -> (at: Uptime, what: TimedDecision)? {
        guard let a, let b else { return a ?? b }
        return b.at < a.at ? b : a
    }
}

extension CatalogueEntry {
    /// Whether it has hours or an end.
    var isTimed: Bool { hours != nil || expires != nil }
    /// Whether it can end by itself.
    @inline(__always)
    var mayEnd: Bool { hasTerms && (expires != nil || isOnce) }
}
