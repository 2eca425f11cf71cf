/// A length, a weight or a time as people write it on a command line.
enum Measure {
    /// Seconds: `90s`, `90min`, `8h`, `2d`.
    /// - Returns: nil for anything else, also for a number without a unit.
    static func seconds(_ text: String) -> Double? {
        let text = text.filter { $0 != " " }
        for (unit, seconds) in [("min", 60.0), ("s", 1), ("h", 3_600), ("d", 86_400)] {
            if let number = number(text[...], before: [unit]) { return number * seconds }
        }
        return nil
    }

    /// Metres: `4.2`, `4.2m`, `420cm`, `13'10"`, `13ft10in`, `13'`.
    /// - Returns: nil for anything else.
    static func metres(_ text: String) -> Double? {
        let text = text.filter { $0 != " " }
        if let number = number(text[...], before: ["m", ""]) { return number }
        if let number = number(text[...], before: ["cm"]) { return number / 100 }
        for (feet, inch) in [("'", ["\"", "''", ""]), ("ft", ["in", ""]), ("’", ["”", ""])] {
            guard let mark = text.firstRange(of: feet) else { continue }
            let rest = text[mark.upperBound...]
            guard let whole = number(text[..<mark.lowerBound], before: [""]) else { return nil }
            guard !rest.isEmpty else { return whole * 0.3048 }
            guard let inches = number(rest, before: inch), inches < 12 else { return nil }
            return whole * 0.3048 + inches * 0.0254
        }
        return nil
    }

    /// Tonnes: `40`, `40t`, `7500kg`.
    /// - Returns: nil for anything else.
    static func tonnes(_ text: String) -> Double? {
        let text = text.filter { $0 != " " }
        if let number = number(text[...], before: ["t", ""]) { return number }
        return number(text[...], before: ["kg"]).map { $0 / 1000 }
    }

    /// Digits, and perhaps a fraction after a point, before one of these units.
    private static func number(_ text: Substring, before units: [String]) -> Double? {
        for unit in units where text.hasSuffix(unit) {
            let digits = text.dropLast(unit.count)
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }),
                digits.first != ".", digits.last != ".", let number = Double(digits)
            else { continue }
            return number
        }
        return nil
    }
}

extension String {
    /// Where that text begins and ends; nil if it does not occur.
    fileprivate func firstRange(of text: String) -> Range<Index>? {
        indices.lazy.compactMap { start in
            guard self[start...].hasPrefix(text) else { return nil }
            return start..<self.index(start, offsetBy: text.count)
        }.first
    }
}
