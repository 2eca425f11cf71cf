package import Time

/// One line of a table of keys: everything there is to know about a key.
package struct SettingKey<Root>: Sendable {
    /// Without the brackets.
    package let section: String
    /// As in the file: `SettleSec`.
    package let name: String
    /// What it does, in sentences; for the shipped file and the manual.
    package let summary: String
    /// Its value.
    package let kind: SettingKind<Root>

    package init(
        _ section: String, _ name: String, _ kind: SettingKind<Root>, _ summary: String
    ) {
        self.section = section
        self.name = name
        self.kind = kind
        self.summary = summary
    }
}

/// The type of a key's value, its range, and the field of the settings that it sets.
package struct SettingKind<Root>: Sendable {
    /// A field of the settings.
    package typealias Field<Value> = any (WritableKeyPath<Root, Value> & Sendable)

    /// The placeholder of the value in the manual.
    package let name: String
    /// The smallest and the largest value in the notation of the file; nil where there is no range.
    let bounds: (lower: String, upper: String)?
    /// The value in settings, in the notation of the file.
    package let text: @Sendable (Root) -> String
    /// Copies the value from one to the other.
    package let copy: @Sendable (_ other: Root, _ settings: inout Root) -> Void
    private let write: @Sendable (_ text: String, _ settings: inout Root) throws -> Void

    /// Sets the field to the value of a text.
    /// - Throws: ``BadValue`` where that is not valid; then the field is unchanged.
    package func assign(_ text: String, to settings: inout Root) throws(BadValue) {
        do { try write(text, &settings) } catch {
            throw error as? BadValue ?? BadValue(reason: "\(error)")
        }
    }

    private init<Value>(
        _ name: String, _ field: Field<Value>, bounds: (lower: String, upper: String)? = nil,
        format: @escaping @Sendable (Value) -> String,
        parse: @escaping @Sendable (String) throws -> Value
    ) {
        self.name = name
        self.bounds = bounds
        text = { format($0[keyPath: field]) }
        copy = { $1[keyPath: field] = $0[keyPath: field] }
        write = { $1[keyPath: field] = try parse($0) }
    }
}

// MARK: - Kinds

extension SettingKind {
    /// A physical quantity in base units.
    package static func quantity(
        _ quantity: Quantity, _ field: Field<Double>, _ range: ClosedRange<Double>
    ) -> Self {
        Self(quantity.name, field, bounds: quantity.bounds(range), format: quantity.format) {
            try quantity.parse($0, in: range)
        }
    }

    /// A quantity that nobody can assume: nil by default, and for an empty text.
    package static func unset(
        _ quantity: Quantity, _ field: Field<Double?>, _ range: ClosedRange<Double>
    ) -> Self {
        Self(
            quantity.name, field, bounds: quantity.bounds(range),
            format: { $0.map(quantity.format) ?? "" }
        ) { $0.isEmpty ? nil : try quantity.parse($0, in: range) }
    }

    /// A time span; the range is in seconds.
    package static func span(_ field: Field<TimeSpan>, _ range: ClosedRange<Double>) -> Self {
        let quantity = Quantity.timeSpan
        return Self(
            quantity.name, field, bounds: quantity.bounds(range),
            format: { quantity.format($0.seconds) }
        ) { .seconds(try quantity.parse($0, in: range)) }
    }

    /// A whole number.
    package static func count<Value: FixedWidthInteger & Sendable>(
        _ field: Field<Value>, _ range: ClosedRange<Value>
    ) -> Self {
        let numbers = Int(range.lowerBound)...Int(range.upperBound)
        return Self(
            "number", field, bounds: ("\(range.lowerBound)", "\(range.upperBound)"),
            format: { "\($0)" }
        ) { Value(try SettingValue.count($0, in: numbers)) }
    }

    /// Bytes; K, M, G and T are powers of 1024, as in systemd.
    package static func size(_ field: Field<Int64>, _ range: ClosedRange<Int64>) -> Self {
        let text = SettingValue.sizeText
        return Self(
            "size", field, bounds: (text(range.lowerBound), text(range.upperBound)), format: text
        ) { try SettingValue.size($0, in: range) }
    }

    /// Yes or no.
    package static func flag(_ field: Field<Bool>) -> Self {
        Self("boolean", field, format: { $0 ? "yes" : "no" }) { try SettingValue.flag($0) }
    }

    /// A text; `check` returns why it refuses one.
    package static func text(
        _ field: Field<String>, name: String, check: @escaping @Sendable (String) -> String?
    ) -> Self {
        Self(name, field, format: { $0 }) { text in
            if let reason = check(text) { throw BadValue(reason: reason) }
            return text
        }
    }

    /// A value with a notation of its own; `parse` throws ``BadValue``, or an error that describes
    /// itself as a phrase.
    package static func value<Value>(
        _ field: Field<Value>, name: String, format: @escaping @Sendable (Value) -> String,
        parse: @escaping @Sendable (String) throws -> Value
    ) -> Self {
        Self(name, field, format: format, parse: parse)
    }
}
