package import Fencing

/// How the words of a receiver become a fix.
package struct NmeaSettings: Hashable, Sendable {
    /// 95 % horizontal error per unit of HDOP, m; and with corrections (differential, RTK).
    package var errorPerDilution = 15.0
    package var errorPerDilutionCorrected = 3.75
    /// 95 % radius over the root of the two variances of GST. Of a normal error that is the same in
    /// all directions 95 % lie within 2.45 σ, and that root is 1.41 σ.
    package var errorPerDeviation = 1.7
    package var dates = Dates.recorded(givesDate: true)

    /// Where the day comes from; RMC and ZDA say it, all other sentences only the time of day.
    package enum Dates: Hashable, Sendable {
        /// A recording: dates as they stand in it. Whether it gives any was looked up beforehand;
        /// if not, it begins on 1970-01-01.
        case recorded(givesDate: Bool)
        /// A receiver that is talking now: its dates are repaired if they are a rollover old
        /// seen from `floor`, the later of the day this program was written and the wall clock's
        /// when the source was started.
        case live(floor: ReceiverTime)
    }

    package init() {}

    /// 2026-11-20, when this was written: no receiver can be talking to it before.
    static let written = ReceiverTime(nanoseconds: 20_777 * NmeaCalendar.dayLength)
}
