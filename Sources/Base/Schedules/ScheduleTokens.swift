// The words and signs of a schedule, and the errors for those that are not accepted.
extension ScheduleParser {
    struct Token: Hashable {
        enum Kind: Hashable {
            case word(String)
            /// Its value, and its digits.
            case number(Int, digits: Int)
            case sign(Unicode.Scalar)
        }
        var kind: Kind
        /// From 1.
        var position: Int
    }

    static let weekdays = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
    static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    static let uncovered = [
        "SH": "school holidays are not known here", "week": "weeks of the year are not covered",
        "easter": "easter is not covered", "sunrise": "the sun is not covered",
        "sunset": "the sun is not covered", "dawn": "the sun is not covered",
        "dusk": "the sun is not covered", "unknown": "unknown is neither open nor off",
    ]

    static func tokens(_ text: String) -> (tokens: [Token], end: Int) {
        var tokens: [Token] = []
        tokens.reserveCapacity(text.utf8.count)
        let scalars = text.unicodeScalars
        var (next, position) = (scalars.startIndex, 0)
        // How many follow that are like it: a run is one token.
        func skip(_ limit: Int, _ isLike: (Unicode.Scalar) -> Bool) {
            let end = position + limit
            while position < end, next < scalars.endIndex, isLike(scalars[next]) {
                scalars.formIndex(after: &next)
                position += 1
            }
        }
        while next < scalars.endIndex {
            let (start, scalar, first) = (next, scalars[next], position + 1)
            if isDigit(scalar) {
                // The grammar has no number of more than four digits.
                skip(5, isDigit)
                let value = scalars[start..<next].reduce(0) { 10 * $0 + Int($1.value - 0x30) }
                tokens.append(
                    Token(kind: .number(value, digits: position - first + 1), position: first))
            } else if isLetter(scalar) {
                skip(.max - position, isLetter)
                tokens.append(Token(kind: .word(String(text[start..<next])), position: first))
            } else {
                skip(1) { _ in true }
                if scalar != " " { tokens.append(Token(kind: .sign(scalar), position: first)) }
            }
        }
        return (tokens, position + 1)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        (0x30...0x39).contains(scalar.value)
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        (0x61...0x7A).contains(scalar.value | 0x20)
    }

    func peek(_ ahead: Int = 0) -> Token? {
        tokens.indices.contains(place + ahead) ? tokens[place + ahead] : nil
    }

    func number(at ahead: Int) -> Int? {
        if case .number(let value, digits: 1...4)? = peek(ahead)?.kind { value } else { nil }
    }

    func month(at ahead: Int) -> Int? {
        guard case .word(let word)? = peek(ahead)?.kind else { return nil }
        return Self.months.firstIndex(of: word).map { $0 + 1 }
    }

    func weekday(at ahead: Int) -> Int? {
        guard case .word(let word)? = peek(ahead)?.kind else { return nil }
        return Self.weekdays.firstIndex(of: word)
    }

    func isWeekday(at ahead: Int) -> Bool {
        weekday(at: ahead) != nil || peek(ahead)?.kind == .word("PH")
    }

    /// Digits, a colon, digits.
    func isTime(at ahead: Int) -> Bool {
        number(at: ahead) != nil && peek(ahead + 1)?.kind == .sign(":")
            && number(at: ahead + 2) != nil
    }

    /// One or two digits that are not an hour.
    func isDay(at ahead: Int) -> Bool {
        guard case .number(_, digits: 1...2)? = peek(ahead)?.kind else { return false }
        return !isTime(at: ahead)
    }

    func isDate(at ahead: Int) -> Bool {
        if case .number(_, digits: 4)? = peek(ahead)?.kind { return true }
        return month(at: ahead) != nil
    }

    mutating func readYear() -> Int? {
        guard case .number(let year, digits: 4)? = peek()?.kind, year > 0 else { return nil }
        place += 1
        return year
    }

    mutating func readMonth() -> Int? {
        guard let month = month(at: 0) else { return nil }
        place += 1
        return month
    }

    mutating func skip(_ sign: Unicode.Scalar) -> Bool {
        guard peek()?.kind == .sign(sign) else { return false }
        place += 1
        return true
    }

    func flaw(_ reason: String) -> ScheduleFlaw {
        ScheduleFlaw(position: peek()?.position ?? end, reason: reason)
    }

    func unexpected() -> ScheduleFlaw {
        guard let token = peek() else { return flaw("something is missing") }
        switch token.kind {
        case .word(let word):
            return flaw(Self.uncovered[word] ?? "\"\(word)\" is not covered")
        case .number(let value, _): return flaw("\(value) is not expected")
        case .sign("\""): return flaw("comments are not covered")
        case .sign("|"): return flaw("fallback rules are not covered")
        case .sign("("): return flaw("the sun is not covered")
        case .sign(let sign): return flaw("\"\(sign)\" is not expected")
        }
    }
}
