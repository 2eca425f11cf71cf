import Geodesy
package import Model
import Time

// The approach of a hazard.
extension RegionMonitor {
    /// Judges the step to the next accepted fix. `isQuiet` as in ``ApproachJudgement``.
    mutating func judgeApproach(
        _ passage: Passage, in state: ApproachState, _ rules: ApproachRules, isQuiet: Bool
    ) -> [Transition] {
        guard let approach = entry.approach else { return [] }
        // Measured only where it says something: on an approach its lines do.
        var distance: Double?
        defer {
            lastDistance = isIdle ? distance ?? entry.signedDistance(to: passage.point) : nil
            isTouched = lastDistance ?? 0 <= 0
        }
        var progress = ApproachProgress()
        switch state {
        case .near(let known): progress = known
        case .unknown, .away:
            machine = .approach(.away)
            let measured = entry.signedDistance(to: passage.point)
            distance = measured
            // Outside the area no leg can be matched.
            guard measured <= 0 else { return [] }
        }
        guard let movement = passage.movement else {
            guard case .near = state else { return [] }
            if case .newPath = passage.link { progress.beginAnew() }
            // Nothing is reckoned from a fix that was not judged.
            progress.place?.speed = 0
            machine = .approach(ApproachState(progress))
            guard let movement = passage.certainWay else { return [] }
            return judge(passage, approach, progress, movement, rules, isQuiet) { $0.runUnjudged() }
        }
        return judge(passage, approach, progress, movement, rules, isQuiet) { $0.run() }
    }

    private mutating func judge(
        _ passage: Passage, _ approach: Approach, _ progress: ApproachProgress,
        _ movement: Movement, _ rules: ApproachRules, _ isQuiet: Bool,
        _ run: (inout ApproachJudgement) -> Void
    ) -> [Transition] {
        var judgement = ApproachJudgement(
            rules: rules, passage: passage, movement: movement, area: entry.area,
            approach: approach, lineBoxes: entry.lineBoxes, progress: progress, isQuiet: isQuiet)
        rules.inHand(entry.id) { run(&judgement) }
        machine = .approach(ApproachState(judgement.progress))
        return judgement.findings.map { Transition($0) }
    }

    /// The vehicle is another: judged at once at the last accepted fix. One that did not fit
    /// `before` either is judged by driving on.
    package mutating func judgeVehicle(
        _ rules: ApproachRules, before: ApproachRules, at last: Fix
    ) -> [Transition] {
        guard case .approach(.near(var progress)) = machine, let approach = entry.approach else {
            return []
        }
        let shortfall = rules.shortfall(approach.limits)
        guard let shortfall else {
            guard progress.stage != nil else { return [] }
            progress.stage = nil
            progress.began = nil
            machine = .approach(ApproachState(progress))
            return [
                Transition(kind: .clear, stay: 0, time: last.time, reason: .vehicleChanged)
            ]
        }
        guard before.shortfall(approach.limits) == nil,
            progress.isConfirmed, progress.offWay == 0, let place = progress.place,
            progress.isPlausible || outlook(at: place, rules) == .ahead,
            let due = dueStage(approach, place, bestFixes: progress.run?.bestFixes ?? 0, rules),
            due.rawValue > progress.stage?.rawValue ?? 0,
            due == .advisory || shortfall.limit != nil
        else { return [] }
        progress.stage = due
        if progress.began == nil { progress.began = last.time }
        machine = .approach(ApproachState(progress))
        return [
            Transition(
                kind: due.kind, stay: 0, time: last.time, reason: .vehicleChanged,
                details: rules.details(
                    approach, shortfall, at: place, on: last.time, onRoute: true))
        ]
    }

    /// What the route says of this hazard.
    private func outlook(
        at place: ApproachProgress.Place, _ rules: ApproachRules
    ) -> RouteOutlook {
        guard let approach = entry.approach else { return .none }
        return rules.outlook(approach, toGo: place.toGo)
    }

    private func dueStage(
        _ approach: Approach, _ place: ApproachProgress.Place, bestFixes: Int,
        _ rules: ApproachRules
    ) -> ApproachStage? {
        switch approach.course {
        case .legs(let legs):
            guard legs.indices.contains(place.leg) else { return nil }
            return rules.stage(
                on: legs[place.leg], toGo: place.toGo, speed: place.speed, slowing: nil,
                bestFixes: bestFixes, isQuiet: false, outlook(at: place, rules))
        case .cone:
            let due = rules.coneStage(distance: place.toGo, bearing: 0, speed: place.speed)
            let outlook = outlook(at: place, rules)
            return due == .advisory && outlook != .none && outlook != .ahead ? nil : due
        }
    }

    // MARK: Without fixes

