import Geodesy
import Time

/// Judges one fence on one passage: first the path in order, then the fix at its end.
///
/// Between two crossings of the boundary the side does not change. Each such stretch is searched
/// for the first point that meets a rule of section 3; from there on it is judged with the new
/// presence.
struct Judgement {
    let rules: CrossingRules
    let passage: Passage
    let area: Area
    let dwell: TimeSpan
    /// Clearance at the fix.
    let end: Clearance
    private(set) var state: FenceMonitor.State
    private(set) var transitions: [FenceMonitor.Transition] = []
    /// Stays opened on this passage.
    private var stays = 0
    /// Index of the opening of the present stay, if it was on this passage.
    private var opening: Int?
    /// Index of the last exit on this passage, as long as the path has not come back inside, and
    /// whether its stay had a fix inside.
    private var leaving: (exit: Int, hadFixInside: Bool)?

    init(
        rules: CrossingRules, passage: Passage, area: Area, dwell: TimeSpan, end: Clearance,
        state: FenceMonitor.State
    ) {
        self.rules = rules
        self.passage = passage
        self.area = area
        self.dwell = dwell
        self.end = end
        self.state = state
    }

    /// `before` is the signed distance at the start of the path, if there is a path.
    mutating func run(from before: Double?) {
        switch passage.link {
        case .path(let path):
            walk(
                PathProfile(
                    area: area, path: path, start: before ?? end.signedDistance,
                    end: end.signedDistance))
        case .gap:
            cross(gap: true)
        case .newPath:
            cross(gap: false)
        }
        judgeFix()
        judgeDwell()
        markInferred()
    }
}

// MARK: - The path

extension Judgement {
    /// A part of the path on one side of the boundary.
    private struct Stretch {
        var range: ClosedRange<Double>
        var isInside: Bool
    }

    /// Two proofs no further apart than this are at the same point, m.
    private static var tie: Double { 0.0005 }

    private mutating func walk(_ profile: PathProfile) {
        var isInside = profile.start <= 0
        var start = 0.0
        if isInside, state == .outside(nil), let from = passage.from {
            // The area was edited around the vehicle: it counts as a crossing inwards.
            state = .outside(
                PendingEnter(crossedIn: from.time, deepest: profile.start, hasFixInside: true))
        }
        var crossings = profile.crossings
        // The sign at the fix decides: a crossing that rounding puts just before the end is
        // judged with the fix.
        if (crossings.count % 2 == 0) != (isInside == (end.signedDistance <= 0)) {
            crossings.append(1)
        }
        for crossing in crossings {
            let at = max(crossing, start)
            follow(profile, Stretch(range: start...at, isInside: isInside))
            isInside.toggle()
            crossBoundary(inwards: isInside, at: passage.time(at: at))
            start = at
        }
        follow(profile, Stretch(range: start...1, isInside: isInside))
    }

    private mutating func crossBoundary(inwards: Bool, at time: ReceiverTime) {
        if inwards { leaving = nil }
        switch state {
        case .outside(let approach) where inwards:
            // A settle looks at fixes alone: the path in between does not end it.
            state = .outside(
                PendingEnter(
                    crossedIn: time, deepest: .infinity, settling: approach?.settling))
        case .outside(var approach?):
            approach.run = 0
            state = .outside(approach)
        case .inside(var stay):
            stay.crossedOut = inwards ? nil : time
            stay.hasFixOutside = false
            state = .inside(stay)
        case .outside(nil), .unknown, .approaching:
            break
        }
    }

    private mutating func follow(_ profile: PathProfile, _ stretch: Stretch) {
        var range = stretch.range
        if case .outside(let approach?) = state, stretch.isInside {
            guard let proven = prove(approach, profile, stretch) else { return }
            range = proven...range.upperBound
        }
        guard case .inside(let stay) = state else { return }
        if stretch.isInside {
            let error = passage.pathError
            let deepest = profile.deepest(in: range, below: stay.proofBound - error)
            lowerProofBound(deepest.signedDistance + error)
        } else {
            leave(profile, in: range)
        }
    }

