import Geodesy
import Model

// What a judgement on crossings decides: a stay begins or ends, and how that is reported.
extension Judgement {
    /// An opening is inferred unless a fix of its run or stay, up to the end of the passage, lies
    /// inside; the last is not known yet.
    mutating func open(
        _ pending: PendingEnter, reason: EventReason, distance: Double, _ evidence: Evidence
    ) {
        stays += 1
        way?.error = passage.pathError
        state = .inside(
            Stay(
                began: pending.crossedIn, proofBound: rules.settings.unknownProofBound,
                hasFixInside: pending.hasFixInside))
        opening = transitions.count
        transitions.append(
            Transition(
                kind: .enter, stay: stays, time: pending.crossedIn, reason: effective(reason),
                inferred: !pending.hasFixInside, distance: distance, driven: way?.origin,
                evidence: evidence))
    }

    /// An exit is inferred when its stay had no fix inside, or no fix has been outside since the
    /// way out; the end of the passage may still be one.
    mutating func close(_ stay: Stay, reason: EventReason, _ evidence: Evidence) {
        state = .outside(nil)
        defer { way = nil }
        transitions += stay.ending(
            at: stay.crossedOut ?? passage.to.time, reason: effective(reason),
            distance: end.signedDistance, dwell: dwell, ordinal: stays, way: way,
            evidence: evidence)
        let exit = transitions.count - 1
        transitions[exit].inferred = !stay.hasFixInside || !stay.hasFixOutside
        leaving = (exit, stay.hasFixInside)
        opening = nil
    }

    /// The vehicle was certainly no further out than `bound`, m: U of the present stay, if there is
    /// one, is no larger.
    mutating func lowerProofBound(_ bound: Double) {
        guard case .inside(var stay) = state else { return }
        stay.lower(to: bound)
        state = .inside(stay)
    }

    private func effective(_ reason: EventReason) -> EventReason {
        if case .newPath(let origin) = passage.link { return origin }
        return reason
    }

    /// Nothing is known of what happened between the end of one path and the beginning of the next.
    mutating func markInferred() {
        guard case .newPath = passage.link else { return }
        for index in transitions.indices where transitions[index].kind != .dwell {
            transitions[index].inferred = true
        }
    }
}
