/// The rule after the last change of a zone file: POSIX.1-2017, section 8.3, `TZ`, with the hours
/// beyond a day that RFC 8536, section 3.3.1 adds.
struct PosixRule: Hashable, Sendable {
    /// Seconds east of UTC.
    var standard: Int
    /// Nil if the clock is never changed.
    var saving: Saving?

    struct Saving: Hashable, Sendable {
        /// Seconds east of UTC.
        var offset: Int
        var begins: Turn
        var ends: Turn
    }

    /// When in a year the clock is changed.
    struct Turn: Hashable, Sendable {
        enum Day: Hashable, Sendable {
            /// 1…365; there is no 29th of February.
            case ofYear(Int)
            /// 0…365, leap days counted.
            case ofLeapYear(Int)
            /// 0 is Sunday; week 5 is the last.
            case ofMonth(month: Int, week: Int, weekday: Int)
        }

        var day: Day
        /// Seconds after midnight by the clock before the change, -167 h to 167 h.
        var time: Int
    }

    /// The changes of one year, s since 1970, each with the offset that begins there.
    func changes(in year: Int) -> [Zone.Change] {
        guard let saving else { return [] }
        return [
            Zone.Change(
                at: saving.begins.seconds(in: year) - Int64(standard), offset: saving.offset),
            Zone.Change(
                at: saving.ends.seconds(in: year) - Int64(saving.offset), offset: standard),
        ]
    }
}

extension PosixRule.Turn {
    /// By the clock before the change, s since 1970.
    func seconds(in year: Int) -> Int64 {
        let days: Int64
        switch day {
        case .ofYear(let number):
            let isAfter = CalendarDay.isLeap(year) && number >= 60
            days = CalendarDay.days(year: year, month: 1, day: number + (isAfter ? 1 : 0))
        case .ofLeapYear(let number):
            days = CalendarDay.days(year: year, month: 1, day: number + 1)
        case .ofMonth(let month, let week, let weekday):
            let first = CalendarDay.days(year: year, month: month, day: 1)
            // Monday is 0 there, Sunday is 0 here.
            let begins = (CalendarDay(daysSince1970: first).weekday + 1) % 7
            var day = (weekday - begins + 7) % 7 + 1 + (week - 1) * 7
            if day > CalendarDay.length(ofMonth: month, year: year) { day -= 7 }
            days = CalendarDay.days(year: year, month: month, day: day)
        }
        return days * 86_400 + Int64(time)
    }
}

extension PosixRule {
    /// Such as `CET-1CEST,M3.5.0,M10.5.0/3`; nil for anything else.
    init?(_ text: [UInt8]) {
        var scanner = PosixRuleScanner(rest: text[...])
        guard scanner.name(), let west = scanner.offset(hours: 24) else { return nil }
        standard = -west
        if scanner.isAtEnd { return }
        guard scanner.name() else { return nil }
        var offset = standard + 3600
        if scanner.first != UInt8(ascii: ",") {
            guard let west = scanner.offset(hours: 24) else { return nil }
            offset = -west
        }
        guard scanner.skip(","), let begins = scanner.turn(), scanner.skip(","),
            let ends = scanner.turn(), scanner.isAtEnd
        else { return nil }
        saving = Saving(offset: offset, begins: begins, ends: ends)
    }
}

/// Reads the parts of a rule.
private struct PosixRuleScanner {
    var rest: ArraySlice<UInt8>

    var isAtEnd: Bool { rest.isEmpty }
    var first: UInt8? { rest.first }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == character.value else { return false }
        rest.removeFirst()
        return true
    }

    /// Three letters and more, or anything in angle brackets.
    mutating func name() -> Bool {
        if skip("<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
            rest = rest[(end + 1)...]
            return true
        }
        let letters = rest.prefix { (0x41...0x5A).contains($0 & 0xDF) }
        rest = rest.dropFirst(letters.count)
        return letters.count >= 3
    }

    mutating func number(atMost limit: Int) -> Int? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard (1...3).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return value <= limit ? value : nil
    }

    /// `[+-]hh[:mm[:ss]]`, in seconds.
    mutating func offset(hours: Int) -> Int? {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        guard var seconds = number(atMost: hours).map({ $0 * 3600 }) else { return nil }
        for unit in [60, 1] where skip(":") {
            guard let part = number(atMost: 59) else { return nil }
            seconds += part * unit
        }
        return isNegative ? -seconds : seconds
    }

    mutating func turn() -> PosixRule.Turn? {
        var day: PosixRule.Turn.Day?
        if skip("M") {
            guard let month = number(atMost: 12), month > 0, skip("."),
                let week = number(atMost: 5), week > 0, skip("."),
                let weekday = number(atMost: 6)
            else { return nil }
            day = .ofMonth(month: month, week: week, weekday: weekday)
        } else if skip("J") {
            day = number(atMost: 365).flatMap { $0 > 0 ? .ofYear($0) : nil }
        } else {
            day = number(atMost: 365).map { .ofLeapYear($0) }
        }
        guard let day else { return nil }
        guard skip("/") else { return PosixRule.Turn(day: day, time: 2 * 3600) }
        return offset(hours: 167).map { PosixRule.Turn(day: day, time: $0) }
    }
}