    /// Looks for the first point of an inside stretch that proves the enter; counts the run when
    /// there is none.
    private mutating func prove(
        _ approach: PendingEnter, _ profile: PathProfile, _ stretch: Stretch
    ) -> Double? {
        let error = passage.pathError
        let (start, length) = (stretch.range.lowerBound, profile.path.length)
        let certain = profile.first(in: stretch.range) {
            rules.marginToCertainEnter($0, error: error)
        }
        let middle = (start + stretch.range.upperBound) / 2
        let inner = profile.clearance(at: middle)
        let needed = rules.runToProve(inner.inradius, error: error) - approach.run
        let metres = (stretch.range.upperBound - start) * length
        let deepest = min(approach.deepest, profile.deepest(in: stretch.range).signedDistance)
        var path: Double?
        if passage.isMoving, needed <= metres {
            path =
                length > 0 ? min(start + max(needed, 0) / length, stretch.range.upperBound) : start
        }
        // Head-on, a metre of run is a metre of depth: both rules are met at the same point, to
        // rounding.
        if let proof = certain, (proof - (path ?? .infinity)) * length <= Self.tie {
            open(
                approach, reason: .certain, distance: end.signedDistance,
                rules.evidence(profile.clearance(at: proof), error: error))
            return proof
        }
        if let proof = path {
            open(
                approach, reason: .path, distance: deepest,
                rules.evidence(
                    inner, distance: deepest, error: error, run: approach.run + metres))
            return proof
        }
        var running = approach
        running.run += metres
        running.deepest = deepest
        state = .outside(running)
        return nil
    }

    /// Looks for the first point of an outside stretch that proves the exit.
    private mutating func leave(_ profile: PathProfile, in range: ClosedRange<Double>) {
        let error = passage.pathError
        // U falls until the nearest point of the stretch and is constant from there on.
        let nearest = profile.deepest(in: range)
        if certainExit(profile, in: range.lowerBound...nearest.fraction) { return }
        lowerProofBound(nearest.signedDistance + error)
        _ = certainExit(profile, in: nearest.fraction...range.upperBound)
    }

    private mutating func certainExit(
        _ profile: PathProfile, in range: ClosedRange<Double>
    ) -> Bool {
        guard case .inside(let stay) = state else { return false }
        let (rules, error) = (rules, passage.pathError)
        // The rule says "more than", the search finds "0 or less": a tiny amount is added.
        let proof = profile.first(in: range) { at in
            rules.exitThreshold(at.inradius, proofBound: stay.proofBound) + error
                - at.signedDistance + 1e-9
        }
        guard let proof else { return false }
        close(
            stay, reason: .certain,
            rules.evidence(
                profile.clearance(at: proof), error: error, proofBound: stay.proofBound))
        return true
    }
}

// MARK: - The fix

extension Judgement {
    /// Across a gap, and on a new path, no crossing was seen: it is dated to the fix.
    private mutating func cross(gap: Bool) {
        let (isInside, time) = (end.signedDistance <= 0, passage.to.time)
        switch state {
        case .outside(var approach?) where gap && isInside:
            approach.run = 0
            state = .outside(approach)
        case .outside:
            state = .outside(
                isInside ? PendingEnter(crossedIn: time, deepest: end.signedDistance) : nil)
        case .inside(var stay):
            if !gap { stay.settling = nil }
            if isInside {
                stay.crossedOut = nil
            } else if !gap || stay.crossedOut == nil {
                stay.crossedOut = time
            }
            state = .inside(stay)
        case .unknown, .approaching:
            break
        }
    }

    private mutating func judgeFix() {
        if let leaving, end.signedDistance > 0 {
            transitions[leaving.exit].inferred = !leaving.hadFixInside
        }
        switch state {
        case .outside(let approach):
            judgeEnter(approach)
        case .inside(var stay):
            stay.proofBound = min(stay.proofBound, end.signedDistance + passage.to.error)
            stay.hasFixInside = stay.hasFixInside || end.signedDistance <= 0
            stay.hasFixOutside = end.signedDistance > 0
            if stay.hasFixInside, let opening { transitions[opening].inferred = false }
            state = .inside(stay)
            judgeExit(stay)
        case .unknown, .approaching:
            break
        }
    }

