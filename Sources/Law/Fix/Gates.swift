package import Geodesy
package import Model
package import Time

/// Section 2 of the law: which fixes count. A refused fix changes nothing but its counter.
package struct Gates: Hashable, Sendable {
    /// A fix, and since when the receiver has reported exactly this position.
    package struct Standing: Hashable, Sendable {
        /// As it was received, with its error raised to the least there is.
        package var fix: Fix
        /// Its place on the ellipsoid.
        package var point: SurfacePoint
        var positionSince: UTCTime

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
        /// Fixes that were doubted and count from now on, oldest first. `isNewPath`: no segment joins
        /// the first of them to the fix before; `isRebased`: their time base is a new one.
        case released([Standing], isNewPath: Bool, isRebased: Bool)
    }

    var settings: GateSettings
    package internal(set) var counters = GateCounters()
    /// The last accepted fix.
    package internal(set) var last: Standing?
    /// Fixes too far from the last accepted one, each following from the one before.
    var held: [Standing] = []
    /// Fixes since the last accepted one whose time is of another base than its own, as they came.
    var strays: [Standing] = []
    var delays = LeastDelay()
    /// Number of re-bases so far.
    package internal(set) var rebases = 0

    package init(settings: GateSettings) { self.settings = settings }

    /// A reported speed above this is ignored, m/s.
    private static let mostSpeed = 1_000.0

    /// Judges one report; `now` is its arrival.
    package mutating func judge(_ report: PositionReport, at now: Uptime) -> Verdict {
        let verdict = admit(report, at: now)
        switch verdict {
        case .refused(let reason): counters[reason] += 1
        case .accepted: counters.accepted += 1
        case .released(let fixes, _, _): counters.accepted += UInt64(fixes.count)
        case .repeated, .held: break
        }
        return verdict
    }

    /// Counts what is still held at the end of a recording.
    mutating func finish() { dropHeld() }

    private mutating func admit(_ report: PositionReport, at now: Uptime) -> Verdict {
        guard report.hasFix, let coordinate = report.coordinate else { return .refused(.noFix) }
        guard coordinate.isValid, !isNowhere(coordinate) else { return .refused(.invalid) }
        guard let time = report.time else { return .refused(.noFix) }
        let fix = Fix(
            time: time, arrival: now, coordinate: coordinate, error: error(of: report),
            speed: report.speed.flatMap { (0...Self.mostSpeed).contains($0) ? $0 : nil },
            course: report.course.flatMap { $0.isFinite ? $0 : nil })
        guard let last else {
            _ = delays.note(fix.delay, at: now, window: settings.staleWindow)
            if fix.error > settings.errorLimit { return .refused(.inaccurate) }
            return accept(Standing(fix, point: SurfacePoint(coordinate), after: nil))
        }
        return admit(fix, after: last)
    }

    private mutating func admit(_ fix: Fix, after last: Standing) -> Verdict {
        let point = SurfacePoint(fix.coordinate)
        switch time(of: fix, after: last.fix) {
        case .repeated where fix.coordinate == last.fix.coordinate:
            return .repeated
        case .repeated:
            return admitStray(fix, at: point, reason: .duplicate, isFar: false)
        case .stray(let reason, let isFar):
            return admitStray(fix, at: point, reason: reason, isFar: isFar)
        case .onTime:
            let isPlausible = isPlausible(fix, at: point, after: last)
            if !isPlausible, isStray(fix, at: point, after: last) {
                return admitStray(fix, at: point, reason: .outOfOrder, isFar: false)
            }
            if !settings.arrivalIsDerived { noteDelay(of: fix, after: last.fix) }
            if !isPlausible { return witness(fix, at: point) }
            if fix.error > settings.errorLimit { return .refused(.inaccurate) }
            if isFrozen(fix, after: last) { return .refused(.frozen) }
            return accept(Standing(fix, point: point, after: last))
        }
    }

    /// Whether it is 0° 0°, which stands for no position, unless the last fix was within 1 km of it.
    @inline(__always)
    private func isNowhere(_ coordinate: Coordinate) -> Bool {
        coordinate.latitude == 0 && coordinate.longitude == 0
            && !(last.map { $0.point.distance(to: SurfacePoint(coordinate)) <= 1_000 } ?? false)
    }

    /// A fix of the right time in a place that cannot have been reached: compared with those held.
    private mutating func witness(_ fix: Fix, at point: SurfacePoint) -> Verdict {
        if let same = held.first(where: { $0.fix.time == fix.time }) {
            return same.fix.coordinate == fix.coordinate ? .repeated : .refused(.duplicate)
        }
        if let before = held.last, fix.time < before.fix.time { return .refused(.outOfOrder) }
        if fix.error > settings.errorLimit { return .refused(.inaccurate) }
        guard let before = held.last, isPlausible(fix, at: point, after: before) else {
            dropHeld()
            held = [Standing(fix, point: point, after: nil)]
            return .held
        }
        if isFrozen(fix, after: before) { return .refused(.frozen) }
        held.append(Standing(fix, point: point, after: before))
        guard held.count > settings.rebaseFixes else { return .held }
        let path = held
        held.removeAll()
        strays.removeAll()
        last = path.last
        return .released(path, isNewPath: true, isRebased: false)
    }

    // Inlined: a call of a method that does not change the gates would copy them first.
    /// Whether a vehicle can have come from `earlier`, which has an earlier time of the same base.
    @inline(__always)
    func isPlausible(_ fix: Fix, at point: SurfacePoint, after earlier: Standing) -> Bool {
        isPlausible(fix, at: point, after: earlier, in: fix.time - earlier.fix.time)
    }

    @inline(__always)
    func isPlausible(
        _ fix: Fix, at point: SurfacePoint, after earlier: Standing, in elapsed: TimeSpan
    ) -> Bool {
        let apart = point.distance(to: earlier.point) - fix.error - earlier.fix.error
        return apart <= speedLimit(fix, earlier.fix, elapsed) * elapsed.seconds
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

    @inline(__always)
    func isFrozen(_ fix: Fix, after earlier: Standing) -> Bool {
        fix.coordinate == earlier.fix.coordinate
            && fix.time - earlier.positionSince >= settings.frozenAfter
            && fix.speed ?? 0 > settings.frozenSpeed
    }

    mutating func dropHeld() {
        counters[.implausible] += UInt64(held.count)
        if !held.isEmpty { held.removeAll() }
    }

    private mutating func accept(_ standing: Standing) -> Verdict {
        dropHeld()
        if !strays.isEmpty { strays.removeAll() }
        last = standing
        return .accepted
    }

    private func error(of report: PositionReport) -> Double {
        guard let stated = report.error, stated.isFinite, stated > 0 else {
            return max(settings.defaultError, settings.errorFloor)
        }
        return max(stated, settings.errorFloor)
    }
}
