package import Geodesy
package import Time

/// A position report that is complete: what the gates let through, and what the engine works with.
package struct Fix: Hashable, Sendable {
    /// The receiver's UTC.
    package var time: UTCTime
    /// When it arrived, monotonic.
    package var arrival: Uptime
    /// WGS 84, in range.
    package var coordinate: Coordinate
    /// 95 % horizontal radius, m, at least the floor of ``GateSettings``.
    package var error: Double
    /// Speed over ground, m/s, where the receiver gives one.
    package var speed: Double?
    /// Course over ground, degrees true, where the receiver gives one.
    package var course: Double?

    package init(
        time: UTCTime, arrival: Uptime, coordinate: Coordinate, error: Double,
        speed: Double? = nil, course: Double? = nil
    ) {
        self.time = time
        self.arrival = arrival
        self.coordinate = coordinate
        self.error = error
        self.speed = speed
        self.course = course
    }
}
