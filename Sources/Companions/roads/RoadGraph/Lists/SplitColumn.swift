/// Two columns of a list that have one value together: whole units, and the rest of it in smaller ones, as
/// `clearance_ft` and `clearance_in`.
package struct SplitColumn: Sendable {
    /// The name of the column of whole units, as it is written.
    package let name: String
    /// That of the rest.
    package let restName: String
    /// Of the whole ones.
    package let unit: MeasureUnit
    /// Of the rest.
    package let restUnit: MeasureUnit

    private static let pairs: [(MeasureUnit, MeasureUnit)] = [
        (.foot, .inch), (.metre, .centimetre), (.tonne, .kilogram),
    ]

    /// The column and the one that belongs to it, whichever of the two was named; nil: it stands alone.
    /// - Parameters:
    ///   - name: of the column that was named, as it is written.
    ///   - unit: of that column.
    ///   - others: columns that have no other role.
    ///   - told: the unit of such a column that a row of units has; nil: there is none.
    init?(
        _ name: String, in unit: MeasureUnit, among others: [String],
        told: (String) -> MeasureUnit?
    ) {
        for (whole, rest) in Self.pairs where unit == whole || unit == rest {
            let wanted = unit == whole ? rest : whole
            let own = MeasureUnit.stem(of: name, without: unit) ?? MeasureUnit.words(name)
            let stems = others.compactMap { other -> (String, [String])? in
                let stem =
                    MeasureUnit.stem(of: other, without: wanted)
                    ?? (told(other) == wanted ? MeasureUnit.words(other) : nil)
                return stem.map { (other, $0) }
            }
            // `Inches` alone belongs to whatever is in feet.
            let found = stems.first { $0.1 == own } ?? stems.first { $0.1.isEmpty }
            guard let other = found?.0 else { continue }
            (self.name, restName) = unit == whole ? (name, other) : (other, name)
            (self.unit, restUnit) = (whole, rest)
            return
        }
        return nil
    }

    /// The value of a row, as it would stand on a sign; nil: there is none. Where the two cannot be parts of
    /// one value both are in it, so that the lower counts.
    func text(of row: [String: String]) -> String? {
        func cell(_ name: String) -> String? {
            row[name.lowercased()].map(\.trimmed).flatMap { $0.isEmpty ? nil : $0 }
        }
        let text = cell(name)
        guard let rest = cell(restName) else { return text }
        let (whole, part) = (Self.number(text ?? "0"), Self.number(rest))
        let ratio = (unit.size / restUnit.size).rounded()
        // 0 and -9999 stand for no value, and so do nines.
        if let part, part <= 0 || part >= ratio && BridgeList.isNines(rest) { return text }
        guard let text, whole != 0 else { return Self.measure(rest, part, restUnit) }
        if let whole, whole < 0 || BridgeList.isNines(text) { return text }
        let both = [Self.measure(text, whole, unit), Self.measure(rest, part, restUnit)]
        // 13 ft, and the same in inches: 156; or 13.5 ft, and what the half of a foot is.
        let surplus = (whole ?? 0).truncatingRemainder(dividingBy: 1) * ratio
        if let whole, let part,
            (whole * ratio - part).magnitude <= max(1, part * 0.01)
                || surplus > 0 && (surplus - part).magnitude <= 1
        {
            return text
        }
        return both.joined(separator: surplus == 0 && part ?? 0 < ratio ? " " : "; ")
    }

    private static func number(_ text: String) -> Double? {
        Double(String(text.map { $0 == "," ? "." : $0 })).flatMap { $0.isFinite ? $0 : nil }
    }

    /// A number with its unit; another text as it is.
    private static func measure(_ text: String, _ number: Double?, _ unit: MeasureUnit) -> String {
        guard let number else { return text }
        return "\(Int(exactly: number).map(String.init) ?? text) \(unit.rawValue)"
    }
}
