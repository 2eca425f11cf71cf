/// Times of the week and of the year: opening_hours of OpenStreetMap, as far as
/// ``init(_:)`` reads it. By local time; see ``OpeningHours``.
package struct Schedule: Hashable, Sendable {
    /// The text as given.
    package let text: String
    /// Each rule overrides or extends the earlier ones for its days.
    let rules: [Rule]

    /// Bytes of the longest text that is accepted.
    package static let longest = 1_024
    /// Dates and times of the longest schedule that is accepted.
    package static let mostParts = 128

    /// - Parameter mostParts: dates and times in all its rules; more than ``mostParts`` for a text
    ///   that was accepted earlier, when there was no such limit.
    /// - Throws: ``ScheduleFlaw``, with the position of the text that cannot be read.
    package init(_ text: String, mostParts: Int = mostParts) throws(ScheduleFlaw) {
        guard text.utf8.count <= Self.longest else {
            throw ScheduleFlaw(position: 1, reason: "longer than \(Self.longest) bytes")
        }
        var parser = ScheduleParser(text, mostParts: mostParts)
        self.text = text
        rules = try parser.rules()
    }

    /// Days, times on these days, and whether these are open.
    struct Rule: Hashable, Sendable {
        /// Empty: every day of the year.
        var dates: [DateRange] = []
        /// Bit 0 is Monday; nil: every day of the week.
        var weekdays: UInt8?
        /// Public holidays too.
        var onHolidays = false
        /// Minutes of the day, up to 48 h; empty: the whole day.
        var times: [Span] = []
        var isOff = false
        /// Adds to the earlier rules, instead of replacing them for its days.
        var isAdditional = false

        func holds(on day: CalendarDay, _ holidays: Holidays) -> Bool {
            guard dates.isEmpty || dates.contains(where: { $0.contains(day) }) else {
                return false
            }
            if weekdays == nil, !onHolidays { return true }
            if let weekdays, weekdays & 1 << UInt8(day.weekday) != 0 { return true }
            return onHolidays && holidays.contains(day)
        }

        /// Its times on a day to which it applies.
        var spans: [Span] { times.isEmpty ? [Span(start: 0, end: Span.day)] : times }
    }

    /// From `start` until before `end`, in minutes after a midnight.
    struct Span: Hashable, Sendable {
        static let day = 1440
        var start: Int
        var end: Int

        /// The part that lies in the day after.
        var spill: Span? {
            end > Self.day
                ? Span(start: max(start - Self.day, 0), end: end - Self.day) : nil
        }

        /// The part that lies in its own day.
        var own: Span? {
            start < Self.day ? Span(start: start, end: min(end, Self.day)) : nil
        }
    }

    /// Both ends included.
    enum DateRange: Hashable, Sendable {
        /// Month · 32 + day; across the turn of the year if the end comes first.
        case yearly(from: Int, through: Int)
        /// Year · 512 + month · 32 + day.
        case dated(from: Int, through: Int)

        func contains(_ day: CalendarDay) -> Bool {
            let place = day.month * 32 + day.day
            switch self {
            case .yearly(let from, let through):
                return from <= through
                    ? (from...through).contains(place) : place >= from || place <= through
            case .dated(let from, let through):
                return (from...through).contains(day.year * 512 + place)
            }
        }
    }

    /// The open minutes of one day, including those of times that began on the day before: a rule
    /// for a whole day does not affect these, a rule with times does. The work is in proportion to
    /// the length of the text.
    func minutes(on days: Int64, _ holidays: Holidays) -> DayMinutes {
        let day = CalendarDay(daysSince1970: days)
        let eve = CalendarDay(daysSince1970: days - 1)
        var own = DayMinutes()
        var spill = DayMinutes()
        for rule in rules {
            if rule.holds(on: eve, holidays) {
                for late in rule.times.lazy.compactMap(\.spill) {
                    if rule.isOff { own.set(late, false) }
                    spill.set(late, !rule.isOff)
                }
            }
            guard rule.holds(on: day, holidays) else { continue }
            if !rule.isOff, !rule.isAdditional { own = DayMinutes() }
            for span in rule.spans.lazy.compactMap(\.own) {
                own.set(span, !rule.isOff)
                if rule.isOff, !rule.times.isEmpty { spill.set(span, false) }
            }
        }
        return own.union(spill)
    }
}

/// Why a text is not a schedule, or not a supported one.
package struct ScheduleFlaw: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of the character, from 1.
    package var position: Int
    /// A phrase without a full stop.
    package var reason: String

    package var description: String { "at character \(position): \(reason)" }
}
