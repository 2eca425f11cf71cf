/// A day of the proleptic Gregorian calendar, split into its parts.
package struct CalendarDay: Hashable, Sendable {
    /// Days since 1970-01-01.
    package let daysSince1970: Int64
    /// Four digits, for days that a receiver can report.
    package let year: Int
    /// 1…12
    package let month: Int
    /// 1…31
    package let day: Int

    /// - Parameter daysSince1970: within ±10 million.
    package init(daysSince1970 days: Int64) {
        // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days: years
        // that begin in March put the leap day last.
        let shifted = days + 719_468
        let era = shifted.dividedDown(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        daysSince1970 = days
        day = Int(dayOfYear - (153 * marchMonth + 2) / 5 + 1)
        self.month = Int(month)
        year = Int(yearOfEra + era * 400 + (month <= 2 ? 1 : 0))
    }

    /// 0 is Monday, 6 Sunday.
    package var weekday: Int {
        // 1970-01-01 was a Thursday.
        let days = daysSince1970 + 3
        return Int(days - days.dividedDown(by: 7) * 7)
    }

    /// Days since 1970 of a date. A day beyond the end of the month counts into the next one.
    /// `month` is 1…12.
    static func days(year: Int, month: Int, day: Int) -> Int64 {
        let marchYear = Int64(month <= 2 ? year - 1 : year)
        let era = marchYear.dividedDown(by: 400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = Int64((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1)
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Whether the year has a 29th of February.
    static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// The number of days in a month of that year, 28…31.
    static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Int64 {
    /// Rounded towards minus infinity; `divisor` is greater than 0.
    func dividedDown(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
