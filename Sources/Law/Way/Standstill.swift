package import Bytes
package import Geodesy
package import Model
package import Time

/// Whether the vehicle stands, and since when.
package struct Standstill: Hashable, Sendable {
    /// The first fix of the present standing; nil while the vehicle moves.
    private(set) var first: Fix?
    /// Its place on the ellipsoid.
    private var point: SurfacePoint?

    /// The radius within which a vehicle counts as standing, m; or the sum of the errors of both
    /// fixes if that is more.
    private static let leastRadius = 10.0

    package init() {}

    /// Receiver time of the first fix of the present standing, in the present time base.
    package var since: UTCTime? { first?.time }

    /// Takes the next accepted fix, on the same path or not: a vehicle that is found where it stood
    /// has stood meanwhile. A fix elsewhere with a reported speed below 1.2 m/s, or none, begins a
    /// new standing there.
    ///
    /// While the wheels stand the vehicle does, whatever the receiver reports and however far its
    /// fixes drift; unless it is carried, of which standing wheels say nothing.
    package mutating func note(
        _ fix: Fix, at point: SurfacePoint, wheels: WheelReading? = nil, isCarried: Bool = false
    ) {
        if wheels?.isStanding == true, !isCarried {
            if first == nil {
                first = fix
                self.point = point
            }
            return
        }
        if let speed = fix.speed ?? wheels?.speedUnderWay, speed >= Movement.leastSpeed {
            first = nil
            self.point = nil
            return
        }
        if let first, let stood = self.point {
            if stood.distance(to: point) <= Self.radius(first, fix) { return }
        }
        first = fix
        self.point = point
    }

    /// Whether the vehicle is under way at one of two fixes, or has gone from the one to the other; by the
    /// receiver alone.
    @inline(__always)
    package static func hasMoved(
        from earlier: Fix, at place: SurfacePoint, to fix: Fix, at point: SurfacePoint
    ) -> Bool {
        if earlier.speed ?? 0 >= Movement.leastSpeed || fix.speed ?? 0 >= Movement.leastSpeed {
            return true
        }
        return place.distance(to: point) > radius(earlier, fix)
    }

    /// Within which a vehicle may have stood between two fixes, m.
    private static func radius(_ earlier: Fix, _ fix: Fix) -> Double {
        max(leastRadius, earlier.error + fix.error)
    }

    /// A re-base: translates the stored receiver time to the new time base.
    package mutating func shift(by span: TimeSpan) {
        first = first.map { fix in
            var fix = fix
            fix.time = fix.time + span
            return fix
        }
    }
}

extension Standstill: ByteCoded {
    package func write(to writer: inout ByteWriter) { writer.write(first) { $0.write($1) } }

    package init(from reader: inout ByteReader) throws {
        first = try reader.readOptional { try $0.readFix() }
        point = first.map { SurfacePoint($0.coordinate) }
    }
}
