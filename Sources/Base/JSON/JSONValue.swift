import Bytes

/// A JSON value as a tree. Objects keep the order of their members.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])

    /// The one value that `text` is. Throws a ``JSONError``.
    package init(parsing text: String, limits: JSONLimits = JSONLimits()) throws {
        try self.init(parsing: Array(text.utf8), limits: limits)
    }

    /// The one value that `bytes` are. Throws a ``JSONError``.
    package init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws {
        var reader = JSONReader(bytes, limits: limits)
        self = try reader.readValue()
        try reader.finish()
    }

    /// `null` for NaN and infinity.
    package init(_ double: Double) { self = JSONNumber(double).map(JSONValue.number) ?? .null }

    /// The value of `true` and `false`; nil for anything else.
    package var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The nearest double to a number; nil for anything else.
    package var double: Double? {
        guard case .number(let number) = self else { return nil }
        return number.double
    }

    /// A whole number, exactly.
    package var integer: Int64? {
        guard case .number(let number) = self else { return nil }
        return number.integer
    }

    /// The content of a string; nil for anything else.
    package var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    /// The elements of an array; nil for anything else.
    package var array: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The members of an object in the order of the text; nil for anything else.
    package var object: [JSONMember]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// A member of an object; of two with the same key the last, as in ECMAScript.
    package subscript(key: String) -> JSONValue? {
        object?.last { $0.key.isExactly(key) }?.value
    }

    /// An element of an array; nil beyond its ends.
    package subscript(index: Int) -> JSONValue? {
        guard let elements = array, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The kind of token with which its text begins, for messages.
    package var firstToken: JSONToken {
        switch self {
        case .null: .null
        case .bool(let flag): flag ? .true : .false
        case .number: .number
        case .string: .string
        case .array: .beginArray
        case .object: .beginObject
        }
    }

    /// Compact JSON text.
    package var text: String {
        var writer = JSONWriter()
        writer.value(self)
        return writer.text
    }
}

/// One member of an object.
package struct JSONMember: Hashable, Sendable {
    /// As in the text, with its escapes resolved.
    package var key: String
    /// What the key stands for.
    package var value: JSONValue

    package init(_ key: String, _ value: JSONValue) {
        self.key = key
        self.value = value
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { JSONMember($0.0, $0.1) })
    }
}