    /// What falls due if no fix comes after `last`.
    func approachDue(
        in state: ApproachState, after last: Fix, _ rules: ApproachRules
    ) -> Due? {
        guard case .near(let progress) = state else { return nil }
        if let after = reckonedUrgent(progress, rules) {
            return Due(.urgent(after: after), at: last.arrival + after)
        }
        guard progress.stage != nil else { return nil }
        return Due(.approachLost, at: last.arrival + lostAfter(progress))
    }

    private func lostAfter(_ progress: ApproachProgress) -> TimeSpan {
        guard let place = progress.place, let legs = entry.approach?.legs,
            legs.indices.contains(place.leg)
        else { return ApproachRules.leastLost }
        return ApproachRules.lostAfter(on: legs[place.leg], toGo: place.toGo)
    }

    /// When the vehicle, going on at its speed, comes to where `urgent` is due; nil where it does
    /// not within 30 s.
    private func reckonedUrgent(_ progress: ApproachProgress, _ rules: ApproachRules) -> TimeSpan? {
        guard progress.isConfirmed, progress.offWay == 0, progress.stage != .urgent,
            let place = progress.place, let approach = entry.approach,
            place.speed >= Movement.leastSpeed,
            let shortfall = rules.shortfall(approach.limits), shortfall.limit != nil
        else { return nil }
        let outlook = outlook(at: place, rules)
        guard progress.isPlausible || outlook == .ahead, outlook != .behind else { return nil }
        let legs = approach.legs
        var index: Int? = place.leg
        for _ in legs.indices {
            guard let leg = index.flatMap({ legs.indices.contains($0) ? legs[$0] : nil }) else {
                return nil
            }
            let toGo = min(
                rules.urgentToGo(on: leg.seen(outlook), speed: place.speed),
                place.toGo)
            if toGo >= leg.endToGo {
                let after = TimeSpan.seconds(max(place.toGo - toGo, 0) / place.speed)
                guard after <= ApproachRules.reckoningUntil else { return nil }
                return max(after, ApproachRules.reckoningFrom)
            }
            guard place.toGo - leg.endToGo <= ApproachRules.reckoningUntil.seconds * place.speed
            else { return nil }
            index = leg.next
        }
        return nil
    }

    /// Makes a decision of ``approachDue(in:after:_:)``; `last` is the last accepted fix.
    mutating func decideApproach(
        _ decision: TimedDecision, in state: ApproachState, last: Fix, _ rules: ApproachRules
    ) -> [Transition] {
        guard let approach = entry.approach, case .near(var progress) = state else { return [] }
        switch decision {
        case .urgent(let after):
            guard var place = progress.place, let shortfall = rules.shortfall(approach.limits)
            else { return [] }
            place.toGo -= place.speed * after.seconds
            place.leg = leg(at: place, of: approach.legs)
            let time = last.time + after
            progress.stage = .urgent
            if progress.began == nil { progress.began = time }
            machine = .approach(ApproachState(progress))
            return [
                Transition(
                    kind: .urgent, stay: 0, time: time, reason: progress.origin,
                    inferred: true,
                    details: rules.details(
                        approach, shortfall, at: place, on: time, onRoute: true))
            ]
        case .approachLost:
            let time = last.time + lostAfter(progress)
            let details = rules.details(approach, progress, on: time)
            machine = .approach(.away)
            return [
                Transition(
                    kind: .clear, stay: 0, time: time, reason: .positionLost, details: details)
            ]
        case .settle, .dwell, .close, .overstay:
            return []
        }
    }

    /// The leg that the vehicle has come to from `place.leg`, with as much to go.
    private func leg(at place: ApproachProgress.Place, of legs: [Approach.Leg]) -> Int {
        var index = place.leg
        for _ in legs.indices {
            guard legs.indices.contains(index), legs[index].endToGo > place.toGo,
                let next = legs[index].next
            else { break }
            index = next
        }
        return index
    }

    // MARK: Ends

    /// The end of what was said of the hazard, for another reason than driving, nil for when it was
    /// said; nothing where nothing was said.
    func endingApproach(
        _ progress: ApproachProgress, at time: UTCTime?, reason: EventReason,
        rules: ApproachRules
    ) -> [Transition] {
        guard progress.stage != nil, let approach = entry.approach,
            let time = time ?? progress.began
        else { return [] }
        return [
            Transition(
                kind: .clear, stay: 0, time: time, reason: reason,
                details: rules.details(approach, progress, on: time))
        ]
    }
}

extension Transition {
    /// The same of an approach.
    fileprivate init(_ finding: ApproachFinding) {
        self.init(
            kind: finding.stage.map(\.kind) ?? .clear, stay: 0, time: finding.time,
            reason: finding.reason, inferred: finding.inferred, details: finding.details)
    }
}
