/// Why a value was refused: a phrase without a full stop.
package struct BadValue: Error, Hashable, Sendable {
    /// Why.
    package var reason: String

    package init(reason: String) { self.reason = reason }
}

/// A physical quantity in the notation of the file: a decimal number and a unit, or the bare number
/// in the base unit (s, m, m/s, m/s², t). A time span may be a sum, `1h 30min`, as in systemd.time(7).
package enum Quantity: Sendable {
    /// s, m, m/s, m/s², t.
    case timeSpan, length, speed, acceleration, mass

    /// Its name in the manual.
    package var name: String {
        switch self {
        case .timeSpan: "time span"
        case .length: "length"
        case .speed: "speed"
        case .acceleration: "acceleration"
        case .mass: "weight"
        }
    }

    /// What is accepted, for errors.
    private var examples: String {
        switch self {
        case .timeSpan: "a time span such as 10s, 2min, 500ms or 1h 30min"
        case .length: "a length such as 500m or 50km"
        case .speed: "a speed such as 90m/s or 120km/h"
        case .acceleration: "an acceleration such as 2m/s2"
        case .mass: "a weight such as 40t or 7500kg"
        }
    }

    /// A unit in base units, as a fraction, so that 100ms is exactly 0.1; nil for an unknown unit.
    private func scale(of unit: Substring) -> (multiplier: Double, divisor: Double)? {
        switch (self, unit) {
        case (_, ""): (1, 1)
        case (.timeSpan, _): Self.seconds(in: unit)
        case (.length, "m"): (1, 1)
        case (.length, "km"): (1000, 1)
        case (.speed, "m/s"): (1, 1)
        case (.speed, "km/h"): (5, 18)
        case (.acceleration, "m/s2"), (.acceleration, "m/s^2"), (.acceleration, "m/s²"): (1, 1)
        case (.mass, "t"): (1, 1)
        case (.mass, "kg"): (1, 1000)
        default: nil
        }
    }

    /// The units of systemd.time(7), with its lengths of months and years.
    private static func seconds(in unit: Substring) -> (multiplier: Double, divisor: Double)? {
        switch unit {
        case "usec", "us", "μs", "µs": (1, 1_000_000)
        case "msec", "ms": (1, 1000)
        case "seconds", "second", "sec", "s": (1, 1)
        case "minutes", "minute", "min", "m": (60, 1)
        case "hours", "hour", "hr", "h": (3600, 1)
        case "days", "day", "d": (86_400, 1)
        case "weeks", "week", "w": (604_800, 1)
        case "months", "month", "M": (2_629_800, 1)
        case "years", "year", "y": (31_557_600, 1)
        default: nil
        }
    }

    /// The value in base units, finite. A negative number is accepted here and refused by the
    /// range.
    package func parse(_ text: String) throws(BadValue) -> Double {
        let refusal = BadValue(reason: "not \(examples)")
        var rest = text[...]
        var sum = 0.0
        repeat {
            let sign = rest.hasPrefix("-") ? -1.0 : 1.0
            if sign < 0 { rest.removeFirst() }
            let number = rest.prefix(while: isNumeral)
            rest = rest.dropFirst(number.count).drop(while: isSpace)
            // Only a time span may have more than one number and unit.
            let unit =
                self == .timeSpan ? rest.prefix { !isNumeral($0) && !isSpace($0) } : rest
            rest = rest.dropFirst(unit.count).drop(while: isSpace)
            guard number.first != ".", number.last != ".", let value = Double(number),
                let scale = scale(of: unit)
            else { throw refusal }
            sum += sign * value * scale.multiplier / scale.divisor
        } while !rest.isEmpty
        guard sum.isFinite else { throw refusal }
        return sum
    }

    private func isNumeral(_ character: Character) -> Bool {
        character.isASCII && character.isNumber || character == "."
    }

    private func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }

    /// The same within a range, in base units.
    package func parse(
        _ text: String, in range: ClosedRange<Double>
    ) throws(BadValue) -> Double {
        let value = try parse(text)
        guard range.contains(value) else {
            let (lower, upper) = bounds(range)
            throw BadValue(reason: "out of range: from \(lower) to \(upper)")
        }
        return value
    }

    /// A range in the notation of the file.
    func bounds(_ range: ClosedRange<Double>) -> (lower: String, upper: String) {
        (format(range.lowerBound), format(range.upperBound))
    }

    /// The canonical notation of a value in base units.
    package func format(_ value: Double) -> String {
        switch self {
        case .timeSpan: Self.formatSpan(value)
        case .length where value >= 1000 && value.remainder(dividingBy: 1000) == 0:
            "\(Self.plain(value / 1000))km"
        case .length: "\(Self.plain(value))m"
        case .speed: "\(Self.plain(value))m/s"
        case .acceleration: "\(Self.plain(value))m/s2"
        case .mass: "\(Self.plain(value))t"
        }
    }

    private static func formatSpan(_ seconds: Double) -> String {
        guard let total = Int64(exactly: (seconds * 1000).rounded()), total > 0 else { return "0s" }
        var rest = total
        var terms: [String] = []
        let units: [(String, Int64)] = [
            ("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1000), ("ms", 1),
        ]
        for (unit, length) in units where rest >= length {
            terms.append("\(rest / length)\(unit)")
            rest %= length
        }
        return terms.joined(separator: " ")
    }

    private static func plain(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? String(value)
    }
}
