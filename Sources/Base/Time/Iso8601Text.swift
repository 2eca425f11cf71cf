// Unsafe: 24 bytes are allocated, and the positions are constants below 24.

extension UTCTime {
    /// Such as `2026-11-20T07:14:03.420Z`: truncated to milliseconds.
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
        return unsafe String(unsafeUninitializedCapacity: 24) { text in
            // From the end; the years of a 64-bit count are 1677 to 2262.
            var index = 24
            func put(_ value: Int64, _ digits: Int, _ end: Unicode.Scalar) {
                index -= 1
                unsafe text[index] = UInt8(ascii: end)
                var rest = value
                for _ in 0..<digits {
                    index -= 1
                    unsafe text[index] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
            }
            put(milliseconds - seconds * 1000, 3, "Z")
            put(second % 60, 2, ".")
            put(second / 60 % 60, 2, ":")
            put(second / 3600, 2, ":")
            put(day, 2, "T")
            put(month, 2, "-")
            put(year, 4, "-")
            return 24
        }
    }

    /// Microseconds since 1970, as D-Bus uses them; 0 before.
    package var microseconds: UInt64 { UInt64(max(0, nanoseconds)) / 1000 }
}

extension Int64 {
    /// Rounded towards minus infinity; `divisor` is greater than 0.
    fileprivate func dividedDown(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
