/// A length or a mass as people write it on maps and in lists: one value or several, each of numbers
/// with a unit or none. Where it can be read in several ways all of them are kept, for the lowest counts.
struct MeasureText {
    /// One way to read it.
    struct Reading: Hashable {
        /// m or t.
        var value: Double
        /// Why it may be meant otherwise; nil: it may not.
        var doubt: String?
        /// Feet, inches or yards.
        var isImperial = false
        /// With a unit of its own, or of its column.
        var hasUnit = false
    }

    /// What a number without a unit is.
    enum BareNumber: Hashable {
        /// m or t, unless only another unit makes sense; of masses kilograms.
        case guessed
        /// The same, where masses may be in pounds: the unit that makes them lowest.
        case guessedLow
        /// m or t.
        case metric
        /// Its column says so.
        case of(MeasureUnit)
    }

    /// In the order of the text; empty if it cannot be read as such a kind.
    private(set) var readings: [Reading] = []
    /// A number without a unit, and nothing else.
    private(set) var bareNumber: Double?

    private let kind: LimitKind
    private let bare: BareNumber
    private var tokens: [MeasureToken] = []
    private var position = 0
    /// There is something that is not read.
    private var hasWords = false

    /// - Parameters:
    ///   - text: as ``normalized(_:)`` gives it.
    ///   - bare: what a number without a unit is.
    init(_ text: String, _ kind: LimitKind, bare: BareNumber) {
        self.kind = kind
        self.bare = bare
        guard let found = MeasureTokens(text, isMass: kind.isMass) else { return }
        tokens = found.tokens
        if tokens.count == 1 { bareNumber = tokens[0].number?.value }
        // -3.
        guard tokens.first?.kind != .dash else { return }
        while position < tokens.count {
            switch tokens[position].kind {
            case .number: readings += readNumber()
            case .unit, .word:
                hasWords = true
                position += 1
            case .dash, .separator: position += 1
            }
        }
        if found.isApproximate { doubt("approximate") }
        if hasWords { doubt("words beside the number") }
        if readings.contains(where: { !kind.plausible.contains($0.value) }) {
            doubt("a number beside it that cannot be one")
        }
        if isDifferent { doubt("several values: the lowest") }
    }

    /// The lowest that such a limit can have; nil if there is none.
    var lowest: Reading? {
        readings.filter { kind.plausible.contains($0.value) }.min { $0.value < $1.value }
    }

    private mutating func doubt(_ why: String) {
        for index in readings.indices where readings[index].doubt == nil {
            readings[index].doubt = why
        }
    }

    /// Two units on one sign are rounded: up to 6 cm, or 5 %.
    private var isDifferent: Bool {
        let values = readings.map(\.value).filter { kind.plausible.contains($0) }
        guard let least = values.min(), let most = values.max() else { return false }
        return most - least > max(0.06, kind.isMass ? least * 0.05 : 0)
    }

    // MARK: One value

    /// From a number on.
    private mutating func readNumber() -> [Reading] {
        guard let first = nextNumber() else { return [] }
        guard let unit = nextUnit() else {
            return pair(first) ?? readings(first, in: nil)
        }
        guard unit.isMass == kind.isMass else {
            hasWords = true
            return []
        }
        switch unit {
        case .foot:
            if let found = feet(first.value) { return found }
        case .inch:
            if let found = swapped(first.value) { return found }
        case .metre, .tonne:
            if let found = continued(first, unit) { return [found] }
        default: break
        }
        return readings(first, in: unit)
    }

    private func number(at ahead: Int) -> MeasureToken.Number? {
        tokens.indices.contains(position + ahead) ? tokens[position + ahead].number : nil
    }

    private func unit(at ahead: Int) -> MeasureUnit? {
        tokens.indices.contains(position + ahead) ? tokens[position + ahead].unit : nil
    }

    private func isKind(_ kind: MeasureToken.Kind, at ahead: Int) -> Bool {
        tokens.indices.contains(position + ahead) && tokens[position + ahead].kind == kind
    }

