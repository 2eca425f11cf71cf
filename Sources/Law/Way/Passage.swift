package import Geodesy
package import Model
package import Time

/// The step from one accepted fix to the next, as the monitor of every fence judges it.
package struct Passage: Sendable {
    /// What stands between the two fixes.
    package enum Link: Hashable, Sendable {
        /// At most 30 s: the geodesic between them counts.
        case path(PathSegment)
        /// More than 30 s: the fix alone is judged.
        case gap
        /// A jump, a re-base or a restart: nothing before counts, and its events have this reason.
        case newPath(EventReason)
    }

    /// What joins the two fixes.
    package var link: Link
    /// The fix before; nil for a new path.
    package var from: Fix?
    /// The accepted fix that is judged.
    package var to: Fix
    /// Place of `to` on the ellipsoid.
    package var point: SurfacePoint
    /// The vehicle certainly moves at one of the two fixes.
    package var isMoving: Bool

    /// Where the receiver gives no course or no speed: those of the way here from an earlier fix.
    package var step: Step?

    /// The fix judged before this one, on the same path or not, in its own time base; nil if there
    /// was none.
    package var before: Moment?

    /// The times of a fix.
    package struct Moment: Hashable, Sendable {
        /// Receiver time.
        var time: UTCTime
        /// Monotonic.
        var arrival: Uptime

        package init(_ fix: Fix) {
            time = fix.time
            arrival = fix.arrival
        }
    }

    /// The speed of the path, if the receiver reports none.
    package var pathSpeed: SpeedReading?

    /// Since when the vehicle stands, receiver time; nil while it moves.
    package var standingSince: UTCTime?

    /// What the odometer showed.
    package var driven: DrivenStep

    /// What the wheels of the vehicle say; nil where they are silent.
    package var wheels: WheelReading?

    /// The way from an earlier fix of the same path.
    package struct Step: Hashable, Sendable {
        /// Degrees true.
        package var course: Double
        /// m/s
        package var speed: Double
    }

    package init(
        link: Link, from: Fix?, to: Fix, point: SurfacePoint, isMoving: Bool, step: Step? = nil,
        before: Moment? = nil, pathSpeed: SpeedReading? = nil,
        standingSince: UTCTime? = nil, driven: DrivenStep = DrivenStep(),
        wheels: WheelReading? = nil
    ) {
        self.link = link
        self.from = from
        self.to = to
        self.point = point
        self.isMoving = isMoving
        self.step = step
        self.before = before
        self.pathSpeed = pathSpeed
        self.standingSince = standingSince
        self.driven = driven
        self.wheels = wheels
    }

    /// Receiver time of the previous fix, in the present time base; nil if there was none.
    var since: UTCTime? {
        guard let before else { return nil }
        if case .newPath = link { return min(to.time, to.time + (before.arrival - to.arrival)) }
        return min(before.time, to.time)
    }

    /// Error on the path: the larger of its ends, m.
    var pathError: Double { max(from?.error ?? 0, to.error) }

    /// Receiver time at a fraction of the path.
    func time(at fraction: Double) -> UTCTime {
        guard let from, fraction < 1 else { return to.time }
        return from.time + .seconds((to.time - from.time).seconds * fraction)
    }
}
