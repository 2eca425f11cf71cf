import Bytes
import Formats
import JSON
import Time

/// Values written as bare text, as in CSV and KML.
enum TextValue {
    /// A decimal number; nil if there are only spaces.
    /// - Parameter decimalComma: a comma may replace the point.
    static func number(
        _ name: @autoclosure () -> String, _ bytes: ByteView, decimalComma: Bool = false
    ) throws(EntryFlaw) -> Double? {
        let bytes = trimmed(bytes)
        guard !bytes.isEmpty else { return nil }
        if let number = PlainDecimal.value(bytes) { return number }
        var text = bytes.text
        if decimalComma, bytes.firstIndex(of: UInt8(ascii: ".")) == nil {
            text = String(text.map { $0 == "," ? "." : $0 })
        }
        // Excludes other forms that `Double` accepts: hexadecimals, "nan", "infinity".
        let isDecimal = text.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
                true
            default: false
            }
        }
        guard isDecimal, let number = Double(text), number.isFinite else {
            throw EntryFlaw(reason: "\(name()) \"\(excerpt(bytes.text))\" is no number")
        }
        return number
    }

    /// Without leading and trailing spaces and tabs.
    static func trimmed(_ bytes: ByteView) -> ByteView {
        var range = 0..<bytes.count
        while !range.isEmpty, bytes[range.lowerBound].isBlank {
            range = range.lowerBound + 1..<range.upperBound
        }
        while !range.isEmpty, bytes[range.upperBound - 1].isBlank {
            range = range.lowerBound..<range.upperBound - 1
        }
        return bytes.part(range)
    }
}

extension FenceProperty {
    /// The value of a bare text; nil for an empty one.
    func value(
        of bytes: ByteView, decimalComma: Bool = false
    ) throws(EntryFlaw) -> PropertyValue? {
        let trimmed = TextValue.trimmed(bytes)
        guard !trimmed.isEmpty else { return nil }
        switch form {
        case .text: return .text((keepsSpace ? bytes : trimmed).text)
        case .flag:
            switch trimmed.text.lowercased() {
            case "true", "yes", "1": return .flag(true)
            case "false", "no", "0": return .flag(false)
            default:
                throw EntryFlaw(
                    reason: "\(name) \"\(excerpt(trimmed.text))\" is neither true nor false")
            }
        case .seconds:
            return try TextValue.number(name.description, trimmed, decimalComma: decimalComma)
                .map { .span(.seconds($0)) }
        case .number:
            return try TextValue.number(name.description, trimmed, decimalComma: decimalComma)
                .map { .number($0) }
        case .object: return nil
        }
    }
}

extension UInt8 {
    /// A space or a tab.
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension String {
    /// Lends the text as UTF-8 for the duration of the call.
    func read<Value>(
        _ body: (ByteView) throws(EntryFlaw) -> Value
    ) throws(EntryFlaw) -> Value {
        try withByteView { bytes -> Result<Value, EntryFlaw> in
            do throws(EntryFlaw) { return .success(try body(bytes)) } catch {
                return .failure(error)
            }
        }.get()
    }
}
