package import Geodesy
package import Time

/// Section 2 of the law: which fixes count. A refused fix changes nothing but its counter.
package struct Gates: Hashable, Sendable {
    /// A fix, and since when the receiver has reported exactly this position.
    package struct Standing: Hashable, Sendable {
        /// As it was received, with its error raised to the least there is.
        package var fix: Fix
        /// Its place on the ellipsoid.
        package var point: SurfacePoint
        var positionSince: ReceiverTime

        init(_ fix: Fix, point: SurfacePoint, after previous: Standing?) {
            self.fix = fix
            self.point = point
            if let previous, previous.fix.coordinate == fix.coordinate {
                positionSince = previous.positionSince
            } else {
                positionSince = fix.time
            }
        }
    }

    /// What the gates say of one report.
    package enum Verdict {
        case refused(Refusal)
        /// An epoch reported twice, as gpsd does: not counted.
        case repeated
        /// Kept back until others agree with it, or one disagrees.
        case held
        /// It is the ``Gates/last``.
        case accepted
        /// Held fixes that now count: no segment joins the first of them to the fix before.
        case newPath([Standing], rebased: Bool)
    }

    var settings: GateSettings
    package internal(set) var counters = GateCounters()
    /// The last accepted fix.
    package internal(set) var last: Standing?
    /// Fixes that do not follow from the last accepted one, each following from the one before.
    var held: [Standing] = []
    /// The held fixes began because of their time, not of their place.
    var heldForTime = false
    var delays = LeastDelay()
    /// Number of re-bases so far.
    package internal(set) var rebases = 0

    package init(settings: GateSettings) { self.settings = settings }

    /// Judges one report; `now` is its arrival.
    package mutating func judge(_ report: PositionReport, at now: Uptime) -> Verdict {
        let verdict = admit(report, at: now)
        switch verdict {
        case .refused(let reason): counters[reason] += 1
        case .accepted: counters.accepted += 1
        case .newPath(let fixes, _): counters.accepted += UInt64(fixes.count)
        case .repeated, .held: break
        }
        return verdict
    }

    /// Counts what is still held at the end of a recording.
    mutating func finish() { dropHeld() }

    private mutating func admit(_ report: PositionReport, at now: Uptime) -> Verdict {
        guard report.hasFix, let time = report.time, let coordinate = report.coordinate else {
            return .refused(.noFix)
        }
        guard coordinate.isValid else { return .refused(.invalid) }
        let fix = Fix(
            time: time, arrival: now, coordinate: coordinate, error: error(of: report),
            speed: report.speed.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil },
            course: report.course.flatMap { $0.isFinite ? $0 : nil })
        guard let last else {
            _ = delays.note(fix.delay, at: now, window: settings.staleWindow)
            if fix.error > settings.errorLimit { return .refused(.inaccurate) }
            return accept(Standing(fix, point: SurfacePoint(coordinate), after: nil))
        }
        return admit(fix, after: last)
    }

    /// How a fix relates to an earlier one.
    private enum Relation {
        case follows
        case sameEpoch
        case earlier
        /// Receiver time of another time base.
        case otherTime
        case tooFar
    }

    private mutating func admit(_ fix: Fix, after last: Standing) -> Verdict {
        let point = SurfacePoint(fix.coordinate)
        let relation = relation(of: fix, at: point, to: last)
        if let heldLast = held.last, relation != .follows,
            let verdict = witness(fix, at: point, of: heldLast, breaking: relation)
        {
            return verdict
        }
        switch relation {
        case .sameEpoch:
            return fix.coordinate == last.fix.coordinate ? .repeated : .refused(.duplicate)
        case .earlier:
            return .refused(.outOfOrder)
        case .otherTime:
            if fix.error > settings.errorLimit { return .refused(.inaccurate) }
            return hold(fix, at: point, forTime: true)
        case .follows, .tooFar:
            if isStale(fix) { return .refused(.stale) }
            if fix.error > settings.errorLimit { return .refused(.inaccurate) }
            if relation == .tooFar { return hold(fix, at: point, forTime: false) }
            if isFrozen(fix, after: last) { return .refused(.frozen) }
            dropHeld()
            return accept(Standing(fix, point: point, after: last))
        }
    }

    /// Compares a fix that does not follow from the last accepted one with the held ones. Nil when
    /// they do not decide about it.
    private mutating func witness(
        _ fix: Fix, at point: SurfacePoint, of heldLast: Standing, breaking relation: Relation
    ) -> Verdict? {
        if let same = held.first(where: { $0.fix.time == fix.time }) {
            return same.fix.coordinate == fix.coordinate ? .repeated : .refused(.duplicate)
        }
        switch self.relation(of: fix, at: point, to: heldLast) {
        case .follows:
            if heldForTime ? isStaleAmongHeld(fix) : isStale(fix) { return .refused(.stale) }
            if fix.error > settings.errorLimit { return .refused(.inaccurate) }
            if isFrozen(fix, after: heldLast) { return .refused(.frozen) }
            held.append(Standing(fix, point: point, after: heldLast))
            return held.count > settings.witnesses ? acceptHeld() : .held
        case .earlier:
            return relation == .otherTime || relation == .tooFar ? .refused(.outOfOrder) : nil
        case .sameEpoch, .otherTime, .tooFar:
            return nil
        }
    }

    // Inlined: a call of a method that does not change the gates would copy them first.
    @inline(__always)
    private func relation(
        of fix: Fix, at point: SurfacePoint, to earlier: Standing
    ) -> Relation {
        let elapsed = fix.time - earlier.fix.time
        if elapsed == .zero { return .sameEpoch }
        if elapsed < .zero {
            return -elapsed > settings.rebaseLimit ? .otherTime : .earlier
        }
        let lead = elapsed - (fix.arrival - earlier.fix.arrival)
        if !settings.arrivalIsDerived, lead > settings.rebaseLimit { return .otherTime }
        let apart = point.distance(to: earlier.point) - fix.error - earlier.fix.error
        if apart > speedLimit(fix, earlier.fix, elapsed) * elapsed.seconds { return .tooFar }
        return .follows
    }

    /// m/s that a vehicle may have gone at between two fixes.
    @inline(__always)
    private func speedLimit(_ a: Fix, _ b: Fix, _ elapsed: TimeSpan) -> Double {
        guard let reported = a.speed.map({ max($0, b.speed ?? $0) }) ?? b.speed else {
            return settings.speedLimit
        }
        let margin = max(settings.speedMargin, settings.acceleration * elapsed.seconds)
        return min(settings.speedLimit, reported + margin)
    }

    private mutating func isStale(_ fix: Fix) -> Bool {
        guard !settings.arrivalIsDerived else { return false }
        let least = delays.note(fix.delay, at: fix.arrival, window: settings.staleWindow)
        return fix.delay - least > settings.staleLimit
    }

    /// A new time base has a new delay: its fixes are measured against each other.
    private func isStaleAmongHeld(_ fix: Fix) -> Bool {
        guard !settings.arrivalIsDerived else { return false }
        return held.contains { fix.delay - $0.fix.delay > settings.staleLimit }
    }

    @inline(__always)
    private func isFrozen(_ fix: Fix, after earlier: Standing) -> Bool {
        fix.coordinate == earlier.fix.coordinate
            && fix.time - earlier.positionSince >= settings.frozenAfter
            && fix.speed ?? 0 > settings.frozenSpeed
    }

    private mutating func hold(_ fix: Fix, at point: SurfacePoint, forTime: Bool) -> Verdict {
        dropHeld()
        held = [Standing(fix, point: point, after: nil)]
        heldForTime = forTime
        return .held
    }

    private mutating func dropHeld() {
        guard !held.isEmpty else { return }
        counters[heldForTime ? .outOfOrder : .implausible] += UInt64(held.count)
        held.removeAll()
    }

    private mutating func accept(_ standing: Standing) -> Verdict {
        last = standing
        return .accepted
    }

    private mutating func acceptHeld() -> Verdict {
        var path = held
        if heldForTime {
            rebases += 1
            if settings.arrivalIsDerived {
                for index in path.indices.dropFirst() {
                    let first = path[0].fix
                    path[index].fix.arrival = first.arrival + (path[index].fix.time - first.time)
                }
            }
            delays = LeastDelay()
            for standing in path {
                let fix = standing.fix
                _ = delays.note(fix.delay, at: fix.arrival, window: settings.staleWindow)
            }
        }
        held.removeAll()
        last = path.last
        return .newPath(path, rebased: heldForTime)
    }

    private func error(of report: PositionReport) -> Double {
        guard let stated = report.error, stated.isFinite, stated > 0 else {
            return max(settings.defaultError, settings.errorFloor)
        }
        return max(stated, settings.errorFloor)
    }
}
