extension ReceiverTime {
    /// Such as `2026-11-20T07:14:03.420Z`: milliseconds, the rest cut off.
    package var iso8601: String {
        let milliseconds = nanoseconds.dividedDown(by: 1_000_000)
        let seconds = milliseconds.dividedDown(by: 1000)
        let days = seconds.dividedDown(by: 86_400)
        let second = seconds - days * 86_400
        // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days: years
        // that begin in March put the leap day last.
        let shifted = days + 719_468
        let era = shifted.dividedDown(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        var text: [UInt8] = []
        text.reserveCapacity(24)
        func append(_ value: Int64, _ digits: Int, _ end: Unicode.Scalar) {
            var scale = (1..<digits).reduce(Int64(1)) { scale, _ in scale * 10 }
            while scale > 0 {
                text.append(UInt8(ascii: "0") + UInt8(value / scale % 10))
                scale /= 10
            }
            text.append(UInt8(ascii: end))
        }
        append(year, 4, "-")
        append(month, 2, "-")
        append(day, 2, "T")
        append(second / 3600, 2, ":")
        append(second / 60 % 60, 2, ":")
        append(second % 60, 2, ".")
        append(milliseconds - seconds * 1000, 3, "Z")
        return String(decoding: text, as: UTF8.self)
    }

    /// Microseconds since 1970, as D-Bus has times; 0 before.
    package var microseconds: UInt64 { UInt64(max(0, nanoseconds)) / 1000 }
}

extension Int64 {
    /// Rounded towards minus infinity; `divisor` is greater than 0.
    fileprivate func dividedDown(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
