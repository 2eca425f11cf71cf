import Bytes

/// Writes compact JSON text with its commas and colons. The caller makes sure that what it opens is
/// closed and that each value of an object follows a key.
package struct JSONWriter: Sendable {
    /// What has been written, UTF-8.
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init() {}

    /// What has been written.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Empties the writer and keeps its memory for the next text.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Opens an object; its members follow, each a ``key(_:)`` and a value.
    package mutating func beginObject() { open(UInt8(ascii: "{")) }
    /// Closes the object that was opened last.
    package mutating func endObject() { close(UInt8(ascii: "}")) }
    /// Opens an array; its elements follow.
    package mutating func beginArray() { open(UInt8(ascii: "[")) }
    /// Closes the array that was opened last.
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    /// A member's key, quoted and escaped; its value must follow.
    package mutating func key(_ key: String) {
        beginValue()
        quote(key)
        endKey()
    }

    /// The value `null`.
    package mutating func null() { word("null") }

    /// The value `true` or `false`.
    package mutating func bool(_ value: Bool) { word(value ? "true" : "false") }

    /// A string value, quoted and escaped.
    package mutating func string(_ value: String) {
        beginValue()
        quote(value)
    }

    /// A whole number in decimal digits.
    package mutating func integer(_ value: some FixedWidthInteger) { word(String(value)) }

    /// The shortest decimal that reads back as the same double, laid out as ECMAScript does
    /// (RFC 8785 section 3.2.2.3): 7 for 7.0, an exponent only from 1e21 up and below 1e-6. `null`
    /// for NaN and infinity.
    package mutating func number(_ value: Double) {
        guard value.isFinite else { return null() }
        beginValue()
        DecimalText.appendShortest(value, to: &bytes)
    }

    /// Rounded to that many decimals (0 to 9), which are always written: -12.4, 5.0, never -0.0.
    /// `null` for NaN and infinity. From 2^52 / 10^decimals up, where a double has hardly any
    /// decimals, as ``number(_:)``.
    package mutating func number(_ value: Double, decimals: Int) {
        guard value.isFinite else { return null() }
        beginValue()
        DecimalText.append(value, decimals: decimals, to: &bytes)
    }

    /// A number: in digits where it is whole, else as ``number(_:)`` writes a double.
    package mutating func number(_ value: JSONNumber) {
        if let integer = value.integer { self.integer(integer) } else { number(value.double) }
    }

    /// Text that is one valid JSON value already, as ``JSONReader/rawValue()`` returns it.
    package mutating func raw(_ json: String) { word(json) }

    /// A value with all that it holds.
    package mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .number(let number): self.number(number)
        case .string(let text): string(text)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let members):
            beginObject()
            for member in members {
                key(member.key)
                self.value(member.value)
            }
            endObject()
        }
    }

    /// Ends a line of JSON lines; the next value starts a new text.
    package mutating func endLine() {
        bytes.append(0x0A)
        needsComma = false
    }

    /// Starts a record of an RFC 8142 sequence; ``endLine()`` ends it.
    package mutating func recordSeparator() {
        bytes.append(0x1E)
        needsComma = false
    }

    mutating func raw(_ json: ByteView) {
        beginValue()
        bytes.append(contentsOf: json)
    }

    /// A key as it is written, with its quotes.
    mutating func rawKey(_ key: ByteView) {
        raw(key)
        endKey()
    }

    private mutating func beginValue() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func endKey() {
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    private mutating func open(_ bracket: UInt8) {
        beginValue()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func word(_ word: String) {
        beginValue()
        bytes.append(contentsOf: word.utf8)
    }

    /// Escapes what RFC 8259 section 7 demands, and nothing else.
    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x0A: bytes += "\\n".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0x09: bytes += "\\t".utf8
            case 0..<0x20:
                bytes += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
