package import Geodesy
package import Time

/// What a source says at one epoch, before the gates have judged it.
///
/// Sources hand over what the receiver said and judge nothing: an epoch without a fix is a report
/// too, for its time moves the clock of a replay.
package struct PositionReport: Hashable, Sendable {
    /// The receiver's UTC; nil when the epoch has no usable date and time.
    package var time: UTCTime?
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

    /// How much the receiver says that it is jammed, 0 to 255; 0 where it says nothing.
    package var jam: UInt8 = 0
    /// What is wrong with its antenna; nil where it does not say that anything is.
    package var antenna: AntennaFault?
    /// The receiver has given no time: ``time`` is that of the arrival.
    package var isTimedByArrival = false
    /// What the wheels of the vehicle say at it; nil where they say nothing.
    package var wheels: WheelReading?

    /// A position that the source could not read: the gates count it as ``Refusal/invalid``.
    package static let unreadable = PositionReport(
        time: nil, hasFix: true, coordinate: Coordinate(latitude: .nan, longitude: .nan))

    package init(
        time: UTCTime?, hasFix: Bool, coordinate: Coordinate?, error: Double? = nil,
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

/// What is wrong with an antenna, as the receiver says.
package enum AntennaFault: UInt8, Sendable {
    /// Its line has a short circuit.
    case short = 2
    /// None is connected, or its line is cut.
    case open = 3
}
