/// Whole values at once. Each of these starts before a value: after a key, in an array, or at the
/// top of the text.
extension JSONReader {
    /// Skips one value, which is checked like any other.
    package mutating func skipValue() throws {
        let level = depth
        repeat { _ = try nextInValue() } while depth > level
    }

    /// One value as text, without its white space, otherwise as it is written: numbers keep all
    /// their digits.
    package mutating func rawValue() throws -> String {
        var bytes: [UInt8] = []
        try rawValue(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends what ``rawValue()`` returns where that is at most `limit` bytes; else skips it and
    /// appends nothing. Holds not much more than `limit` bytes meanwhile.
    /// - Returns: whether it has been appended.
    package mutating func rawValue(to bytes: inout [UInt8], atMost limit: Int) throws -> Bool {
        let level = depth
        let start = bytes.count
        var needsComma = false
        var fits = true
        repeat {
            let token = try nextInValue()
            guard fits else { continue }
            append(token, to: &bytes, &needsComma)
            guard bytes.count - start > limit else { continue }
            fits = false
            bytes.removeSubrange(start...)
        } while depth > level
        return fits
    }

    /// Appends what ``rawValue()`` returns.
    package mutating func rawValue(to bytes: inout [UInt8]) throws {
        let level = depth
        var needsComma = false
        let start = try startOfValue()
        repeat {
            append(try nextInValue(), to: &bytes, &needsComma)
            try checkSize(since: start)
        } while depth > level
    }

    private func append(
        _ token: JSONToken, to bytes: inout [UInt8], _ needsComma: inout Bool
    ) {
        switch token {
        case .endObject: bytes.append(UInt8(ascii: "}"))
        case .endArray: bytes.append(UInt8(ascii: "]"))
        default:
            if needsComma { bytes.append(UInt8(ascii: ",")) }
            appendWritten(token, to: &bytes)
        }
        needsComma = token != .beginObject && token != .beginArray && token != .key
    }

    private func appendWritten(_ token: JSONToken, to bytes: inout [UInt8]) {
        switch token {
        case .beginObject: bytes.append(UInt8(ascii: "{"))
        case .beginArray: bytes.append(UInt8(ascii: "["))
        case .endObject, .endArray: break
        case .key:
            bytes.append(contentsOf: written)
            bytes.append(UInt8(ascii: ":"))
        case .string, .number: bytes.append(contentsOf: written)
        case .true: bytes += "true".utf8
        case .false: bytes += "false".utf8
        case .null: bytes += "null".utf8
        }
    }

    /// One value as a tree.
    package mutating func readValue() throws -> JSONValue {
        let start = try startOfValue()
        counted = 0
        return try value(nextInValue(), since: start)
    }

    /// Reads an object: `member` gets each key and reads its whole value, or nothing, and the value
    /// is skipped.
    package mutating func readObject(
        _ member: (inout JSONReader, String) throws -> Void
    ) throws {
        try expect(.beginObject, "an object")
        let level = depth
        while try nextInValue() == .key {
            let key = text
            try member(&self, key)
            if isValueDue { try skipValue() }
            try checkWhole(level)
        }
    }

    /// Reads an array: `element` is called before each value and reads it whole, or nothing, and
    /// the value is skipped.
    package mutating func readArray(_ element: (inout JSONReader) throws -> Void) throws {
        try expect(.beginArray, "an array")
        let level = depth
        while try peek() != .endArray {
            let start = input.offset
            try element(&self)
            if input.offset == start { try skipValue() }
            try checkWhole(level)
        }
        _ = try next()
    }

    /// The next value, which must be a string, with its escapes resolved.
    package mutating func readText() throws -> String {
        try expect(.string, "a string")
        return text
    }

    /// The next value, which must be a number.
    package mutating func readNumber() throws -> JSONNumber {
        try expect(.number, "a number")
        return try number()
    }

    /// The next value, which must be a number, as the nearest double.
    package mutating func readDouble() throws -> Double { try readNumber().double }

    /// The next value, which must be `true` or `false`.
    package mutating func readBool() throws -> Bool {
        switch try nextInValue() {
        case .true: return true
        case .false: return false
        case let token: throw failure("\(token.name) where true or false was expected")
        }
    }

    private mutating func expect(_ due: JSONToken, _ name: String) throws {
        let token = try nextInValue()
        guard token == due else { throw failure("\(token.name) where \(name) was expected") }
    }

    private mutating func nextInValue() throws -> JSONToken {
        guard let token = try next() else { throw failure("the text ends too early") }
        return token
    }

    private func checkWhole(_ level: Int) throws {
        guard depth == level else { throw failure("a value has been read in part only") }
    }

    private mutating func startOfValue() throws -> Int {
        _ = try peek()
        return position.offset
    }

    private func checkSize(since start: Int) throws {
        guard input.offset - start <= limits.valueBytes else {
            throw failure("a value longer than \(limits.valueBytes) bytes")
        }
    }

    private mutating func count() throws {
        counted += 1
        guard counted <= limits.values else {
            throw failure("a value of more than \(limits.values) values")
        }
    }

    private mutating func value(_ token: JSONToken, since start: Int) throws -> JSONValue {
        try checkSize(since: start)
        try count()
        switch token {
        case .null: return .null
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .string: return .string(text)
        case .number: return .number(try number())
        case .beginArray:
            var elements: [JSONValue] = []
            while true {
                let token = try nextInValue()
                if token == .endArray { return .array(elements) }
                if elements.isEmpty { try count() }
                elements.append(try value(token, since: start))
            }
        case .beginObject:
            var members: [JSONMember] = []
            while try nextInValue() == .key {
                let key = text
                if members.isEmpty { try count() }
                members.append(JSONMember(key, try value(nextInValue(), since: start)))
            }
            return .object(members)
        case .endArray, .endObject, .key:
            throw failure("\(token.name) where a value was expected")
        }
    }
}

extension JSONToken {
    /// As errors name it.
    package var name: String {
        switch self {
        case .beginObject: "an object"
        case .beginArray: "an array"
        case .endObject: "}"
        case .endArray: "]"
        case .key: "a key"
        case .string: "a string"
        case .number: "a number"
        case .true: "true"
        case .false: "false"
        case .null: "null"
        }
    }
}
