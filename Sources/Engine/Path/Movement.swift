import Geodesy
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

extension Passage {
    /// Nil where the vehicle stands, or nobody knows where it is heading: then no approach is
    /// judged.
    var movement: Movement? {
        if let speed = to.speed, speed < Movement.leastSpeed { return nil }
        if let speed = to.speed, let course = to.course {
            return Movement(course: course, speed: speed)
        }
        if to.speed == nil, let speed = wheels?.speedUnderWay, let course = to.course {
            return Movement(course: course, speed: speed)
        }
        guard let step else { return nil }
        let speed = to.speed ?? wheels?.speedUnderWay ?? step.speed
        guard speed >= Movement.leastSpeed else { return nil }
        return Movement(course: to.course ?? step.course, speed: speed)
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
