import Geodesy
import Model
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
    var state: CrossingState
    /// Of the pending enter or the stay.
    var way: StayWay?
    var transitions: [Transition] = []
    /// Stays opened on this passage.
    var stays = 0
    /// Index of the opening of the present stay, if it was on this passage.
    var opening: Int?
    /// Index of the last exit on this passage, as long as the path has not come back inside, and
    /// whether its stay had a fix inside.
    var leaving: (exit: Int, hadFixInside: Bool)?

    init(
        rules: CrossingRules, passage: Passage, area: Area, dwell: TimeSpan, end: Clearance,
        state: CrossingState, way: StayWay?
    ) {
        self.rules = rules
        self.passage = passage
        self.area = area
        self.dwell = dwell
        self.end = end
        self.state = state
        self.way = way
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
            way = StayWay(from: passage.driven.before, error: from.error)
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
            crossBoundary(inwards: isInside, at: at)
            start = at
        }
        follow(profile, Stretch(range: start...1, isInside: isInside))
    }

    private mutating func crossBoundary(inwards: Bool, at fraction: Double) {
        let (time, driven) = (passage.time(at: fraction), passage.driven.reading(at: fraction))
        if inwards { leaving = nil }
        way?.cross(inwards: inwards, at: driven)
        switch state {
        case .outside(let pending) where inwards:
            // A settle looks at fixes alone: the path in between does not end it.
            state = .outside(
                PendingEnter(
                    crossedIn: time, deepest: .infinity, settling: pending?.settling))
            way = StayWay(from: driven, error: passage.pathError)
        case .outside(var pending?):
            pending.run = 0
            state = .outside(pending)
        case .inside(var stay):
            stay.crossedOut = inwards ? nil : time
            stay.hasFixOutside = false
            state = .inside(stay)
        case .outside(nil), .unknown:
            break
        }
    }

    private mutating func follow(_ profile: PathProfile, _ stretch: Stretch) {
        var range = stretch.range
        if case .outside(let pending?) = state, stretch.isInside {
            guard let proven = prove(pending, profile, stretch) else { return }
            range = proven...range.upperBound
        }
        guard case .inside(let stay) = state else { return }
        if stretch.isInside {
            guard stay.proofBound > 0 else { return }
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
        _ pending: PendingEnter, _ profile: PathProfile, _ stretch: Stretch
    ) -> Double? {
        let error = passage.pathError
        let (start, length) = (stretch.range.lowerBound, profile.path.length)
        let certain = profile.first(in: stretch.range) {
            rules.marginToCertainEnter($0, error: error)
        }
        let middle = (start + stretch.range.upperBound) / 2
        let inner = profile.clearance(at: middle)
        let needed = rules.runToProve(inner.inradius, error: error) - pending.run
        let metres = (stretch.range.upperBound - start) * length
        let deepest = min(pending.deepest, profile.deepest(in: stretch.range).signedDistance)
        var path: Double?
        if passage.isMoving, needed <= metres {
            path =
                length > 0 ? min(start + max(needed, 0) / length, stretch.range.upperBound) : start
        }
        // Head-on, a metre of run is a metre of depth: both rules are met at the same point, to
        // rounding.
        if let proof = certain, (proof - (path ?? .infinity)) * length <= Self.tie {
            open(
                pending, reason: .certain, distance: end.signedDistance,
                rules.evidence(profile.clearance(at: proof), error: error))
            return proof
        }
        if let proof = path {
            open(
                pending, reason: .path, distance: deepest,
                rules.evidence(
                    inner, distance: deepest, error: error, run: pending.run + metres))
            return proof
        }
        var running = pending
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
        case .outside(var pending?) where gap && isInside:
            pending.run = 0
            state = .outside(pending)
        case .outside:
            state = .outside(
                isInside ? PendingEnter(crossedIn: time, deepest: end.signedDistance) : nil)
            way = isInside ? StayWay(from: passage.driven.after, error: passage.to.error) : nil
        case .inside(var stay):
            if !gap { stay.settling = nil }
            if isInside {
                stay.crossedOut = nil
            } else if !gap || stay.crossedOut == nil {
                stay.crossedOut = time
            }
            way?.cross(inwards: isInside, at: passage.driven.after)
            state = .inside(stay)
        case .unknown:
            break
        }
    }

    private mutating func judgeFix() {
        if let leaving, end.signedDistance > 0 {
            transitions[leaving.exit].inferred = !leaving.hadFixInside
        }
        switch state {
        case .outside(let pending):
            judgeEnter(pending)
        case .inside(var stay):
            stay.lower(to: end.signedDistance + passage.to.error)
            stay.hasFixInside = stay.hasFixInside || end.signedDistance <= 0
            stay.hasFixOutside = end.signedDistance > 0
            if stay.hasFixInside, let opening { transitions[opening].inferred = false }
            state = .inside(stay)
            judgeExit(stay)
        case .unknown:
            break
        }
    }

    private mutating func judgeEnter(_ known: PendingEnter?) {
        guard end.signedDistance <= 0 else {
            state = .outside(nil)
            way = nil
            return
        }
        if known == nil { way = StayWay(from: passage.driven.after, error: passage.to.error) }
        let error = passage.to.error
        var pending =
            known ?? PendingEnter(crossedIn: passage.to.time, deepest: end.signedDistance)
        pending.deepest = min(pending.deepest, end.signedDistance)
        pending.hasFixInside = true
        pending.settling = Settling.next(
            pending.settling, at: passage.to.time,
            isSupport: rules.supportsEnter(end, error: error))
        if rules.isCertainlyInside(end, error: error) {
            open(
                pending, reason: .certain, distance: end.signedDistance,
                rules.evidence(end, error: error))
        } else if let settled = settled(pending.settling) {
            open(
                pending, reason: .settled, distance: end.signedDistance,
                rules.evidence(end, error: error, settled: settled))
        } else {
            state = .outside(pending)
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
            Transition(
                kind: .dwell, stay: stays, time: stay.began + dwell,
                distance: end.signedDistance))
    }
}