    private mutating func judgeEnter(_ known: PendingEnter?) {
        guard end.signedDistance <= 0 else {
            state = .outside(nil)
            return
        }
        let error = passage.to.error
        var approach =
            known ?? PendingEnter(crossedIn: passage.to.time, deepest: end.signedDistance)
        approach.deepest = min(approach.deepest, end.signedDistance)
        approach.hasFixInside = true
        approach.settling = Settling.next(
            approach.settling, at: passage.to.time,
            isSupport: rules.supportsEnter(end, error: error))
        if rules.isCertainlyInside(end, error: error) {
            open(
                approach, reason: .certain, distance: end.signedDistance,
                rules.evidence(end, error: error))
        } else if let settled = settled(approach.settling) {
            open(
                approach, reason: .settled, distance: end.signedDistance,
                rules.evidence(end, error: error, settled: settled))
        } else {
            state = .outside(approach)
            return
        }
        lowerProofBound(end.signedDistance + error)
    }

    private mutating func judgeExit(_ known: Stay) {
        let error = passage.to.error
        if rules.isCertainlyOutside(end, error: error, proofBound: known.proofBound) {
            close(
                known, reason: .certain,
                rules.evidence(end, error: error, proofBound: known.proofBound))
            return
        }
        var stay = known
        stay.settling = Settling.next(
            stay.settling, at: passage.to.time,
            isSupport: rules.supportsExit(end, error: error, proofBound: stay.proofBound))
        if let settled = settled(stay.settling) {
            close(
                stay, reason: .settled,
                rules.evidence(
                    end, error: error, proofBound: stay.proofBound, settled: settled))
        } else {
            state = .inside(stay)
        }
    }

    /// How long the fixes have agreed; nil as long as that is not enough.
    private func settled(_ settling: Settling?) -> TimeSpan? {
        guard let settling, settling.fixes >= 2 else { return nil }
        let agreement = settling.agreement(at: passage.to.time)
        return agreement >= rules.settings.settle ? agreement : nil
    }

    private mutating func judgeDwell() {
        guard case .inside(var stay) = state, dwell > .zero, !stay.dwellTold else { return }
        let until = stay.crossedOut ?? passage.to.time
        guard until - stay.began >= dwell else { return }
        stay.dwellTold = true
        state = .inside(stay)
        transitions.append(
            FenceMonitor.Transition(
                kind: .dwell, stay: stays, time: stay.began + dwell,
                distance: end.signedDistance))
    }
}

// MARK: - The transitions

extension Judgement {
    /// An opening is inferred unless a fix of its run or stay, up to the end of the passage, lies
    /// inside; the last is not known yet.
    private mutating func open(
        _ approach: PendingEnter, reason: EventReason, distance: Double, _ evidence: Evidence
    ) {
        stays += 1
        state = .inside(
            Stay(
                began: approach.crossedIn, proofBound: rules.settings.unknownProofBound,
                hasFixInside: approach.hasFixInside))
        opening = transitions.count
        transitions.append(
            FenceMonitor.Transition(
                kind: .opening, stay: stays, time: approach.crossedIn, reason: effective(reason),
                inferred: !approach.hasFixInside, distance: distance, evidence: evidence))
    }

    /// An exit is inferred when its stay had no fix inside, or no fix has been outside since the
    /// way out; the end of the passage may still be one.
    private mutating func close(_ stay: Stay, reason: EventReason, _ evidence: Evidence) {
        state = .outside(nil)
        transitions += stay.ending(
            at: stay.crossedOut ?? passage.to.time, reason: effective(reason),
            distance: end.signedDistance, dwell: dwell, ordinal: stays, evidence: evidence)
        let exit = transitions.count - 1
        transitions[exit].inferred = !stay.hasFixInside || !stay.hasFixOutside
        leaving = (exit, stay.hasFixInside)
        opening = nil
    }

    private mutating func lowerProofBound(_ bound: Double) {
        guard case .inside(var stay) = state else { return }
        stay.proofBound = min(stay.proofBound, bound)
        state = .inside(stay)
    }

    private func effective(_ reason: EventReason) -> EventReason {
        if case .newPath(let origin) = passage.link { return origin }
        return reason
    }

    /// Nothing is known of what happened between the end of one path and the beginning of the next.
    private mutating func markInferred() {
        guard case .newPath = passage.link else { return }
        for index in transitions.indices where transitions[index].kind != .dwell {
            transitions[index].inferred = true
        }
    }
}
