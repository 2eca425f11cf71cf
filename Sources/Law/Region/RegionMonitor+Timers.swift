import Geodesy
package import Model
package import Time

// What is decided when fixes have stopped.
extension RegionMonitor {
    /// A decision that a timer makes when no fix comes.
    package enum TimedDecision: Hashable, Sendable {
        case settle, dwell
        /// By dead reckoning, so long after the last fix.
        case urgent(after: TimeSpan)
        /// On an approach: no fix for too long.
        case approachLost
        /// The hours of the fence end, or are looked up further.
        case close(at: UTCTime)
        /// The stay reaches its longest permitted time.
        case overstay
    }

    /// A decision, and when it falls due.
    package struct Due {
        /// What is decided.
        package var decision: TimedDecision
        /// By the clock of the inputs.
        package var at: Uptime

        init(_ decision: TimedDecision, at: Uptime) {
            self.decision = decision
            self.at = at
        }
    }

    /// The next decision, if no further fix is accepted after `last`.
    package func due(after last: Fix, law: LawNumbers) -> Due? {
        let due =
            switch machine {
            case .crossing(let state): crossingDue(in: state, after: last, law.crossing)
            case .approach(let state): approachDue(in: state, after: last, law.approaches)
            }
        guard entry.hasTerms else { return due }
        return [due, overstayDue(after: last, law.crossing), closingDue(after: last, law.crossing)]
            .compactMap(\.self).min { $0.at < $1.at }
    }

    /// Makes a decision that has fallen due; `last` is the last accepted fix.
    package mutating func decide(
        _ decision: TimedDecision, last: Fix, law: LawNumbers
    ) -> [Transition] {
        switch decision {
        case .overstay:
            return decideOverstay()
        case .close(let time):
            return followed(decideClose(at: time, last: last, law: law), seenUntil: last.time)
        case .settle, .dwell, .urgent, .approachLost:
            break
        }
        let found =
            switch machine {
            case .crossing(let state):
                decideCrossing(decision, in: state, last: last, law.crossing)
            case .approach(let state):
                decideApproach(decision, in: state, last: last, law.approaches)
            }
        // It has arrived.
        if presence == .inside { arrival = nil }
        return followed(untilOver(found), seenUntil: last.time)
    }
}
