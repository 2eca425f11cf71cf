import Bytes
import Geodesy
import JSON
import Model
import Time

/// The properties of a Feature, as written. Their memory is reused for the next Feature.
struct GeoJSONProperties: FeatureProperties {
    private struct Member {
        /// The text of the key.
        var key: Range<Int>
        /// Exactly one valid value.
        var json: Range<Int>
        /// The key contains no escapes.
        var isPlain: Bool
        var isTaken = false
    }

    /// Keys and values of all members, concatenated.
    private var bytes: [UInt8] = []
    private var members: [Member] = []
    private var text = ByteBuffer()

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        members.removeAll(keepingCapacity: true)
    }

    /// Reads the member whose key the reader has just read.
    /// - Returns: what is wrong if it does not fit: then the member is skipped.
    mutating func read(_ reader: inout JSONReader) throws -> String? {
        guard members.count < FeatureLimits.members, bytes.count < FeatureLimits.bytes else {
            try reader.skipValue()
            return FeatureLimits.flaw
        }
        let start = bytes.count
        let isPlain = reader.appendText(to: &bytes)
        let middle = bytes.count
        guard try reader.rawValue(to: &bytes, atMost: max(FeatureLimits.bytes - middle, 0)) else {
            bytes.removeSubrange(start...)
            return FeatureLimits.flaw
        }
        members.append(
            Member(key: start..<middle, json: middle..<bytes.count, isPlain: isPlain))
        return nil
    }

    /// `properties.id`, for a Feature without an id of its own.
    mutating func takeID() throws(EntryFlaw) -> String? {
        guard let json = take("id") else { return nil }
        return try Self.identifier(bytes[json])
    }

    /// The id in another property, which is not consumed; nil if it is missing.
    func identifier(in key: String) throws(EntryFlaw) -> String? {
        guard let member = member(key) else { return nil }
        return try Self.identifier(bytes[member.json])
    }

    func value(of key: String) -> JSONValue? {
        member(key).flatMap { Self.parsed(bytes[$0.json]) }
    }

    private func member(_ key: String) -> Member? {
        key.withByteView { key in
            members.last { member in bytes.withByteView { $0.part(member.key) == key } }
        }
    }

    func isObject(_ key: StaticString) -> Bool {
        let member = members.last { member in
            bytes.withByteView { $0.part(member.key) == key.byteView }
        }
        return member.map { bytes[$0.json].first == UInt8(ascii: "{") } ?? false
    }

    func forEachOther(_ body: (String) -> Void) {
        for member in members where !member.isTaken {
            body(String(decoding: bytes[member.key], as: UTF8.self))
        }
    }

    mutating func metadata() -> String {
        text.removeAll()
        for member in members where !member.isTaken {
            text.append(text.count == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
            if member.isPlain {
                text.append(UInt8(ascii: "\""))
                append(member.key)
                text.append(UInt8(ascii: "\""))
            } else {
                var writer = JSONWriter()
                writer.string(String(decoding: bytes[member.key], as: UTF8.self))
                text.append(writer.text)
            }
            text.append(UInt8(ascii: ":"))
            append(member.json)
        }
        guard text.count > 0 else { return "{}" }
        text.append(UInt8(ascii: "}"))
        return text.bytes.text
    }

    private mutating func append(_ range: Range<Int>) {
        bytes.withByteView { text.append($0.part(range)) }
    }

    /// A text, or a number as its digits: 7, 7.0 and "7" are the same id, and an integer of any
    /// length is exact.
    static func identifier(_ json: ArraySlice<UInt8>) throws(EntryFlaw) -> String? {
        if isNull(json) { return nil }
        if let whole = wholeNumber(json) { return whole }
        switch parsed(json) {
        case .string(let text)?: return text
        case .number(let number)?: return number.text
        default: throw EntryFlaw(reason: "the id is neither a string nor a number")
        }
    }

    /// The digits of a number without an exponent or a fraction.
    private static func wholeNumber(_ json: ArraySlice<UInt8>) -> String? {
        var digits = json
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits = digits.dropFirst() }
        if let point = digits.firstIndex(of: UInt8(ascii: ".")) {
            guard digits[(point + 1)...].allSatisfy({ $0 == UInt8(ascii: "0") }) else {
                return nil
            }
            digits = digits[..<point]
        }
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        let text = String(decoding: digits, as: UTF8.self)
        return isNegative && text != "0" ? "-\(text)" : text
    }

    /// Of members with the same name the last counts.
    private mutating func take(_ key: StaticString) -> Range<Int>? {
        var last: Range<Int>?
        for index in members.indices where !members[index].isTaken {
            let range = members[index].key
            guard bytes.withByteView({ $0.part(range) == key.byteView }) else { continue }
            members[index].isTaken = true
            last = members[index].json
        }
        return last
    }

    mutating func takeValue(_ key: StaticString) throws(EntryFlaw) -> JSONValue? {
        guard let json = take(key) else { return nil }
        guard let value = Self.parsed(bytes[json]) else {
            throw EntryFlaw(reason: "\(key) is too deep or too large")
        }
        return value
    }

    mutating func takeText(_ key: StaticString) throws(EntryFlaw) -> String? {
        guard let json = take(key), !Self.isNull(bytes[json]) else { return nil }
        return try Self.text(Self.parsed(bytes[json]), key)
    }

    mutating func takeNumber(_ key: StaticString) throws(EntryFlaw) -> Double? {
        guard let json = take(key), !Self.isNull(bytes[json]) else { return nil }
        if let number = PlainDecimal.value(bytes[json]) { return number }
        return try Self.number(Self.parsed(bytes[json]), key)
    }

    mutating func takeFlag(_ key: StaticString) throws(EntryFlaw) -> Bool? {
        guard let json = take(key), !Self.isNull(bytes[json]) else { return nil }
        return try Self.flag(Self.parsed(bytes[json]), key)
    }

    private static func isNull(_ json: ArraySlice<UInt8>) -> Bool {
        json.first == UInt8(ascii: "n")
    }

    private static func parsed(_ json: ArraySlice<UInt8>) -> JSONValue? {
        try? JSONValue(parsing: Array(json))
    }
}
