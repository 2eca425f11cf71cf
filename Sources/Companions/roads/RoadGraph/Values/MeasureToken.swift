/// A piece of a measure as people write it.
struct MeasureToken {
    enum Kind: Hashable {
        case number(Number)
        case unit(MeasureUnit)
        case word
        /// Between feet and inches, or the ends of a range.
        case dash
        /// Between two values.
        case separator
    }

    struct Number: Hashable {
        /// As it is written, with a decimal point.
        var value: Double
        /// Where the point or comma may as well divide thousands: without it.
        var grouped: Double?
        /// Of a number without a point and a fraction.
        var digits: String?
        var hasComma = false
    }

    let kind: Kind
    /// Nothing stands between it and the one before.
    let isAttached: Bool

    var number: Number? { if case .number(let number) = kind { number } else { nil } }
    var unit: MeasureUnit? { if case .unit(let unit) = kind { unit } else { nil } }
}

/// From left to right.
struct MeasureTokens {
    private(set) var tokens: [MeasureToken] = []
    /// Somebody says that it is not exact.
    private(set) var isApproximate = false

    private var rest: Substring
    private let isMass: Bool

    private static let approximations: Set<String> = [
        "approx", "approximately", "ca", "circa", "about", "est", "estimated", "env", "environ",
    ]
    private static let labels: Set<String> = [
        "max", "h", "height", "clearance", "clr", "w", "width", "eb", "wb", "nb", "sb",
    ]
    /// Between two values; `to` between masses is a unit.
    private static let conjunctions: Set<String> = ["and", "or", "to", "et", "und", "bis"]
    /// What of an inch a sign may say.
    private static let denominators: Set<Double> = [2, 4, 8, 16]

    /// Nil for what is not made of numbers, units and words.
    /// - Parameter text: as ``MeasureText/normalized(_:)`` gives it.
    init?(_ text: String, isMass: Bool) {
        rest = Substring(text)
        self.isMass = isMass
        var isApart = true
        while let first = rest.first {
            guard first != " " else {
                rest = rest.dropFirst()
                isApart = true
                continue
            }
            guard read(first, isAttached: !isApart && !tokens.isEmpty) else { return nil }
            isApart = false
        }
    }

    /// False for what cannot stand there.
    private mutating func read(_ first: Character, isAttached: Bool) -> Bool {
        if Self.isDigit(first) {
            if readDate() || readFraction() { return true }
            guard let number = readNumber() else { return false }
            tokens.append(MeasureToken(kind: .number(number), isAttached: isAttached))
            return true
        }
        if first.isLetter { return readWord(isAttached) }
        rest = rest.dropFirst()
        let isBehindNumber = isAttached && tokens.last?.number != nil
        switch first {
        case "'", "\"":
            let unit: MeasureUnit = first == "'" ? .foot : .inch
            append(tokens.last?.number != nil ? .unit(unit) : .word, isAttached)
        case "-": append(.dash, isAttached)
        case "~", "<", ">", "≈", "≤", "≥", "±":
            isApproximate = true
            append(.separator, isAttached)
        case "/", "(", ")", "[", "]", ",", "&", "+", "*", "?", "!": append(.separator, isAttached)
        // As 13:6 and .5 these would be numbers of another kind.
        case ":", "=", ".":
            if isBehindNumber || first == ".", rest.first.map(Self.isDigit) == true { return false }
            append(.separator, isAttached)
        case "#" where isBehindNumber && isMass: append(.unit(.pound), isAttached)
        default:
            // Digits of other scripts, and what may join two numbers or be their unit: 4^1, #3500.
            guard first.isSymbol || first.isPunctuation, !"%#".contains(first),
                !isBehindNumber || rest.first.map(Self.isDigit) != true
            else { return false }
            append(.word, isAttached)
        }
        return true
    }

    private mutating func append(_ kind: MeasureToken.Kind, _ isAttached: Bool) {
        tokens.append(MeasureToken(kind: kind, isAttached: isAttached))
    }

    private mutating func readWord(_ isAttached: Bool) -> Bool {
        let text = rest.prefix { $0.isLetter || $0 == "." || $0 == "_" }
        rest = rest.dropFirst(text.count)
        let word = String(text.reversed().drop { $0 == "." }.reversed())
        let isBehindNumber = tokens.last?.number != nil
        if Self.conjunctions.contains(word), !(isMass && word == "to" && isBehindNumber) {
            append(.separator, isAttached)
            return true
        }
        if let unit = MeasureUnit(name: word, isMass: isMass) {
            // 6-ft.
            if isAttached, tokens.last?.kind == .dash, tokens.dropLast().last?.number != nil {
                tokens.removeLast()
            }
            if tokens.last?.number != nil {
                append(.unit(unit), isAttached)
                return true
            }
        }
        if isBehindNumber, let ton = MeasureUnit.tons[word], let unit = nextUnit() {
            append(.unit(unit == .shortTon ? ton : unit), isAttached)
            return true
        }
        // 1e3, 4th.
        guard !isBehindNumber || !isAttached else { return false }
        if Self.approximations.contains(word) { isApproximate = true }
        append(.word, isAttached)
        // Of ca4.5 the number is one; of A12 it is a part of the name.
        return rest.first.map(Self.isDigit) != true || Self.approximations.contains(word)
            || Self.labels.contains(word)
    }

