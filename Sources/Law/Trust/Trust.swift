package import Geodesy
package import Model
package import Time

/// Whether the position is believed: section 2 of the law. It follows from the accepted fixes and
/// the ignition alone, before any fence is judged.
package struct Trust: Hashable, Sendable {
    /// A position that is not believed.
    package struct Doubt: Hashable, Sendable {
        /// The last fix that was believed: where the vehicle was.
        package var old: Fix
        /// Since when the fixes have agreed among themselves, receiver time.
        var since: UTCTime
        /// From this fix on the vehicle moves, if it does.
        var start: Fix
    }

    /// A time without accepted fixes.
    struct Hole: Hashable, Sendable {
        /// The last fix before it; nil where that is not known.
        var before: Fix?
        /// Receiver time of the first fix after it.
        var first: UTCTime
        /// The same of the last hole that counts as one with it.
        var end: UTCTime
    }

    /// What becomes of an accepted fix.
    package enum Verdict: Hashable, Sendable {
        /// It is judged.
        case believed
        /// With it the position becomes doubtful: it is not judged.
        case doubted
        /// The position is doubtful, and stays so.
        case doubtful
        /// With it the position is believed again, where the vehicle was: it is judged, and goes on
        /// with the path.
        case back
        /// With it the position is believed again, elsewhere: it is judged, and begins a new path.
        case elsewhere
    }

    /// Nil while the position is believed.
    package var doubt: Doubt?
    /// The last accepted fix, believed or not; nil before the first of this boot.
    var last: Fix?
    /// Whether the vehicle stands, by the fixes that are believed.
    var standing = Standstill()
    /// The last hole in the fixes.
    var hole: Hole?

    package init() {}

    /// The position is not believed at present.
    @inline(__always)
    var isDoubtful: Bool { if case .some = doubt { true } else { false } }

    /// Takes the next accepted fix.
    /// - Parameters:
    ///   - isJump: no vehicle can have come there from the last accepted fix.
    ///   - isOff: the ignition is off.
    ///   - isJammed: the receiver says that it is jammed.
    package mutating func judge(
        _ fix: Fix, at point: SurfacePoint, isJump: Bool, isOff: Bool, isJammed: Bool,
        rules: TrustRules
    ) -> Verdict {
        let before = last
        last = fix
        let isJoined = before.map { fix.time - $0.time <= rules.pathGap } ?? false
        if !isJoined { note(holeUntil: fix.time, after: before, rules) }
        if doubt != nil {
            let verdict = judge(
                fix, at: point, isNew: isJump || before == nil, isJoined: isJoined,
                isJammed: isJammed, rules)
            guard verdict != .doubtful else { return verdict }
            doubt = nil
            if verdict == .elsewhere { standing = Standstill() }
            standing.note(fix, at: point)
            return verdict
        }
        if isJump, let before, isDoubtful(fix, at: point, after: before, isOff, rules) {
            doubt = Doubt(old: before, since: fix.time, start: fix)
            return .doubted
        }
        standing.note(fix, at: point)
        return .believed
    }

    /// Holes that follow each other closely are one: in between the receiver has not been sure.
    private mutating func note(
        holeUntil time: UTCTime, after before: Fix?, _ rules: TrustRules
    ) {
        if let hole, before != nil, time - hole.first <= rules.waking {
            self.hole?.end = time
        } else {
            hole = Hole(before: before, first: time, end: time)
        }
    }

    private func isWaking(at time: UTCTime, _ rules: TrustRules) -> Bool {
        hole.map { time - $0.end <= rules.waking } ?? false
    }

    /// Whether the jump is of a vehicle that has no reason to move.
    private func isDoubtful(
        _ fix: Fix, at point: SurfacePoint, after last: Fix, _ isOff: Bool, _ rules: TrustRules
    ) -> Bool {
        guard rules.agreement > .zero, !fix.isWithin(rules.radius, of: last, at: point) else {
            return false
        }
        let stands = standing.since.map { last.time - $0 >= rules.settle } ?? false
        guard isOff || stands else { return false }
        guard let hole, isWaking(at: fix.time, rules) else { return true }
        // The fixes since the hole may have been the wrong ones.
        guard let before = hole.before else { return false }
        let old = Gates.Standing(before, point: SurfacePoint(before.coordinate), after: nil)
        return !Gates(settings: rules.gates).isPlausible(fix, at: point, after: old)
    }

    /// A fix of a doubtful position.
    private mutating func judge(
        _ fix: Fix, at point: SurfacePoint, isNew: Bool, isJoined: Bool, isJammed: Bool,
        _ rules: TrustRules
    ) -> Verdict {
        guard var doubt else { return .believed }
        if fix.isWithin(rules.radius, of: doubt.old, at: point) { return .back }
        if isNew || isJammed { doubt.since = fix.time }
        let isSlow = fix.speed.map { $0 <= rules.movingSpeed } ?? false
        if isNew || !isJoined || isSlow { doubt.start = fix }
        self.doubt = doubt
        let hasMoved =
            fix.time - doubt.start.time >= rules.settle
            && !fix.isWithin(rules.radius, of: doubt.start, at: point)
        return hasMoved || fix.time - doubt.since >= rules.agreement ? .elsewhere : .doubtful
    }

    /// The event of the verdict of that fix; nil where there is none.
    func event(_ verdict: Verdict, _ fix: Fix, at point: SurfacePoint) -> Event? {
        switch verdict {
        case .doubtful, .believed: return nil
        case .doubted:
            var event = Event.position(.positionDoubtful, time: fix.time, fix: fix)
            event.distance = doubt.map { point.distance(to: SurfacePoint($0.old.coordinate)) }
            return event
        case .back: return .position(.positionTrusted, time: fix.time, fix: fix)
        case .elsewhere:
            var event = Event.position(.positionTrusted, time: fix.time, fix: fix)
            event.reason = .jump
            return event
        }
    }

    /// Goes on after a power cut; `old` is ``Doubt/old``, if the position was doubtful.
    mutating func resume(doubtAfter old: Fix?) {
        doubt = old.map { Doubt(old: $0, since: $0.time, start: $0) }
    }

    /// A re-base: translates the stored receiver times to the new time base.
    package mutating func shift(by span: TimeSpan) {
        last?.shift(by: span)
        standing.shift(by: span)
        if let hole {
            self.hole?.first = hole.first + span
            self.hole?.end = hole.end + span
            self.hole?.before?.shift(by: span)
        }
        if let doubt {
            self.doubt?.since = doubt.since + span
            self.doubt?.old.shift(by: span)
            self.doubt?.start.shift(by: span)
        }
    }
}

extension Fix {
    /// Whether it may lie within `radius` m of an earlier fix, by the errors of both.
    fileprivate func isWithin(
        _ radius: Double, of earlier: Fix, at point: SurfacePoint
    ) -> Bool {
        let way = point.distance(to: SurfacePoint(earlier.coordinate))
        return way - error - earlier.error <= radius
    }

    fileprivate mutating func shift(by span: TimeSpan) { time = time + span }
}
