import JSON
import Time

/// Values as servers write them, understood as what they mean.
enum RowValue {
    /// The value at a path; nil where it is not there, is null, or is an empty text, as which
    /// MapServer writes null.
    static func at(_ path: [String], of entry: JSONValue) -> JSONValue? {
        var value = entry
        for name in path {
            guard let inner = value[name] else { return nil }
            value = inner
        }
        switch value {
        case .null: return nil
        case .string(let text) where text.isEmpty: return nil
        default: return value
        }
    }

    /// Whether an entry has no member at a path, not even a null.
    static func isMissing(_ path: [String], in entry: JSONValue) -> Bool {
        var value = entry
        for name in path {
            guard case .object = value else { return false }
            guard let inner = value[name] else { return true }
            value = inner
        }
        return false
    }

    /// A text, or a number as its digits.
    static func text(_ value: JSONValue) throws(FlawedValue) -> String {
        switch value {
        case .string(let text): return text
        case .number(let number): return number.text
        case .bool(let flag): return flag ? "true" : "false"
        default: throw FlawedValue(reason: "no text")
        }
    }

    /// A number, or its decimal text: OData 2 writes Double, Decimal and Int64 as text.
    static func number(_ value: JSONValue) throws(FlawedValue) -> JSONNumber {
        switch value {
        case .number(let number): return number
        case .string(let text):
            // INF and NaN are texts, too.
            let isPlain = text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "+-.eE".utf8.contains($0)
            }
            guard isPlain, text.utf8.count <= 64, let double = Double(text) else { break }
            if let integer = Int64(text) { return JSONNumber(integer) }
            if let number = JSONNumber(double) { return number }
        default: break
        }
        throw FlawedValue(reason: "no number")
    }

    /// True or false, a word for them, or 1 or 0.
    static func flag(_ value: JSONValue) throws(FlawedValue) -> Bool {
        switch value {
        case .bool(let flag): return flag
        case .number(let number):
            if number.integer == 1 { return true }
            if number.integer == 0 { return false }
        case .string(let text):
            switch text.lowercased() {
            case "true", "yes", "y", "1", "x": return true
            case "false", "no", "n", "0": return false
            default: break
            }
        default: break
        }
        throw FlawedValue(reason: "neither yes nor no")
    }

    /// GeoJSON, as an object or a text, or WKT.
    static func geometry(_ value: JSONValue) throws(FlawedValue) -> JSONValue {
        switch value {
        case .object: return value
        case .string(let text):
            guard text.utf8.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else {
                return try WellKnownText.geometry(text)
            }
            // Beside the entry itself. What fits into a string has fewer positions than that.
            var limits = JSONLimits()
            limits.values = 1 << 18
            guard let geometry = try? JSONValue(parsing: text, limits: limits) else { break }
            return geometry
        default: break
        }
        throw FlawedValue(reason: "no geometry")
    }

    /// What is kept: OData 2's `/Date(1517391000000)/`, perhaps with the minutes of a zone after
    /// it, as ISO 8601.
    static func kept(_ value: JSONValue) -> JSONValue {
        guard case .string(let text) = value, text.hasPrefix("/Date("), text.hasSuffix(")/") else {
            return value
        }
        let inner = text.dropFirst(6).dropLast(2)
        let sign = inner.dropFirst().firstIndex { $0 == "+" || $0 == "-" } ?? inner.endIndex
        // Within the years 1 to 9999.
        guard let milliseconds = Int64(inner[..<sign]),
            (-62_135_596_800_000...253_402_300_799_999).contains(milliseconds),
            milliseconds.magnitude < 9_000_000_000_000_000
        else { return value }
        let seconds = milliseconds / 1000
        // A UTCTime has nanoseconds in 64 bits: the years 1678 to 2262.
        guard seconds.magnitude < 9_000_000_000 else { return value }
        let time = UTCTime(nanoseconds: milliseconds * 1_000_000)
        return .string(time.iso8601)
    }
}
