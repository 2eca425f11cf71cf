/// Reads a ``Schedule`` from left to right, token by token.
///
/// Supported of the specification (wiki.openstreetmap.org/wiki/Key:opening_hours/specification):
/// rules after `;` and after `,`, `24/7`, years, months, dates and ranges of them, weekdays and
/// ranges of them, `PH`, times and times over midnight, `off`, `closed`, `open`.
struct ScheduleParser {
    let tokens: [Token]
    /// Index of the token that is read next.
    var place = 0
    /// The position behind the last character.
    let end: Int

    private static let mostRules = 64
    /// Dates, or times, in one rule.
    private static let mostParts = 64
    /// Dates and times that the rest of the text may have.
    private var partsLeft: Int

    init(_ text: String, mostParts: Int) {
        (tokens, end) = Self.tokens(text)
        partsLeft = mostParts
    }

    // MARK: Rules

    mutating func rules() throws(ScheduleFlaw) -> [Schedule.Rule] {
        var rules = [try rule()]
        while let token = peek() {
            guard rules.count < Self.mostRules else {
                throw flaw("more than \(Self.mostRules) rules")
            }
            let isAdditional = token.kind == .sign(",")
            guard isAdditional || token.kind == .sign(";") else { throw unexpected() }
            place += 1
            var next = try rule()
            guard !(isAdditional && next.isOff) else {
                throw ScheduleFlaw(position: token.position, reason: "off needs ; before its rule")
            }
            next.isAdditional = isAdditional
            if isAdditional, let times = rules.last, hasDays(next, of: times) {
                next.times = times.times
                next.isAdditional = times.isAdditional
                rules.removeLast()
            }
            rules.append(next)
        }
        return rules
    }

    /// Whether the days behind a comma are those of the times before it, as in `08:00-18:00,Mo-Fr`: as a rule
    /// of its own it would open all of these days.
    private func hasDays(_ days: Schedule.Rule, of times: Schedule.Rule) -> Bool {
        times.dates.isEmpty && times.weekdays == nil && !times.onHolidays && !times.isOff
            && !times.times.isEmpty && days.times.isEmpty
            && (days.weekdays != nil || !days.dates.isEmpty)
            && tokens[place - 1].kind != .word("open")
    }

    private mutating func rule() throws(ScheduleFlaw) -> Schedule.Rule {
        let start = place
        var rule = Schedule.Rule()
        if number(at: 0) == 24, peek(1)?.kind == .sign("/"), number(at: 2) == 7 {
            place += 3
        } else {
            rule.dates = try dates()
            if !rule.dates.isEmpty, peek()?.kind == .sign(":") { place += 1 }
            try weekdays(&rule)
            // A comma between days and their times stands for a space: as one between two rules,
            // which the grammar makes of it, it would open all of these days, and every other day at
            // these times, which nobody means.
            if place > start, peek()?.kind == .sign(","), isTime(at: 1) { place += 1 }
            rule.times = try times()
        }
        switch peek()?.kind {
        case .word("off")?, .word("closed")?:
            rule.isOff = true
            place += 1
        case .word("open")?: place += 1
        default: break
        }
        guard place > start else { throw unexpected() }
        return rule
    }

    // MARK: Dates

    private mutating func dates() throws(ScheduleFlaw) -> [Schedule.DateRange] {
        var ranges: [Schedule.DateRange] = []
        var month: (year: Int?, number: Int)?
        while true {
            let start = place
            if let month, let day = number(at: 0), isDay(at: 0) {
                // Another day of the same month: Dec 24,26.
                let from = try checked(day, month.number, month.year)
                let first = (month.year, month.number, day)
                place += 1
                ranges.append(try range(first, from, through: try dayThrough(first)))
            } else if isDate(at: 0) {
                let (range, last) = try dateRange()
                ranges.append(range)
                month = last
            } else {
                return ranges
            }
            guard ranges.count <= Self.mostParts else {
                throw flaw("more than \(Self.mostParts) dates in a rule")
            }
            try spend(from: start)
            guard peek()?.kind == .sign(","),
                isDate(at: 1) || (month != nil && isDay(at: 1))
            else { return ranges }
            place += 1
        }
    }

    private typealias Day = (year: Int?, month: Int, day: Int?)

    private mutating func dateRange() throws(ScheduleFlaw) -> (
        Schedule.DateRange, (year: Int?, number: Int)?
    ) {
        let year = readYear()
        guard let month = readMonth() else {
            guard let year else { throw unexpected() }
            var last = year
            if skip("-") {
                guard let end = readYear() else { throw unexpected() }
                last = end
            }
            guard month(at: 0) == nil else { throw flaw("years before months: name one year") }
            guard last >= year else { throw flaw("ends before it begins") }
            return (.dated(from: year * 512, through: last * 512 + 511), nil)
        }
        guard let day = isDay(at: 0) ? number(at: 0) : nil else {
            let last = try monthThrough(year, month)
            return (try range((year, month, nil), 1, through: last), nil)
        }
        let from = try checked(day, month, year)
        place += 1
        let start: Day = (year, month, day)
        let last = try dayThrough(start)
        return (try range(start, from, through: last), (year, month))
    }