    private mutating func nextNumber() -> MeasureToken.Number? {
        defer { position += 1 }
        return number(at: 0)
    }

    private mutating func nextUnit() -> MeasureUnit? {
        guard let unit = unit(at: 0) else { return nil }
        position += 1
        return unit
    }

    /// A number with a unit, or without.
    private func readings(_ number: MeasureToken.Number, in unit: MeasureUnit?) -> [Reading] {
        var found = [reading(number.value, in: unit)]
        if number.hasComma, found[0].doubt == nil { found[0].doubt = "decimal comma" }
        if let grouped = number.grouped { found.append(reading(grouped, in: unit)) }
        // 7,500 kg are not 7.5 kg.
        let plausible = found.filter { kind.plausible.contains($0.value) }
        return plausible.isEmpty ? [found[0]] : plausible
    }

    private func reading(_ value: Double, in unit: MeasureUnit?) -> Reading {
        if let unit {
            return Reading(
                value: value * unit.size, isImperial: unit.isImperial, hasUnit: true)
        }
        switch bare {
        case .of(let unit):
            return Reading(value: value * unit.size, isImperial: unit.isImperial, hasUnit: true)
        case .metric: return Reading(value: value)
        case .guessed: return kind.guess(value, mayBePounds: false)
        case .guessedLow: return kind.guess(value, mayBePounds: true)
        }
    }

    // MARK: Feet and inches

    /// Behind feet: inches, which may lack their mark, as 6 may in 13'6, 13'-6 and 13 ft 6.
    private mutating func feet(_ feet: Double) -> [Reading]? {
        var ahead = 0
        if isKind(.dash, at: 0) || isKind(.separator, at: 0) { ahead = 1 }
        guard let inches = number(at: ahead)?.value else { return nil }
        var doubt: String?
        switch unit(at: ahead + 1) {
        case .inch?:
            if inches >= 12 { doubt = "twelve inches or more: added up" }
            ahead += 2
        case nil where inches < 12 && !isKind(.separator, at: 0):
            doubt = "the mark of inches is missing"
            ahead += 1
        // 13'6'.
        case .foot? where inches < 12 && ahead == 0 && tokens[position].isAttached:
            doubt = "the mark of inches is missing"
            ahead += 2
        default: return nil
        }
        position += ahead
        return [feetAndInches(feet, inches, doubt)]
    }

    private func feetAndInches(_ feet: Double, _ inches: Double, _ doubt: String?) -> Reading {
        Reading(
            value: feet * MeasureUnit.foot.size + inches * MeasureUnit.inch.size, doubt: doubt,
            isImperial: true, hasUnit: true)
    }

    /// Feet behind inches.
    private mutating func swapped(_ first: Double) -> [Reading]? {
        guard let second = number(at: 0)?.value else { return nil }
        // 13"6".
        if unit(at: 1) == .inch, tokens[position].isAttached, (4...40).contains(first), second < 12
        {
            position += 2
            return [feetAndInches(first, second, "the mark of feet is missing")]
        }
        guard unit(at: 1) == .foot else { return nil }
        position += 2
        return [(first, second), (second, first)].map {
            feetAndInches($0.0, $0.1, "marks swapped: the lower")
        }
    }

    // MARK: Metres and centimetres, tonnes and kilograms

    /// 3m95, 3 m 95 cm, 7t5.
    private mutating func continued(
        _ first: MeasureToken.Number, _ unit: MeasureUnit
    ) -> Reading? {
        guard let whole = first.digits, let second = number(at: 0) else { return nil }
        let isAttached = tokens[position].isAttached
        if let small = self.unit(at: 1) {
            guard small.size <= 0.1, small.isMass == kind.isMass, !small.isImperial else {
                return nil
            }
            position += 2
            return Reading(value: first.value + second.value * small.size, hasUnit: true)
        }
        guard let digits = second.digits,
            isAttached || digits.count == (unit == .metre ? 2 : 3),
            let decimal = Double("\(whole).\(digits)")
        else { return nil }
        position += 1
        // 3m5 is 3.50 or 3.05.
        if unit == .metre, digits.count == 1 {
            return Reading(
                value: first.value + second.value / 100, doubt: "one digit behind the m",
                hasUnit: true)
        }
        return Reading(value: decimal, hasUnit: true)
    }

