package import Bytes
package import Geodesy
package import Model
package import Time

/// The last accepted fixes, as far back as they can show motion.
package struct Motion: Hashable, Sendable {
    /// An accepted fix.
    package struct Mark: Hashable, Sendable {
        /// As it was accepted.
        package var fix: Fix
        /// Its place on the ellipsoid.
        package var point: SurfacePoint
        /// The vehicle certainly moves at this fix; nil until it has been computed.
        var isMoving: Bool?
    }

    /// Oldest first; the last is the last accepted fix.
    private(set) var marks: [Mark] = []
    /// Enough for ten seconds at 100 Hz.
    private static let limit = 1024

    package init() {}

    /// The last accepted fix; nil before the first.
    package var last: Mark? { marks.last }

    /// Takes the next accepted fix. On a new path nothing before it counts.
    package mutating func append(
        _ fix: Fix, at point: SurfacePoint, newPath: Bool, window: TimeSpan
    ) {
        if newPath { marks.removeAll(keepingCapacity: true) }
        // Keeps what the previous fix may be compared with, too, and always two fixes: two speeds
        // in a row count across a gap.
        if let last {
            let kept = marks.firstIndex { last.fix.time - $0.fix.time <= window } ?? 0
            let old = max(min(kept, marks.count - 2), marks.count + 1 - Self.limit, 0)
            // Several at once: each time all the others move up.
            if old >= 8 || marks.count >= Self.limit { marks.removeFirst(old) }
        }
        marks.append(Mark(fix: fix, point: point))
    }

    /// A re-base: translates the receiver times to the new time base.
    package mutating func shift(by span: TimeSpan) {
        for index in marks.indices { marks[index].fix.time = marks[index].fix.time + span }
    }

    /// Does the vehicle certainly move at the last fix or at the one before?
    package mutating func isMovingAtEitherEnd(_ settings: WaySettings) -> Bool {
        isMoving(at: marks.count - 1, settings) || isMoving(at: marks.count - 2, settings)
    }

    /// The way to the last fix, where that gives no course or no speed: from the latest fix before
    /// it on the path that is further away than 10 m and the errors of both together; nil where no
    /// fix of the last ten seconds is.
    package func step(_ settings: WaySettings) -> Passage.Step? {
        guard let last, last.fix.course == nil || last.fix.speed == nil else { return nil }
        for index in marks.indices.dropLast().reversed() {
            let mark = marks[index]
            let elapsed = last.fix.time - mark.fix.time
            guard elapsed <= settings.movingWindow else { return nil }
            let way = mark.point.distance(to: last.point)
            guard way > max(Movement.leastStep, mark.fix.error + last.fix.error) else { continue }
            let back = LocalPlane(at: last.point).bearing(of: mark.point.coordinate)
            return Passage.Step(course: back + 180, speed: way / elapsed.seconds)
        }
        return nil
    }

    /// The speed of the path, for a fix that reports none: from the first fix of the last ten
    /// seconds of the path, in a straight line, so that it is never more than was driven.
    package func pathSpeed(_ settings: WaySettings) -> SpeedReading? {
        guard let last, last.fix.speed == nil else { return nil }
        let mark = marks.first { last.fix.time - $0.fix.time <= settings.movingWindow }
        guard let mark else { return nil }
        let elapsed = (last.fix.time - mark.fix.time).seconds
        guard elapsed > 0 else { return nil }
        return SpeedReading(
            value: mark.point.distance(to: last.point) / elapsed,
            error: (mark.fix.error + last.fix.error) / elapsed)
    }

    /// Whether the vehicle certainly moves at the last fix although its wheels stand.
    @inline(__always)
    package mutating func isCarried(_ wheels: WheelReading?, _ settings: WaySettings) -> Bool {
        wheels?.isStanding == true && isMoving(at: marks.count - 1, settings)
    }

    /// Does the vehicle certainly move at the last fix?
    package mutating func isMovingAtLast(_ settings: WaySettings) -> Bool {
        isMoving(at: marks.count - 1, settings)
    }

    private mutating func isMoving(at index: Int, _ settings: WaySettings) -> Bool {
        guard marks.indices.contains(index) else { return false }
        if let known = marks[index].isMoving { return known }
        let isMoving = tellMoving(at: index, settings)
        marks[index].isMoving = isMoving
        return isMoving
    }

    private func tellMoving(at index: Int, _ settings: WaySettings) -> Bool {
        let mark = marks[index]
        if index > 0, let speed = mark.fix.speed, let before = marks[index - 1].fix.speed,
            speed > settings.movingSpeed, before > settings.movingSpeed
        {
            return true
        }
        return marks[..<index].contains {
            mark.fix.time - $0.fix.time <= settings.movingWindow
                && mark.point.distance(to: $0.point) > mark.fix.error + $0.fix.error
        }
    }
}

extension Motion: ByteCoded {
    package func write(to writer: inout ByteWriter) {
        writer.write(marks) { writer, mark in
            writer.write(mark.fix)
            writer.write(mark.isMoving) { $0.write($1) }
        }
    }

    package init(from reader: inout ByteReader) throws {
        marks = try reader.readList { reader in
            let fix = try reader.readFix()
            return Mark(
                fix: fix, point: SurfacePoint(fix.coordinate),
                isMoving: try reader.readOptional { try $0.readBool() })
        }
    }
}
