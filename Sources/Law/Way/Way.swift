import Geodesy
import Model
import Time

/// How the vehicle has come to the last judged fix, by which every other part judges: sections 3 and
/// 13 of the law.
struct Way: Hashable, Sendable {
    /// The last judged fixes.
    var motion = Motion()
    /// Whether the vehicle stands.
    var standing = Standstill()
    /// How far it has been driven.
    var odometer = Odometer()
    /// How often fixes come.
    var pace = Pace()
    /// The next fix that is believed is the first after a power cut: its events have the reason
    /// `restart`.
    var isRestarted = false
    /// What the wheels say at the report that is being taken: it counts for its fix alone, if that is
    /// judged at once.
    var wheels: WheelReading?

    /// The last judged fix; nil before the first.
    @inline(__always)
    var last: Motion.Mark? { motion.last }

    /// The same, with what the odometer shows there.
    var judged: JudgedFix? { JudgedFix(last, driven: odometer.reading) }

    // Inlined, like every method that reads a part at every fix: a call of a method that does not
    // change it would copy all of it first.
    /// What will lead to the next fix; `newPath` is why no path does.
    @inline(__always)
    func link(
        to fix: Fix, at point: SurfacePoint, newPath: EventReason?, _ settings: WaySettings
    ) -> Passage.Link {
        if let newPath { return .newPath(newPath) }
        guard let last else { return .newPath(.initial) }
        let apart = fix.time - last.fix.time
        guard apart <= pace.hole(atLeast: settings.pathGap) else { return .gap }
        return .path(PathSegment(from: last.point, to: point))
    }

    /// Takes the next fix that is judged; `wheels` is what they say at it. `leastHole` is the least that
    /// any hole is by the settings.
    @inline(__always)
    mutating func note(
        _ fix: Fix, at point: SurfacePoint, _ link: Passage.Link, wheels: WheelReading?,
        leastHole: TimeSpan, _ settings: WaySettings
    ) -> WayStep {
        let before = last?.fix
        let shown = odometer.reading
        if let last, Standstill.hasMoved(from: last.fix, at: last.point, to: fix, at: point) {
            pace.note(fix.time - last.fix.time, floor: leastHole)
        }
        var seen = link
        if case .path = link, let before, fix.time - before.time > settings.pathGap { seen = .gap }
        var isNewPath = false
        if case .newPath = link { isNewPath = true }
        motion.append(fix, at: point, newPath: isNewPath, window: settings.movingWindow)
        standing.note(
            fix, at: point, wheels: wheels, isCarried: motion.isCarried(wheels, settings))
        odometer.drive(
            seen, to: fix, at: point, standing: standing, motion: &motion, wheels: wheels,
            settings)
        return WayStep(
            link: link, seen: seen, before: before, to: fix, point: point,
            standingSince: standing.since,
            driven: DrivenStep(before: shown, after: odometer.reading),
            wheels: wheels)
    }

    /// The last step with all that the regions judge.
    mutating func passage(_ step: WayStep, _ settings: WaySettings) -> Passage {
        Passage(
            link: step.link, from: step.from, to: step.to, point: step.point,
            isMoving: motion.isMovingAtEitherEnd(settings), step: motion.step(settings),
            before: step.before.map { .init($0) }, pathSpeed: motion.pathSpeed(settings),
            standingSince: step.standingSince, driven: step.driven, wheels: step.wheels)
    }

    /// What the vehicle does at the last judged fix, by the receiver alone.
    func movement(_ settings: WaySettings) -> Movement? {
        last.flatMap { Movement($0.fix, motion.step(settings)) }
    }

    /// A re-base: translates the receiver times to the new time base.
    mutating func shift(by span: TimeSpan) {
        motion.shift(by: span)
        standing.shift(by: span)
        odometer.shift(by: span)
    }
}

/// The last fix that was judged.
package struct JudgedFix: Hashable, Sendable {
    var fix: Fix
    /// Its place on the ellipsoid.
    var point: SurfacePoint
    /// What the odometer shows there.
    var driven: OdometerReading

    package init?(_ mark: Motion.Mark?, driven: OdometerReading) {
        guard let mark else { return nil }
        fix = mark.fix
        point = mark.point
        self.driven = driven
    }
}

/// The step from one judged fix to the next, as every part takes it.
struct WayStep {
    var link: Passage.Link
    /// The same, and a gap after more than 30 s however often the source gives a fix: metres are counted,
    /// and a tow is proved, by what was seen.
    var seen: Passage.Link
    /// The fix before, on the same path or not; nil if there was none.
    var before: Fix?
    var to: Fix
    /// Place of `to` on the ellipsoid.
    var point: SurfacePoint
    /// Since when the vehicle stands, receiver time; nil while it moves.
    var standingSince: UTCTime?
    /// What the odometer showed.
    var driven: DrivenStep
    /// What the wheels say; nil where they are silent.
    var wheels: WheelReading?

    /// The fix before; nil on a new path.
    var from: Fix? { if case .newPath = link { nil } else { before } }
}
