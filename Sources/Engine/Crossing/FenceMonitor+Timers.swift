import Geodesy
package import Time

// What is decided when fixes have stopped.
extension FenceMonitor {
    /// A decision that a timer makes when no fix comes.
    package enum TimedDecision: Hashable, Sendable {
        case settle, dwell
        /// By dead reckoning, so long after the last fix.
        case urgent(after: TimeSpan)
        /// On an approach: no fix for too long.
        case approachLost
        /// The hours of the fence end, or are looked up further.
        case close(at: ReceiverTime)
        /// The stay reaches its longest permitted time.
        case overstay
    }

    /// The next decision and when it falls due, if no further fix is accepted after `last`.
    package func due(
        after last: Fix, law: Law
    ) -> (at: Uptime, what: TimedDecision)? {
        let due = crossingDue(after: last, law: law)
        guard entry.hasTerms else { return due }
        return earlier(
            earlier(due, overstayDue(after: last, law: law)),
            closingDue(after: last, law: law))
    }

    /// The same for a fence within its hours.
    private func crossingDue(
        after last: Fix, law: Law
    ) -> (at: Uptime, what: TimedDecision)? {
        let grace = last.arrival + law.crossing.settle + law.crossing.settleGrace
        switch state {
        case .outside(let pending?):
            guard let settling = pending.settling, settling.fixes >= 2 else { return nil }
            return (grace, .settle)
        case .inside(let stay):
            if let settling = stay.settling, settling.fixes >= 2 { return (grace, .settle) }
            guard entry.fence.dwell > .zero, !stay.dwellTold, lastDistance ?? 1 <= 0 else {
                return nil
            }
            let complete = last.arrival + (stay.began + entry.fence.dwell - last.time)
            return (max(complete, grace), .dwell)
        case .approaching(let progress):
            return approachDue(progress, after: last, rules: law.approaches)
        case .unknown, .outside(nil):
            return nil
        }
    }

    /// The same for a fence without terms.
    mutating func decideCrossing(
        _ what: TimedDecision, last: Fix, law: Law
    ) -> [Transition] {
        if case .close(let time) = what {
            guard !isOpen(at: time) else {
                extend(from: last.time, to: time)
                return []
            }
            return close(at: time, law: law)
        }
        if case .approaching(let progress) = state {
            return decide(what, on: progress, last: last, rules: law.approaches)
        }
        let distance = lastDistance ?? 0
        func evidence(_ settling: Settling?, proofBound: Double? = nil) -> Evidence {
            CrossingRules(settings: law.crossing).evidence(
                entry.area.clearance(at: SurfacePoint(last.coordinate)), error: last.error,
                proofBound: proofBound, settled: settling?.agreement(at: last.time))
        }
        switch (state, what) {
        case (.outside(let pending?), .settle):
            state = .inside(
                Stay(
                    began: pending.crossedIn, proofBound: distance + last.error,
                    hasFixInside: true))
            return [
                Transition(
                    kind: .enter, stay: 1, time: pending.crossedIn, reason: .settled,
                    distance: distance, evidence: evidence(pending.settling))
            ]
        case (.inside(let stay), .settle):
            state = .outside(nil)
            return stay.ending(
                at: stay.crossedOut ?? last.time, reason: .settled, distance: distance,
                dwell: entry.fence.dwell, ordinal: 0,
                evidence: evidence(stay.settling, proofBound: stay.proofBound))
        case (.inside(var stay), .dwell):
            stay.dwellTold = true
            state = .inside(stay)
            return [
                Transition(
                    kind: .dwell, stay: 0, time: stay.began + entry.fence.dwell,
                    distance: distance)
            ]
        default:
            return []
        }
    }
}
