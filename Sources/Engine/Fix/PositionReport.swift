package import Geodesy
package import Time

/// What a source says at one epoch, before the gates have judged it.
///
/// Sources hand over what the receiver said and judge nothing: an epoch without a fix is a report
/// too, for its time moves the clock of a replay.
package struct PositionReport: Hashable, Sendable {
    /// The receiver's UTC; nil when the epoch has no usable date and time.
    package var time: ReceiverTime?
    /// A 2D or 3D solution that the receiver calls valid.
    package var hasFix: Bool
    /// Position, WGS 84; nil where the epoch gives none. Not yet checked for range.
    package var coordinate: Coordinate?
    /// 95 % horizontal radius, m, as the source states it; nil or not above 0 is none.
    package var error: Double?
    /// Speed over ground, m/s.
    package var speed: Double?
    /// Course over ground, degrees true, 0…360.
    package var course: Double?

    package init(
        time: ReceiverTime?, hasFix: Bool, coordinate: Coordinate?, error: Double? = nil,
        speed: Double? = nil, course: Double? = nil
    ) {
        self.time = time
        self.hasFix = hasFix
        self.coordinate = coordinate
        self.error = error
        self.speed = speed
        self.course = course
    }
}
