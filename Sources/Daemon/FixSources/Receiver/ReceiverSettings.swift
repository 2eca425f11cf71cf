import Law
package import Time

/// How what receivers say is converted to fixes.
package struct ReceiverSettings: Hashable, Sendable {
    /// 95 % horizontal error per unit of HDOP, m.
    package var errorPerDilution = 15.0
    /// 95 % horizontal error per unit of HDOP with corrections (differential, RTK), m.
    package var errorPerDilutionCorrected = 3.75
    /// 95 % radius divided by the root of the two variances of GST. Of an isotropic normal error 95
    /// % lie within 2.45 σ, and that root is 1.41 σ.
    package var errorPerDeviation = 1.7
    /// gpsd's receivers: without a fix of the one that is the source for longer than this, another
    /// takes its place.
    package var lostAfter = GateSettings().lostAfter
    /// By what the errors that gpsd states are multiplied, by its name of the driver.
    package var errorScale = ["u-blox": 2.45]
    /// How the day of a time of day is found.
    package var dates = Dates.recorded(givesDate: true)

    /// How the day is found; RMC and ZDA give it, all other sentences only the time of day.
    package enum Dates: Hashable, Sendable {
        /// A recording: its own dates. Whether it gives any was checked beforehand; if not, it
        /// begins on 1970-01-01.
        case recorded(givesDate: Bool)
        /// A live receiver: its dates are repaired if they are a rollover before `floor`, see
        /// ``floor(wallClock:)``.
        case live(floor: UTCTime)
    }

    package init() {}
}
