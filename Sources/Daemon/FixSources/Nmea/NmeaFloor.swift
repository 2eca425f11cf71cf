import Time

extension ReceiverSettings {
    /// The day from which rollovers are counted: the wall clock's, if it is plausible. No receiver
    /// can be connected before the day this program was written; and a clock that is a whole
    /// rollover ahead of that day has an empty battery, and would move a correct date into the
    /// future.
    static func floor(wallClock: UTCTime) -> UTCTime {
        let latest = written + TimeSpan(nanoseconds: NmeaCalendar.rollover * NmeaCalendar.dayLength)
        return (written..<latest).contains(wallClock) ? wallClock : written
    }

    /// 2026-11-20, when this was written.
    private static let written = UTCTime(nanoseconds: 20_777 * NmeaCalendar.dayLength)
}
