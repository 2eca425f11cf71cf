import Time

/// The public holidays: what `PH` means in a schedule.
package struct Holidays: Hashable, Sendable {
    /// Month · 32 + day.
    private var yearly: Set<Int> = []
    /// Days since 1970.
    private var days: Set<Int64> = []

    /// Days of the longest list.
    package static let most = 1_000

    /// No holidays.
    package init() {}

    /// A list with spaces between its days: `2026-04-03` is that day, `12-25` that of every year.
    /// - Throws: ``HolidayFlaw`` with the word that is not a day.
    package init(_ text: String) throws(HolidayFlaw) {
        let words = text.split(separator: " ")
        guard words.count <= Self.most else {
            throw HolidayFlaw(reason: "more than \(Self.most) days")
        }
        for word in words {
            let parts = word.split(separator: "-", omittingEmptySubsequences: false)
            let numbers = parts.compactMap { Self.number($0) }
            guard numbers.count == parts.count else { throw HolidayFlaw(word) }
            switch numbers.count {
            // A leap year, for the 29th of February.
            case 2 where CivilDate(year: 2000, month: numbers[0], day: numbers[1]) != nil:
                yearly.insert(Int(numbers[0] * 32 + numbers[1]))
            case 3:
                guard parts[0].utf8.count == 4,
                    let date = CivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
                else { throw HolidayFlaw(word) }
                days.insert(date.daysSince1970)
            default: throw HolidayFlaw(word)
            }
        }
    }

    func contains(_ day: CalendarDay) -> Bool {
        yearly.contains(day.month * 32 + day.day) || days.contains(day.daysSince1970)
    }

    private static func number(_ digits: Substring) -> Int64? {
        guard (1...4).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(digits)
    }
}

/// Why a text is not a list of days.
package struct HolidayFlaw: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    init(reason: String) { description = reason }

    init(_ word: Substring) {
        description = "\"\(word)\" is no day such as 2026-04-03, or 12-25 for every year"
    }
}
