import Geodesy
import Model
import Time

// The crossings of an area.
extension RegionMonitor {
    /// Judges the step to the next accepted fix.
    @inline(__always)
    mutating func judgeCrossing(
        _ passage: Passage, in state: CrossingState, _ settings: CrossingSettings
    ) -> [Transition] {
        let area = entry.area
        let end = area.clearance(at: passage.point)
        let distance = end.signedDistance
        defer { lastDistance = distance }
        isTouched = false
        if case .unknown = state {
            let transitions = judgeFirst(passage, distance)
            isTouched = !isIdle || area.isTouched(by: passage, end: distance)
            return transitions
        }
        var before: Double?
        if case .path(let path) = passage.link {
            let start = lastDistance ?? area.signedDistance(to: path.start)
            if isIdle, start + distance - path.length > 2 * PathProfile.slack(path.length) {
                return []
            }
            before = start
        } else if isIdle, distance > 0 {
            return []
        }
        var judgement = Judgement(
            rules: CrossingRules(settings: settings), passage: passage, area: area,
            dwell: entry.fence.dwell, end: end, state: state, way: way)
        judgement.run(from: before)
        machine = .crossing(judgement.state)
        way = judgement.way
        let transitions = judgement.transitions
        isTouched = !isIdle || !transitions.isEmpty || area.isTouched(by: passage, end: distance)
        return transitions
    }

    private mutating func judgeFirst(_ passage: Passage, _ distance: Double) -> [Transition] {
        guard distance <= 0 else {
            machine = .crossing(.outside(nil))
            way = nil
            return []
        }
        let stay = Stay(
            began: passage.to.time, proofBound: distance + passage.to.error, hasFixInside: true)
        machine = .crossing(.inside(stay))
        way = StayWay(from: passage.driven.after, error: passage.to.error)
        return [
            Transition(
                kind: .enter, stay: 1, time: passage.to.time, reason: .initial,
                distance: distance)
        ]
    }

    /// The area was edited around a stay, which goes on if the last accepted fix lies in it.
    mutating func editStay(_ stay: Stay, last: JudgedFix?) -> [Transition] {
        var stay = stay
        stay.settling = nil
        guard let last, let distance = lastDistance else {
            machine = .crossing(.inside(stay))
            return []
        }
        guard distance <= 0 else {
            machine = .crossing(.outside(nil))
            defer { way = nil }
            return stay.ending(
                at: last.fix.time, reason: .fenceChanged, distance: distance, dwell: .zero,
                ordinal: 0, way: way)
        }
        stay.crossedOut = nil
        stay.hasFixInside = true
        stay.beginProof(distance + last.fix.error)
        way?.cross(inwards: true, at: last.driven)
        machine = .crossing(.inside(stay))
        return []
    }

    // MARK: Without fixes

    /// What falls due if no fix comes after `last`.
    func crossingDue(
        in state: CrossingState, after last: Fix, _ settings: CrossingSettings
    ) -> Due? {
        let grace = last.arrival + settings.timedDecision
        switch state {
        case .unknown, .outside(nil):
            return nil
        case .outside(let pending?):
            guard let settling = pending.settling, settling.fixes >= 2 else { return nil }
            return Due(.settle, at: grace)
        case .inside(let stay):
            if let settling = stay.settling, settling.fixes >= 2 {
                return Due(.settle, at: grace)
            }
            guard entry.fence.dwell > .zero, !stay.dwellTold, lastDistance ?? 1 <= 0 else {
                return nil
            }
            let complete = last.arrival + (stay.began + entry.fence.dwell - last.time)
            return Due(.dwell, at: max(complete, grace))
        }
    }

    /// Makes a decision of ``crossingDue(in:after:_:)``; `last` is the last accepted fix.
    mutating func decideCrossing(
        _ decision: TimedDecision, in state: CrossingState, last: Fix,
        _ settings: CrossingSettings
    ) -> [Transition] {
        let distance = lastDistance ?? 0
        func evidence(_ settling: Settling?, proofBound: Double? = nil) -> Evidence {
            CrossingRules(settings: settings).evidence(
                entry.area.clearance(at: SurfacePoint(last.coordinate)), error: last.error,
                proofBound: proofBound, settled: settling?.agreement(at: last.time))
        }
        switch (state, decision) {
        case (.outside(let pending?), .settle):
            way?.error = last.error
            machine = .crossing(
                .inside(
                    Stay(
                        began: pending.crossedIn, proofBound: distance + last.error,
                        hasFixInside: true)))
            return [
                Transition(
                    kind: .enter, stay: 1, time: pending.crossedIn, reason: .settled,
                    distance: distance, driven: way?.origin,
                    evidence: evidence(pending.settling))
            ]
        case (.inside(let stay), .settle):
            machine = .crossing(.outside(nil))
            defer { way = nil }
            return stay.ending(
                at: stay.crossedOut ?? last.time, reason: .settled, distance: distance,
                dwell: entry.fence.dwell, ordinal: 0, way: way,
                evidence: evidence(stay.settling, proofBound: stay.proofBound))
        case (.inside(var stay), .dwell):
            stay.dwellTold = true
            machine = .crossing(.inside(stay))
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

extension Area {
    /// Does the passage touch the area? `end` is the signed distance where it ends.
    fileprivate func isTouched(by passage: Passage, end: Double) -> Bool {
        guard end > 0 else { return true }
        guard case .path(let path) = passage.link else { return false }
        return meets(path)
    }
}

extension Stay {
    /// The end of this stay: its dwell, if it lasted that long and has not been recorded, and its
    /// exit.
    func ending(
        at time: UTCTime, reason: EventReason, distance: Double, dwell: TimeSpan,
        ordinal: Int, way: StayWay?, evidence: Evidence? = nil
    ) -> [Transition] {
        let length = max(time - began, .zero)
        var transitions: [Transition] = []
        if dwell > .zero, !dwellTold, length >= dwell {
            transitions.append(
                Transition(
                    kind: .dwell, stay: ordinal, time: began + dwell, distance: distance))
        }
        transitions.append(
            Transition(
                kind: .exit, stay: ordinal, time: time, reason: reason,
                inferred: !hasFixInside, distance: distance, length: length, driven: way?.out,
                way: way, evidence: evidence))
        return transitions
    }
}