    /// After the first month of a range.
    private mutating func monthThrough(_ year: Int?, _ month: Int) throws(ScheduleFlaw) -> Day {
        guard peek()?.kind == .sign("-"), isDate(at: 1) else { return (year, month, nil) }
        place += 1
        let lastYear = readYear() ?? year
        guard let last = readMonth() else { throw unexpected() }
        guard !isDay(at: 0) else { throw flaw("a month up to a day: name the first day") }
        return (lastYear, last, nil)
    }

    /// After the first day of a range: `-26`, `-Jan 6`, `-2027 Jan 6`, or nothing.
    private mutating func dayThrough(_ start: Day) throws(ScheduleFlaw) -> Day {
        guard peek()?.kind == .sign("-") else { return start }
        place += 1
        let year = readYear() ?? start.year
        let month = readMonth() ?? start.month
        guard let day = number(at: 0), isDay(at: 0) else { throw unexpected() }
        _ = try checked(day, month, year)
        place += 1
        return (year, month, day)
    }

    private func range(
        _ start: Day, _ day: Int, through last: Day
    ) throws(ScheduleFlaw) -> Schedule.DateRange {
        let from = start.month * 32 + day
        let through = last.month * 32 + (last.day ?? 31)
        guard let first = start.year, let end = last.year else {
            guard start.year == nil, last.year == nil else {
                throw flaw("a range with one year: name both")
            }
            return .yearly(from: from, through: through)
        }
        guard end * 512 + through >= first * 512 + from else {
            throw flaw("ends before it begins")
        }
        return .dated(from: first * 512 + from, through: end * 512 + through)
    }

    private func checked(_ day: Int, _ month: Int, _ year: Int?) throws(ScheduleFlaw) -> Int {
        // Without a year, the 29th of February exists.
        guard day >= 1, day <= CalendarDay.length(ofMonth: month, year: year ?? 2000) else {
            throw flaw("no such day")
        }
        return day
    }

    // MARK: Weekdays

    private mutating func weekdays(_ rule: inout Schedule.Rule) throws(ScheduleFlaw) {
        while let token = peek(), case .word(let word) = token.kind {
            if word == "PH" {
                rule.onHolidays = true
                place += 1
            } else if let first = Self.weekdays.firstIndex(of: word) {
                place += 1
                var last = first
                if peek()?.kind == .sign("-") {
                    place += 1
                    guard let end = weekday(at: 0) else { throw unexpected() }
                    last = end
                    place += 1
                }
                var day = first
                rule.weekdays = (rule.weekdays ?? 0) | 1 << UInt8(first)
                while day != last {
                    day = (day + 1) % 7
                    rule.weekdays = (rule.weekdays ?? 0) | 1 << UInt8(day)
                }
                if peek()?.kind == .sign("[") {
                    throw flaw("the nth weekday of a month is not covered")
                }
            } else {
                return
            }
            guard peek()?.kind == .sign(","), isWeekday(at: 1) else { return }
            place += 1
        }
    }

    // MARK: Times

    private mutating func times() throws(ScheduleFlaw) -> [Schedule.Span] {
        var spans: [Schedule.Span] = []
        while isTime(at: 0) {
            guard spans.count < Self.mostParts else {
                throw flaw("more than \(Self.mostParts) times in a rule")
            }
            try spend(from: place)
            let start = try minute(atMost: 24 * 60 - 1)
            guard skip("-") else {
                throw flaw(
                    peek()?.kind == .sign("+")
                        ? "an open end is not covered" : "a time without an end")
            }
            guard isTime(at: 0) else { throw unexpected() }
            var end = try minute(atMost: 48 * 60)
            if end == start { throw flaw("begins and ends at the same time") }
            if end < start { end += Schedule.Span.day }
            if peek()?.kind == .sign("+") { throw flaw("an open end is not covered") }
            if peek()?.kind == .sign("/") { throw flaw("intervals are not covered") }
            guard end - start <= Schedule.Span.day else { throw flaw("longer than a day") }
            spans.append(Schedule.Span(start: start, end: end))
            guard peek()?.kind == .sign(","), isTime(at: 1) else { break }
            place += 1
        }
        return spans
    }

    private mutating func minute(atMost limit: Int) throws(ScheduleFlaw) -> Int {
        guard let hour = number(at: 0), let minute = number(at: 2), minute < 60,
            hour * 60 + minute <= limit
        else { throw flaw("no such time") }
        place += 3
        return hour * 60 + minute
    }

    // MARK: Limits

    /// Counts a date or a time, whose first token is given.
    private mutating func spend(from token: Int) throws(ScheduleFlaw) {
        guard partsLeft > 0 else {
            throw ScheduleFlaw(
                position: tokens[token].position,
                reason: "more than \(Schedule.mostParts) dates and times")
        }
        partsLeft -= 1
    }
}
