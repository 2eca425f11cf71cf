import Model
import Time

/// Finds the day of a time of day.
///
/// The law: epochs before the first known date have no time if the source gives dates; a source
/// that never does starts on 1970-01-01 in a replay and has the wall clock's day when live; a day
/// is added at midnight.
///
/// An epoch whose RMC is void dates no fix: neither its date nor a midnight in it is kept. Its date
/// counts for the clock of a replay, once a date is known. A date in 1980, the epoch of GPS, comes
/// from a receiver that has just been switched on, and is ignored.
///
/// Dates of receivers whose week counter of ten bits has rolled over (1999, 2019, 2038) are a
/// multiple of 1024 weeks in the past. Live, 1024 weeks are added to a date while it is that much,
/// or up to 90 days less, before the floor; Traccar does the same. With the 90 days an old floor (a
/// program built a while ago on a device without a clock) still detects a rollover; a recording of
/// some years ago that is played into a live source keeps its dates. A replay changes no date.
struct NmeaCalendar {
    /// A day, and a time of day on it.
    struct Moment: Hashable {
        /// Days since 1970-01-01.
        var day: Int64
        /// Nanoseconds since midnight.
        var timeOfDay: Int64

        /// In 1980.
        var isColdStart: Bool { (3652..<4018).contains(day) }

        var time: UTCTime {
            let (nanoseconds, overflow) = day.multipliedReportingOverflow(by: dayLength)
            let (sum, overflow2) = nanoseconds.addingReportingOverflow(timeOfDay)
            return UTCTime(nanoseconds: overflow || overflow2 ? .max : sum)
        }
    }

    /// Nanoseconds.
    static let dayLength = TimeSpan.seconds(86_400).nanoseconds
    /// Days in a cycle of the week counter.
    static let rollover: Int64 = 1024 * 7
    /// Live: epochs with a position and neither RMC nor ZDA, after which the wall clock is used.
    private static let patience = 3

    private let dates: ReceiverSettings.Dates
    private var last: Moment?
    /// The last ZDA since the previous epoch.
    private var noted: Moment?
    /// A sentence that can give a date has been seen, though it may have been empty.
    private var mayGiveDate = false
    private var undated = 0

    init(_ dates: ReceiverSettings.Dates) { self.dates = dates }

    /// Takes a ZDA; nil for one that is still empty.
    mutating func note(_ moment: Moment?) {
        mayGiveDate = true
        noted = moment ?? noted
    }

    /// An RMC was seen, even if its date was empty.
    mutating func expectDates() { mayGiveDate = true }

    /// The time of a complete epoch; nil if no date is known yet. `date` is that of its RMC, `now`
    /// the wall clock advanced by the monotonic clock.
    mutating func time(
        of timeOfDay: Int64, date: Moment?, hasFix: Bool, now: UTCTime?
    ) -> UTCTime? {
        defer { noted = nil }
        guard let moment = moment(of: timeOfDay, date: date ?? noted, hasFix: hasFix, now: now)
        else { return nil }
        last = moment
        return moment.time
    }

    /// The time of a void epoch, which is not kept: nil if no date is known yet, or the receiver's
    /// clock has only just started.
    mutating func clock(of timeOfDay: Int64, date: Moment?) -> UTCTime? {
        defer { noted = nil }
        guard let last else {
            if case .recorded(givesDate: false) = dates {
                return Moment(day: 0, timeOfDay: timeOfDay).time
            }
            return nil
        }
        guard case .recorded(givesDate: true) = dates, let date = date ?? noted else {
            return Self.nearest(to: last, timeOfDay).time
        }
        return date.isColdStart ? nil : Self.nearest(to: date, timeOfDay).time
    }

    private mutating func moment(
        of timeOfDay: Int64, date: Moment?, hasFix: Bool, now: UTCTime?
    ) -> Moment? {
        if let date, !date.isColdStart {
            // A ZDA may have been sent on the other side of midnight.
            let day = repaired(date.day)
            return Self.nearest(to: Moment(day: day, timeOfDay: date.timeOfDay), timeOfDay)
        }
        if case .live = dates, !mayGiveDate {
            guard let now else { return nil }
            if hasFix { undated = min(undated + 1, Self.patience) }
            guard undated == Self.patience else { return nil }
            return Self.nearest(to: Moment(now), timeOfDay)
        }
        if case .recorded(givesDate: false) = dates, last == nil {
            return Moment(day: 0, timeOfDay: timeOfDay)
        }
        return last.map { Self.nearest(to: $0, timeOfDay) }
    }

    /// Whatever is out of order, it is so by less than half a day.
    private static func nearest(to moment: Moment, _ timeOfDay: Int64) -> Moment {
        let ahead = timeOfDay - moment.timeOfDay
        let shift: Int64 = ahead > dayLength / 2 ? -1 : ahead < -dayLength / 2 ? 1 : 0
        return Moment(day: moment.day + shift, timeOfDay: timeOfDay)
    }

    private func repaired(_ day: Int64) -> Int64 {
        guard case .live(let floor) = dates else { return day }
        let oldest = floor.nanoseconds / Self.dayLength - Self.rollover + 90
        guard day <= oldest else { return day }
        return day + (oldest - day) / Self.rollover * Self.rollover + Self.rollover
    }
}

extension NmeaCalendar.Moment {
    /// The UTC day of a time, and the time of day.
    init(_ time: UTCTime) {
        let length = NmeaCalendar.dayLength
        let (quotient, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: length)
        self.init(
            day: rest < 0 ? quotient - 1 : quotient, timeOfDay: rest < 0 ? rest + length : rest)
    }
}
