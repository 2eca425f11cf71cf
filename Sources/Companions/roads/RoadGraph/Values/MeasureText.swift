/// A length or a mass as people write it on maps: numbers, each with a unit or none.
struct MeasureText {
    /// A value in m or t, and why it may be meant otherwise.
    struct Measure: Equatable {
        var value: Double
        var doubt: String?
    }

    /// What a number without a unit is.
    enum BareNumber {
        /// m or t, unless only another unit makes sense.
        case guessed
        /// m or t.
        case metric
    }

    private enum Unit {
        case none, metre, centimetre, foot, inch, tonne, kilogram, pound, shortTon, longTon

        /// m or t.
        var size: Double {
            switch self {
            case .none, .metre, .tonne: 1
            case .centimetre: 0.01
            case .foot: 0.3048
            case .inch: 0.0254
            case .kilogram: 0.001
            case .pound: 0.000_453_592_37
            case .shortTon: 0.907_184_74
            case .longTon: 1.016_046_908_8
            }
        }

        var isMass: Bool {
            switch self {
            case .tonne, .kilogram, .pound, .shortTon, .longTon: true
            default: false
            }
        }
    }

    private static let units: [String: Unit] = [
        "m": .metre, "m.": .metre, "meter": .metre, "meters": .metre, "metre": .metre,
        "metres": .metre, "mtr": .metre, "cm": .centimetre, "'": .foot, "ft": .foot, "ft.": .foot,
        "foot": .foot, "feet": .foot, "\"": .inch, "in": .inch, "in.": .inch, "inch": .inch,
        "inches": .inch, "t": .tonne, "t.": .tonne, "to": .tonne, "tonne": .tonne,
        "tonnes": .tonne, "kg": .kilogram, "lb": .pound, "lbs": .pound, "st": .shortTon,
        "ton": .shortTon, "tons": .shortTon, "lt": .longTon,
    ]

    private var parts: [(number: Double, unit: Unit)] = []
    private var doubt: String?
    private var isReadable = true

    /// - Parameter text: as ``normalized(_:)`` gives it.
    init(_ text: String) {
        var rest = Substring(text)
        if rest.hasPrefix("~") {
            rest = rest.dropFirst()
            doubt = "approximate"
        }
        for word in ["approx.", "approx", "ca.", "ca"] where rest.hasSuffix(word) {
            rest = rest.dropLast(word.count)
            doubt = "approximate"
            break
        }
        while isReadable {
            rest = rest.drop { $0 == " " }
            if rest.isEmpty { break }
            guard let number = number(&rest) else {
                isReadable = false
                break
            }
            rest = rest.drop { $0 == " " }
            let word = unitWord(&rest)
            if word.isEmpty {
                parts.append((number, .none))
            } else if let unit = Self.units[String(word)] {
                parts.append((number, unit))
            } else {
                isReadable = false
            }
        }
    }

    /// Lower case, typewriter marks, without spaces at the ends. The rest of a text of more than
    /// 255 characters, which OpenStreetMap does not store, is cut off.
    static func normalized(_ text: String) -> String {
        var result = ""
        for character in text.prefix(255) {
            switch character {
            case "′", "’", "‘", "´", "`": result.append("'")
            case "″", "”", "“", "„": result.append("\"")
            case "\u{A0}", "\t", "\n", "\r\n": result.append(" ")
            default: result += character.lowercased()
            }
        }
        // Two apostrophes are one mark of inches.
        var marks = ""
        for character in result {
            if character == "'", marks.last == "'" {
                marks.removeLast()
                marks.append("\"")
            } else {
                marks.append(character)
            }
        }
        let start = marks.drop { $0 == " " }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }

    /// In m or t; nil if it cannot be read as such a kind.
    /// - Parameter bare: what a number without a unit is.
    func measure(_ kind: LimitKind, bare: BareNumber) -> Measure? {
        guard isReadable, let first = parts.first, parts.count <= 2 else { return nil }
        let isMass = kind == .weight || kind == .axleLoad
        guard parts.allSatisfy({ $0.unit == .none || $0.unit.isMass == isMass }) else { return nil }
        if parts.count == 2 { return isMass ? nil : feetAndInches }
        if first.unit == .none {
            return bare == .metric
                ? Measure(value: first.number, doubt: doubt) : guess(first.number, kind)
        }
        return Measure(value: first.number * first.unit.size, doubt: doubt)
    }

    /// A number without a unit: metres or tonnes, unless only another unit makes sense.
    private func guess(_ number: Double, _ kind: LimitKind) -> Measure {
        switch kind {
        case .height where number > 7 && (1.5...6.1).contains(number * Unit.foot.size):
            Measure(value: number * Unit.foot.size, doubt: "over 7 without a unit: feet")
        case .weight, .axleLoad:
            if number >= 500 {
                Measure(value: number * Unit.kilogram.size, doubt: "500 or more without a unit: kg")
            } else {
                Measure(value: number, doubt: doubt)
            }
        default:
            Measure(value: number, doubt: doubt)
        }
    }

    private var feetAndInches: Measure? {
        let (a, b) = (parts[0], parts[1])
        switch (a.unit, b.unit) {
        case (.foot, .inch), (.foot, .none):
            guard a.number >= 0, b.number >= 0 else { return nil }
            var doubt = doubt
            if b.unit == .none { doubt = "the mark of inches is missing" }
            if b.number >= 12 { doubt = "twelve inches or more: added up" }
            return Measure(
                value: a.number * Unit.foot.size + b.number * Unit.inch.size, doubt: doubt)
        case (.inch, .foot):
            let readings = [(a.number, b.number), (b.number, a.number)].map {
                $0.0 * Unit.foot.size + $0.1 * Unit.inch.size
            }
            return Measure(value: min(readings[0], readings[1]), doubt: "marks swapped: the lower")
        default:
            return nil
        }
    }

    /// Digits with at most one decimal point, or comma, which is a doubt.
    private mutating func number(_ rest: inout Substring) -> Double? {
        var text = ""
        var points = 0
        while let character = rest.first {
            if character == "." || character == "," {
                // A point at the end belongs to the unit, or to nothing.
                guard let next = rest.dropFirst().first, next.isASCII, next.isNumber else { break }
                points += 1
                if character == "," { doubt = "decimal comma" }
                text.append(".")
            } else if character.isASCII, character.isNumber {
                text.append(character)
            } else {
                break
            }
            rest = rest.dropFirst()
        }
        guard points <= 1, text.first != ".", text.count <= 20 else { return nil }
        return Double(text)
    }

    private func unitWord(_ rest: inout Substring) -> Substring {
        if let first = rest.first, first == "'" || first == "\"" {
            rest = rest.dropFirst()
            return first == "'" ? "'" : "\""
        }
        let word = rest.prefix { $0.isLetter || $0 == "." }
        rest = rest.dropFirst(word.count)
        return word
    }
}
