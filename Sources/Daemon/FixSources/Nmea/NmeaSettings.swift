import Engine
package import Time

/// How a receiver's sentences are converted to a fix.
package struct NmeaSettings: Hashable, Sendable {
    /// 95 % horizontal error per unit of HDOP, m.
    package var errorPerDilution = 15.0
    /// 95 % horizontal error per unit of HDOP with corrections (differential, RTK), m.
    package var errorPerDilutionCorrected = 3.75
    /// 95 % radius divided by the root of the two variances of GST. Of an isotropic normal error 95
    /// % lie within 2.45 σ, and that root is 1.41 σ.
    package var errorPerDeviation = 1.7
    /// How the day of a time of day is found.
    package var dates = Dates.recorded(givesDate: true)

    /// How the day is found; RMC and ZDA give it, all other sentences only the time of day.
    package enum Dates: Hashable, Sendable {
        /// A recording: its own dates. Whether it gives any was checked beforehand; if not, it
        /// begins on 1970-01-01.
        case recorded(givesDate: Bool)
        /// A live receiver: its dates are repaired if they are a rollover before `floor`, see
        /// ``floor(wallClock:)``.
        case live(floor: ReceiverTime)
    }

    package init() {}

    /// The day from which rollovers are counted: the wall clock's, if it is plausible. No receiver
    /// can be connected before the day this program was written; and a clock that is a whole
    /// rollover ahead of that day has an empty battery, and would move a correct date into the
    /// future.
    static func floor(wallClock: ReceiverTime) -> ReceiverTime {
        let latest = written + TimeSpan(nanoseconds: NmeaCalendar.rollover * NmeaCalendar.dayLength)
        return (written..<latest).contains(wallClock) ? wallClock : written
    }

    /// 2026-11-20, when this was written.
    private static let written = ReceiverTime(nanoseconds: 20_777 * NmeaCalendar.dayLength)
}
