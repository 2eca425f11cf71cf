/// One line of the table of keys: everything there is to know about a key.
package struct SettingKey: Sendable {
    /// Without the brackets.
    package let section: String
    /// As in geofenced.conf: `SettleSec`.
    package let name: String
    /// What it does, in sentences; for the shipped file and the manual.
    package let summary: String
    let kind: SettingKind

    init(_ section: String, _ name: String, _ kind: SettingKind, _ summary: String) {
        self.section = section
        self.name = name
        self.kind = kind
        self.summary = summary
    }

    /// The built-in default in the notation of the file.
    package var defaultText: String { kind.text(in: Settings()) }
}

/// The type of a key's value, its range, and the field it sets.
enum SettingKind: Sendable {
    typealias Field<Value> = any (WritableKeyPath<Settings, Value> & Sendable)

    case quantity(Quantity, Field<Double>, ClosedRange<Double>)
    /// A quantity that nobody can assume: not set by default.
    case unset(Quantity, Field<Double?>, ClosedRange<Double>)
    case count(Field<Int>, ClosedRange<Int>)
    /// Bytes; K, M, G and T are powers of 1024, as in systemd.
    case size(Field<Int>, ClosedRange<Int>)
    case flag(Field<Bool>)
    /// `check` returns why it refuses a text.
    case text(Field<String>, name: String, check: @Sendable (String) -> String?)

    /// The placeholder of the value in the manual.
    var name: String {
        switch self {
        case .quantity(let quantity, _, _), .unset(let quantity, _, _): quantity.name
        case .count: "number"
        case .size: "size"
        case .flag: "boolean"
        case .text(_, let name, _): name
        }
    }

    /// The smallest and the largest value in the notation of the file; nil where there is no range.
    var bounds: (lower: String, upper: String)? {
        switch self {
        case .quantity(let quantity, _, let range), .unset(let quantity, _, let range):
            (quantity.format(range.lowerBound), quantity.format(range.upperBound))
        case .count(_, let range): ("\(range.lowerBound)", "\(range.upperBound)")
        case .size(_, let range):
            (Self.sizeText(range.lowerBound), Self.sizeText(range.upperBound))
        case .flag, .text: nil
        }
    }

    /// The value in `settings`, in the notation of the file.
    func text(in settings: Settings) -> String {
        switch self {
        case .quantity(let quantity, let field, _): quantity.format(settings[keyPath: field])
        case .unset(let quantity, let field, _):
            settings[keyPath: field].map(quantity.format) ?? ""
        case .count(let field, _): "\(settings[keyPath: field])"
        case .size(let field, _): Self.sizeText(settings[keyPath: field])
        case .flag(let field): settings[keyPath: field] ? "yes" : "no"
        case .text(let field, _, _): settings[keyPath: field]
        }
    }

    /// Copies the field's value from `other`.
    func copy(from other: Settings, to settings: inout Settings) {
        switch self {
        case .quantity(_, let field, _): settings[keyPath: field] = other[keyPath: field]
        case .unset(_, let field, _): settings[keyPath: field] = other[keyPath: field]
        case .count(let field, _), .size(let field, _):
            settings[keyPath: field] = other[keyPath: field]
        case .flag(let field): settings[keyPath: field] = other[keyPath: field]
        case .text(let field, _, _): settings[keyPath: field] = other[keyPath: field]
        }
    }

    /// Sets the field to the value of `text`; throws and leaves it unchanged where that is not
    /// valid.
    func assign(_ text: String, to settings: inout Settings) throws(BadValue) {
        switch self {
        case .quantity(let quantity, let field, let range):
            settings[keyPath: field] = try inside(range, try quantity.parse(text))
        case .unset(let quantity, let field, let range):
            settings[keyPath: field] =
                text.isEmpty ? nil : try inside(range, try quantity.parse(text))
        case .count(let field, let range):
            let refusal = BadValue(reason: "not a whole number")
            settings[keyPath: field] = try inside(range, try Self.whole(text, refusal))
        case .size(let field, let range):
            settings[keyPath: field] = try inside(range, try Self.size(text))
        case .flag(let field):
            settings[keyPath: field] = try Self.flag(text)
        case .text(let field, _, let check):
            if let reason = check(text) { throw BadValue(reason: reason) }
            settings[keyPath: field] = text
        }
    }

    private func inside<Value: Comparable>(
        _ range: ClosedRange<Value>, _ value: Value
    ) throws(BadValue) -> Value {
        guard range.contains(value) else {
            let (lower, upper) = bounds ?? ("", "")
            throw BadValue(reason: "out of range: from \(lower) to \(upper)")
        }
        return value
    }

    /// Digits, perhaps after a minus; clamped, so that the range refuses what does not fit.
    static func whole(_ text: String, _ refusal: BadValue) throws(BadValue) -> Int {
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
        guard !digits.isEmpty, digits.count >= text.utf8.count - 1,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { throw refusal }
        return Int(text) ?? (text.hasPrefix("-") ? .min : .max)
    }

    private static let sizeUnits: [(letter: Character, shift: Int)] =
        [("T", 40), ("G", 30), ("M", 20), ("K", 10)]

    static func size(_ text: String) throws(BadValue) -> Int {
        let refusal = BadValue(reason: "not a size such as 64M or 1G")
        let unit = sizeUnits.first { $0.letter == text.last }
        let digits = unit == nil ? text : String(text.dropLast())
        let (size, overflow) =
            try whole(digits, refusal).multipliedReportingOverflow(by: 1 << (unit?.shift ?? 0))
        return overflow ? .max : size
    }

    private static func sizeText(_ size: Int) -> String {
        let unit = sizeUnits.first { size >= 1 << $0.shift && size % (1 << $0.shift) == 0 }
        guard let unit else { return "\(size)" }
        return "\(size >> unit.shift)\(unit.letter)"
    }

    /// The words that systemd's parse_boolean() accepts.
    static func flag(_ text: String) throws(BadValue) -> Bool {
        switch text.lowercased() {
        case "1", "yes", "y", "true", "t", "on": return true
        case "0", "no", "n", "false", "f", "off": return false
        default: throw BadValue(reason: "not a boolean: yes or no")
        }
    }
}