    // MARK: Two numbers, of which the first one has no unit

    /// 13-6, 13 6", 4.5-4.8 m; nil if they have nothing to do with each other.
    private mutating func pair(_ first: MeasureToken.Number) -> [Reading]? {
        let isRange = isKind(.dash, at: 0)
        let ahead = isRange || isKind(.separator, at: 0) ? 1 : 0
        guard let second = number(at: ahead) else { return nil }
        let unit = unit(at: ahead + 1)
        guard unit.map({ $0.isMass == kind.isMass }) ?? true else { return nil }
        let behind = ahead + (unit == nil ? 1 : 2)
        let inches = ahead == 1 && !isRange ? nil : inches(first, second, unit)
        if let inches {
            position += behind
            // 8-9 ft are 8 ft 9 in, or 8 ft and more.
            let isAscending = isRange && second.value > first.value
            return [inches] + (isAscending ? readings(first, in: unit) : [])
        }
        if isRange, first.digits?.count == 1, second.digits?.count == 2, unit ?? .metre == .metre,
            !kind.isMass, !kind.plausible.contains(second.value)
        {
            position += behind
            let value = first.value + second.value / 100
            return [Reading(value: value, doubt: "a dash for a point")]
        }
        // 10,000/12,000 lbs: what is near to the other one has its unit.
        guard ahead == 1, let unit, (0.5...2).contains(first.value / second.value) else {
            return nil
        }
        return readings(first, in: unit)
    }

    /// Two numbers as feet and inches, where they can be: 13-6, 13 06, 5-11".
    private func inches(
        _ first: MeasureToken.Number, _ second: MeasureToken.Number, _ unit: MeasureUnit?
    ) -> Reading? {
        let isOfFeet = bare == .of(.foot)
        guard !kind.isMass, first.digits != nil, second.value < 12,
            second.digits != nil || unit == .inch,
            unit == .inch || (unit == nil || unit == .foot) && (first.value >= 5 || isOfFeet)
        else { return nil }
        return feetAndInches(
            first.value, second.value,
            isOfFeet && unit == nil ? nil : "the mark of feet is missing")
    }
}

extension LimitKind {
    /// A number without a unit: metres or tonnes, unless only another unit makes sense; the one that
    /// makes it lowest.
    fileprivate func guess(_ number: Double, mayBePounds: Bool) -> MeasureText.Reading {
        if isMass {
            guard number >= 500 else { return .init(value: number) }
            // As lorries are limited in the United States; in kilograms it would be no limit.
            let mayBePounds = mayBePounds && number * MeasureUnit.pound.size >= 0.5
            let unit: MeasureUnit = mayBePounds || number > 76_000 ? .pound : .kilogram
            return .init(
                value: number * unit.size, doubt: "500 or more without a unit: \(unit.rawValue)")
        }
        if self == .height, number > 7, number * MeasureUnit.foot.size <= 6.1 {
            return .init(
                value: number * MeasureUnit.foot.size, doubt: "over 7 without a unit: feet",
                isImperial: true)
        }
        guard number > plausible.upperBound else { return .init(value: number) }
        let units: [MeasureUnit] =
            self == .height ? [.centimetre, .millimetre] : [.foot, .centimetre, .millimetre]
        let readings = units.map { unit in
            MeasureText.Reading(
                value: number * unit.size, doubt: "too large without a unit: \(unit.rawValue)",
                isImperial: unit.isImperial)
        }
        return readings.filter { plausible.contains($0.value) }.min { $0.value < $1.value }
            ?? .init(value: number)
    }
}
