/// One D-Bus value with its exact type.
///
/// https://dbus.freedesktop.org/doc/dbus-specification.html#type-system
package enum BusValue: Equatable, Sendable {
    case byte(UInt8)
    case bool(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    /// Characters that D-Bus cannot carry (NUL, noncharacters) are sent as U+FFFD.
    case string(String)
    case objectPath(String)
    case signature(String)
    /// Sent as a duplicate. Received: owned by its message, see ``BusMessage/duplicate(_:)``.
    case fileDescriptor(Int32)
    /// `ay`; received arrays of bytes have this case.
    case bytes([UInt8])
    /// The signature of one element, and the elements, all of that type.
    case array(of: String, [BusValue])
    case structure([BusValue])
    /// `a{sv}`, in the order given; received ones have this case.
    case options([BusOption])
    /// Only as an element of an array.
    indirect case entry(BusValue, BusValue)
    indirect case variant(BusValue)

    /// The D-Bus signature of this value.
    package var signature: String {
        switch self {
        case .byte: "y"
        case .bool: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .fileDescriptor: "h"
        case .bytes: "ay"
        case .options: "a{sv}"
        case .array(let element, _): "a" + element
        case .structure(let members): "(" + members.signature + ")"
        case .entry(let key, let value): "{" + key.signature + value.signature + "}"
        case .variant: "v"
        }
    }

    /// `as`
    package static func strings(_ strings: [String]) -> BusValue {
        .array(of: "s", strings.map { .string($0) })
    }

    /// `a{sv}`, in the order given.
    package static func dictionary(_ entries: [(String, BusValue)]) -> BusValue {
        .options(entries.map { BusOption($0.0, $0.1) })
    }
}

/// One entry of an `a{sv}`. Most of our messages consist of these: a key and a value in an array
/// cost a tenth of boxed values.
package struct BusOption: Equatable, Sendable {
    /// The key in the dictionary.
    package let key: String
    /// The value, which is sent in a variant.
    package let value: BusValue

    package init(_ key: String, _ value: BusValue) {
        self.key = key
        self.value = value
    }

    fileprivate var entry: BusValue { .entry(.string(key), .variant(value)) }
}

extension [BusValue] {
    /// The concatenated signatures, as of the arguments of a message.
    package var signature: String { reduce(into: "") { $0 += $1.signature } }
}

/// The content of a received value, or nil if it has another type; variants are unwrapped.
extension BusValue {
    /// Of `b`.
    package var asBool: Bool? {
        switch self {
        case .bool(let value): value
        case .variant(let inner): inner.asBool
        default: nil
        }
    }

    /// Of `s`, `o` and `g`.
    package var asString: String? {
        switch self {
        case .string(let value), .objectPath(let value), .signature(let value): value
        case .variant(let inner): inner.asString
        default: nil
        }
    }

    /// Of `d` and of every integer.
    package var asDouble: Double? {
        switch self {
        case .double(let value): value
        case .variant(let inner): inner.asDouble
        default: asInt64.map(Double.init) ?? asUInt64.map(Double.init)
        }
    }

    /// Of every integer that fits.
    package var asInt64: Int64? {
        switch self {
        case .byte(let value): Int64(value)
        case .int16(let value): Int64(value)
        case .uint16(let value): Int64(value)
        case .int32(let value): Int64(value)
        case .uint32(let value): Int64(value)
        case .int64(let value): value
        case .uint64(let value): Int64(exactly: value)
        case .variant(let inner): inner.asInt64
        default: nil
        }
    }

    /// Of every integer that fits.
    package var asUInt64: UInt64? {
        switch self {
        case .uint64(let value): value
        case .variant(let inner): inner.asUInt64
        default: asInt64.flatMap { UInt64(exactly: $0) }
        }
    }

    /// Of every integer that fits.
    package var asUInt32: UInt32? { asUInt64.flatMap { UInt32(exactly: $0) } }

    /// Of `h`; the message keeps the descriptor open as long as it lives.
    package var asFileDescriptor: Int32? {
        switch self {
        case .fileDescriptor(let value): value
        case .variant(let inner): inner.asFileDescriptor
        default: nil
        }
    }

    /// Of an array; of `ay` and `a{sv}` too.
    package var asArray: [BusValue]? {
        switch self {
        case .array(_, let elements): elements
        case .options(let options): options.map(\.entry)
        case .bytes(let bytes): bytes.map { .byte($0) }
        case .variant(let inner): inner.asArray
        default: nil
        }
    }

    /// The bytes of an `ay`.
    package var asBytes: [UInt8]? {
        switch self {
        case .bytes(let bytes): bytes
        case .variant(let inner): inner.asBytes
        default: nil
        }
    }

    /// Of `as` (and `ao`, `ag`); nil when one element is not a string.
    package var asStrings: [String]? {
        guard let elements = asArray else { return nil }
        let strings = elements.compactMap(\.asString)
        return strings.count == elements.count ? strings : nil
    }

    /// The members of a structure.
    package var asStructure: [BusValue]? {
        switch self {
        case .structure(let members): members
        case .variant(let inner): inner.asStructure
        default: nil
        }
    }

    /// Of `a{s…}`, variants unwrapped; of duplicate keys the last counts.
    package var asDictionary: [String: BusValue]? {
        if case .options(let options) = self {
            return [String: BusValue](options.map { ($0.key, $0.value) }) { $1 }
        }
        guard let elements = asArray else { return nil }
        var dictionary: [String: BusValue] = [:]
        for element in elements {
            guard case .entry(let key, let value) = element, let key = key.asString else {
                return nil
            }
            if case .variant(let inner) = value {
                dictionary[key] = inner
            } else {
                dictionary[key] = value
            }
        }
        return dictionary
    }
}
