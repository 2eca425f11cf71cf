package import Time

/// A date of HTTP (RFC 9110, section 5.6.7), in the form that is sent today:
/// `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Nil for anything else.
    package static func time(_ text: String) -> UTCTime? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int64(words[1]),
            let month = months.firstIndex(of: String(words[2])), let year = Int64(words[3]),
            (1970...2200).contains(year),
            let date = CivilDate(year: year, month: Int64(month + 1), day: day)
        else { return nil }
        let clock = words[4].split(separator: ":").compactMap { Int64($0) }
        guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]),
            (0...60).contains(clock[2])
        else { return nil }
        let seconds = date.daysSince1970 * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
        return UTCTime(secondsSince1970: seconds)
    }
}