    /// Reads the unit behind a word that says which one it is: 15 short tons.
    private mutating func nextUnit() -> MeasureUnit? {
        var behind = rest.drop { $0 == " " || $0 == "." }
        var word = behind.prefix { $0.isLetter }
        // 15 US short tons.
        if MeasureUnit.tons[String(word)] != nil {
            behind = behind.dropFirst(word.count).drop { $0 == " " || $0 == "." }
            word = behind.prefix { $0.isLetter }
        }
        guard let unit = MeasureUnit(name: String(word), isMass: isMass) else { return nil }
        rest = behind.dropFirst(word.count)
        return unit
    }

    /// `2019-05-01`, `5/1/2019`: when it was measured.
    private mutating func readDate() -> Bool {
        let text = rest.prefix { Self.isDigit($0) || "-./".contains($0) }
        let parts = text.split(omittingEmptySubsequences: false) { "-./".contains($0) }
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty && $0.count <= 4 }) else {
            return false
        }
        let year = parts[0].count == 4 ? parts[0] : parts[2]
        guard year.count == 4, year.hasPrefix("19") || year.hasPrefix("20"),
            parts.filter({ $0.count <= 2 }).count == 2
        else { return false }
        rest = rest.dropFirst(text.count)
        append(.word, false)
        return true
    }

    /// Digits with points or commas, as a decimal number, and as one with thousands if it may be that.
    private mutating func readNumber() -> MeasureToken.Number? {
        var groups = [readDigits()]
        var marks: [Character] = []
        while let mark = rest.first, ".,' ".contains(mark) {
            let next = rest.dropFirst().prefix(while: Self.isDigit)
            guard !next.isEmpty else { break }
            if mark == " " || mark == "'" {
                let behind = rest.dropFirst(4)
                // 0'162" are inches.
                guard next.count == 3,
                    mark == "'" ? behind.first != "\"" : isThousands(behind: behind)
                else { break }
            }
            // 4.1,3.9 are two.
            if mark == ",", marks == ["."], isDecimal(rest.dropFirst()) { break }
            rest = rest.dropFirst()
            marks.append(mark)
            groups.append(readDigits())
        }
        let digits = groups.joined()
        guard digits.count <= 15, let whole = Double(digits) else { return nil }
        guard let last = marks.last else {
            return MeasureToken.Number(value: whole, digits: digits)
        }
        let areThousands =
            (1...3).contains(groups[0].count) && groups[0].first != "0"
            && groups.dropFirst().allSatisfy { $0.count == 3 } && Set(marks).count == 1
        if areThousands, marks.count > 1 || last == " " || last == "'" {
            return MeasureToken.Number(value: whole)
        }
        // 1.234,5 has one decimal mark, behind those of thousands; 1.2.3 is a date.
        let isDecimal = marks.count == 1 || !marks.dropLast().contains(last)
        let text = groups.dropLast().joined() + "." + groups[groups.count - 1]
        guard isDecimal, last == "." || last == ",", let value = Double(text) else { return nil }
        return MeasureToken.Number(
            value: value, grouped: areThousands ? whole : nil, hasComma: last == ",")
    }

    /// Whether three digits behind a space go on with the number: of masses, and of small units.
    private func isThousands(behind text: Substring) -> Bool {
        let word = text.drop { $0 == " " }.prefix { $0.isLetter }
        return isMass || ["mm", "cm"].contains(String(word))
    }

    private func isDecimal(_ text: Substring) -> Bool {
        let behind = text.drop(while: Self.isDigit)
        return behind.first == "." && behind.dropFirst().first.map(Self.isDigit) == true
    }

    private mutating func readDigits() -> String {
        let digits = rest.prefix(while: Self.isDigit)
        rest = rest.dropFirst(digits.count)
        return String(digits)
    }

    /// `1/2` behind a number, or of an inch alone.
    private mutating func readFraction() -> Bool {
        let upper = rest.prefix(while: Self.isDigit)
        var behind = rest.dropFirst(upper.count)
        guard upper.count <= 2, behind.first == "/" else { return false }
        behind = behind.dropFirst()
        let lower = behind.prefix(while: Self.isDigit)
        behind = behind.dropFirst(lower.count)
        guard lower.count <= 2, let above = Double(upper), let below = Double(lower),
            Self.denominators.contains(below), above < below,
            above.truncatingRemainder(dividingBy: 2) == 1,
            behind.first.map({ !".,'".contains($0) }) ?? true || tokens.last?.number != nil
        else { return false }
        // Of 6-1/2 the dash joins.
        if tokens.last?.kind == .dash, tokens.dropLast().last?.number?.digits != nil {
            tokens.removeLast()
        }
        if let last = tokens.last, var number = last.number {
            guard number.digits != nil else { return false }
            number.value += above / below
            number.digits = nil
            tokens[tokens.count - 1] = MeasureToken(
                kind: .number(number), isAttached: last.isAttached)
        } else {
            if tokens.last?.unit == .inch {
                // 6" 1/2.
                append(.word, false)
            } else {
                guard behind.drop(while: { $0 == " " }).first == "\"" else { return false }
                append(.number(MeasureToken.Number(value: above / below)), true)
            }
        }
        rest = behind
        return true
    }

    private static func isDigit(_ character: Character) -> Bool {
        character.isASCII && character.isNumber
    }
}
