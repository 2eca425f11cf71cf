import Engine
package import Time

/// How the words of a receiver become a fix.
package struct NmeaSettings: Hashable, Sendable {
    /// 95 % horizontal error per unit of HDOP, m; and with corrections (differential, RTK).
    package var errorPerDilution = 15.0
    /// 95 % horizontal error per unit of HDOP with corrections (differential, RTK), m.
    package var errorPerDilutionCorrected = 3.75
    /// 95 % radius over the root of the two variances of GST. Of a normal error that is the same in
    /// all directions 95 % lie within 2.45 σ, and that root is 1.41 σ.
    package var errorPerDeviation = 1.7
    /// Where the day of a time of day comes from.
    package var dates = Dates.recorded(givesDate: true)

    /// Where the day comes from; RMC and ZDA say it, all other sentences only the time of day.
    package enum Dates: Hashable, Sendable {
        /// A recording: dates as they stand in it. Whether it gives any was looked up beforehand;
        /// if not, it begins on 1970-01-01.
        case recorded(givesDate: Bool)
        /// A receiver that is talking now: its dates are repaired if they are a rollover old
        /// seen from `floor`, see ``floor(wallClock:)``.
        case live(floor: ReceiverTime)
    }

    package init() {}

    /// The day from which rollovers are counted: the wall clock's, if it can be right. Before the day
    /// this program was written no receiver can be talking to it; and a clock that is a whole
    /// rollover ahead of that day is one whose battery is at its end, and would put a date that is
    /// good into the future.
    static func floor(wallClock: ReceiverTime) -> ReceiverTime {
        let latest = written + TimeSpan(nanoseconds: NmeaCalendar.rollover * NmeaCalendar.dayLength)
        return (written..<latest).contains(wallClock) ? wallClock : written
    }

    /// 2026-11-20, when this was written.
    private static let written = ReceiverTime(nanoseconds: 20_777 * NmeaCalendar.dayLength)
}
