import Geodesy
import Model
import Time

/// What the vehicle does at a fix.
package struct Movement: Hashable, Sendable {
    /// Degrees true.
    var course: Double
    /// m/s
    var speed: Double

    /// Below this the vehicle stands, m/s.
    package static let leastSpeed = 1.2
    /// Least distance of two fixes that give a course, m; their errors together if that is more.
    static let leastStep = 10.0
}

extension Movement {
    /// At a fix; `step` is the way there, where the receiver gives no course or no speed. Nil where the
    /// vehicle stands, or nobody knows where it is heading.
    init?(_ fix: Fix, _ step: Passage.Step?, _ wheels: WheelReading? = nil) {
        if let speed = fix.speed, speed < Self.leastSpeed { return nil }
        let heard = fix.speed ?? wheels?.speedUnderWay
        if let speed = heard, let course = fix.course {
            self.init(course: course, speed: speed)
            return
        }
        guard let step else { return nil }
        let speed = heard ?? step.speed
        guard speed >= Self.leastSpeed else { return nil }
        self.init(course: fix.course ?? step.course, speed: speed)
    }
}

extension Passage {
    /// Nil where the vehicle stands, or nobody knows where it is heading: then no approach is
    /// judged.
    var movement: Movement? { Movement(to, step, wheels) }

    /// How much speed the vehicle has lost a second since the fix before, m/s²; nil where the receiver
    /// does not say it of both, or a hole lies between.
    var slowing: Double? {
        guard case .path = link, let from, let before = from.speed, let after = to.speed,
            to.time > from.time
        else { return nil }
        return (before - after) / (to.time - from.time).seconds
    }

    /// Along the way from the fix before, where it is longer than both errors: the vehicle stands, and
    /// has certainly come here.
    var certainWay: Movement? {
        guard let from, way > max(Movement.leastStep, from.error + to.error) else { return nil }
        let bearing = LocalPlane(at: SurfacePoint(from.coordinate)).bearing(of: to.coordinate)
        return Movement(course: bearing, speed: 0)
    }

    /// How far the vehicle has come since the fix before, m; 0 on a new path.
    var way: Double {
        switch link {
        case .path(let path): path.length
        case .gap: from.map { SurfacePoint($0.coordinate).distance(to: point) } ?? 0
        case .newPath: 0
        }
    }
}

extension WheelReading {
    /// m/s; nil while they stand, which says nothing of a vehicle that is carried.
    var speedUnderWay: Double? {
        !isStanding && speed >= Movement.leastSpeed ? speed : nil
    }
}
