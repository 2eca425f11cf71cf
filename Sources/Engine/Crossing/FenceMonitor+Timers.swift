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
        after last: Fix, settings: CrossingSettings, approaches: ApproachRules
    ) -> (at: Uptime, what: TimedDecision)? {
        let due = crossingDue(after: last, settings: settings, approaches: approaches)
        guard entry.hasTerms else { return due }
        return earlier(
            earlier(due, overstayDue(after: last, settings: settings)),
            closingDue(after: last, settings: settings))
    }

    /// The same for a fence within its hours.
    private func crossingDue(
        after last: Fix, settings: CrossingSettings, approaches: ApproachRules
    ) -> (at: Uptime, what: TimedDecision)? {
        let grace = last.arrival + settings.settle + settings.settleGrace
        switch state {
        case .outside(let approach?):
            guard let settling = approach.settling, settling.fixes >= 2 else { return nil }
            return (grace, .settle)
        case .inside(let stay):
            if let settling = stay.settling, settling.fixes >= 2 { return (grace, .settle) }
            guard entry.fence.dwell > .zero, !stay.dwellTold, lastDistance ?? 1 <= 0 else {
                return nil
            }
            let complete = last.arrival + (stay.began + entry.fence.dwell - last.time)
            return (max(complete, grace), .dwell)
        case .approaching(let progress):
            return approachDue(progress, after: last, rules: approaches)
        case .unknown, .outside(nil):
            return nil
        }
    }

    /// The same for a fence without terms.
    mutating func decideCrossing(
        _ what: TimedDecision, last: Fix, settings: CrossingSettings, approaches: ApproachRules
    ) -> [Transition] {
        if case .close(let time) = what {
            guard !isOpen(at: time) else {
                extend(from: last.time, to: time)
                return []
            }
            return close(at: time, approaches: approaches)
        }
        if case .approaching(let progress) = state {
            return decide(what, on: progress, last: last, rules: approaches)
        }
        let distance = lastDistance ?? 0
        func evidence(_ settling: Settling?, proofBound: Double? = nil) -> Evidence {
            CrossingRules(settings: settings).evidence(
                entry.area.clearance(at: SurfacePoint(last.coordinate)), error: last.error,
                proofBound: proofBound, settled: settling?.agreement(at: last.time))
        }
        switch (state, what) {
        case (.outside(let approach?), .settle):
            state = .inside(
                Stay(
                    began: approach.crossedIn, proofBound: distance + last.error,
                    hasFixInside: true))
            return [
                Transition(
                    kind: .enter, stay: 1, time: approach.crossedIn, reason: .settled,
                    distance: distance, evidence: evidence(approach.settling))
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
