import Bytes

// Unsafe: JSONInput checks what a source may write to; here it is cut to the size of the buffer.

/// The next token of a JSON text. The content of `key`, `string` and `number` is read from the
/// reader on demand, so that unused content costs nothing.
package enum JSONToken: Hashable, Sendable {
    case beginObject, endObject, beginArray, endArray
    case key, string, number
    case `true`, `false`, null
}

/// Reads JSON (RFC 8259, strictly) as a stream of tokens, in constant memory however long the text
/// is. Several values may follow one another at the top; record separators between them (RFC 8142)
/// are skipped by ``skipRecordSeparators()``. A byte order mark at the front is ignored, which
/// RFC 8259 section 8.1 allows.
package struct JSONReader: ~Copyable {
    /// As given, with a depth of at most 64; what is beyond them is an error.
    package private(set) var limits: JSONLimits
    /// Where the token begins that was last read or peeked at: the place to name in an error about
    /// its content.
    package private(set) var position = JSONPosition(line: 1, column: 1, offset: 0)
    /// How many arrays and objects are open.
    package private(set) var depth = 0

    var input: JSONInput
    private var expectation = Expectation.start
    private var peeked: JSONToken?
    /// What the tree that is being built has counted, see ``JSONLimits/values``.
    var counted = 0
    /// Bit n set: the container at depth n is an object.
    private var objects: UInt64 = 0
    private var current: JSONToken?
    private var hasEscapes = false

    private enum Expectation {
        /// Before the first byte of all.
        case start
        /// Between values at the top: a value or the end of the text.
        case top
        case value, valueOrEnd, key, keyOrEnd, colon, commaOrEnd
    }

    /// Reads from `source`, which fills the front of the buffer it is given and returns how many
    /// bytes it wrote, 0 at the end of the text. Its errors are thrown on.
    package init(
        limits: JSONLimits = JSONLimits(), bufferSize: Int = 1 << 16,
        source: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) {
        self.init(unsafe JSONInput(bufferSize: bufferSize, source: source), limits)
    }

    /// Reads a text that is already whole in memory.
    package init(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) {
        guard bytes.count > 1 << 16 else {
            self.init(JSONInput(bytes), limits)
            return
        }
        var offset = 0
        unsafe self.init(limits: limits) { room in
            let count = min(room.count, bytes.count - offset)
            unsafe room.copyBytes(from: bytes[offset..<offset + count])
            offset += count
            return count
        }
    }

    private init(_ input: consuming JSONInput, _ limits: JSONLimits) {
        self.input = input
        self.limits = limits
        self.limits.depth = min(limits.depth, 64)
    }

    /// Reads a text that is already whole in memory.
    package init(_ text: String, limits: JSONLimits = JSONLimits()) {
        self.init(Array(text.utf8), limits: limits)
    }

    /// The next token, which becomes the current one; nil at the end of the text.
    package mutating func next() throws -> JSONToken? {
        guard let token = try peek() else { return nil }
        peeked = nil
        current = token
        switch token {
        case .beginObject: try open(object: true)
        case .beginArray: try open(object: false)
        case .endObject, .endArray:
            input.cursor += 1
            depth -= 1
            endValue()
        case .key:
            try readString()
            expectation = .colon
        case .string:
            try readString()
            endValue()
        case .number:
            input.keep()
            try scanNumber()
            try checkSeparated()
            endValue()
        case .true: try readWord("true")
        case .false: try readWord("false")
        case .null: try readWord("null")
        }
        return token
    }

    /// What ``next()`` is going to return; the content of the current token is no longer available.
    package mutating func peek() throws -> JSONToken? {
        if let peeked { return peeked }
        input.release()
        current = nil
        while true {
            if expectation == .start { try skipByteOrderMark() }
            guard let byte = try input.visible() else {
                position = here
                guard expectation == .top else { throw failure("the text ends too early") }
                return nil
            }
            position = here
            switch expectation {
            case .colon:
                guard byte == UInt8(ascii: ":") else { throw unexpected(byte, "a colon") }
                input.cursor += 1
                expectation = .value
                continue
            case .commaOrEnd where byte == UInt8(ascii: ","):
                input.cursor += 1
                expectation = isInObject ? .key : .value
                continue
            case .commaOrEnd:
                guard byte == closingBracket else {
                    throw unexpected(byte, isInObject ? "a comma or }" : "a comma or ]")
                }
                peeked = isInObject ? .endObject : .endArray
            case .keyOrEnd where byte == closingBracket: peeked = .endObject
            case .key, .keyOrEnd:
                guard byte == UInt8(ascii: "\"") else { throw unexpected(byte, "a key") }
                peeked = .key
            case .valueOrEnd where byte == closingBracket: peeked = .endArray
            case .start, .top, .value, .valueOrEnd:
                guard let token = Self.valueToken(byte) else { throw unexpected(byte, "a value") }
                peeked = token
            }
            return peeked
        }
    }

    /// At the top, skips record separators (RFC 8142, 0x1E) and white space; true when there was a
    /// separator.
    @discardableResult
    package mutating func skipRecordSeparators() throws -> Bool {
        guard depth == 0, peeked == nil else { return false }
        if expectation == .start { try skipByteOrderMark() }
        input.release()
        current = nil
        var found = false
        while try input.visible() == 0x1E {
            input.cursor += 1
            found = true
        }
        position = here
        return found
    }

    /// Throws when anything but white space follows.
    package mutating func finish() throws {
        guard try peek() == nil else { throw failure("something follows the end of the value") }
    }

    /// An error at the token that was last read or peeked at.
    package func failure(_ reason: String) -> JSONError {
        JSONError(position: position, reason: reason)
    }

    /// The content of the current token, a key or a string; otherwise empty. Not available after
    /// the following `next` or `peek`.
    package var text: String {
        guard current == .key || current == .string, input.keptCount >= 2 else { return "" }
        let bytes = content
        return hasEscapes ? JSONEscapes.decode(bytes) : bytes.text
    }

    /// Whether the current token is a key or a string with that text.
    package func isAt(_ text: StaticString) -> Bool {
        guard current == .key || current == .string else { return false }
        guard !hasEscapes else {
            return self.text.utf8.elementsEqual(text.byteView)
        }
        return content == text.byteView
    }

    /// Appends ``text``; true where it has no escapes.
    package func appendText(to bytes: inout [UInt8]) -> Bool {
        guard current == .key || current == .string, input.keptCount >= 2 else { return false }
        if hasEscapes {
            bytes += text.utf8
        } else {
            bytes.append(contentsOf: content)
        }
        return !hasEscapes
    }

    /// The current token, a number. Throws when it is too large for a double.
    package func number() throws -> JSONNumber {
        guard current == .number else { throw failure("no number here") }
        guard let number = JSONNumber(scanned: input.kept) else {
            throw failure("a number beyond the range of a double")
        }
        return number
    }

    /// The nearest double of ``number()``.
    package func double() throws -> Double {
        if current == .number, let value = PlainDecimal.value(input.kept) { return value }
        return try number().double
    }

    /// The current token as it is written, quotes and escapes included.
    var written: ByteView { input.kept }

    /// A key or a string between its quotes, escapes as they are written.
    private var content: ByteView { input.kept.part(1..<input.keptCount - 1) }

    /// A key has been read, and its value has not.
    var isValueDue: Bool { expectation == .colon || expectation == .value }

    private var isInObject: Bool { depth > 0 && objects >> UInt64(depth - 1) & 1 == 1 }

    private var closingBracket: UInt8 { isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }

    private mutating func open(object: Bool) throws {
        guard depth < limits.depth else {
            throw failure("more than \(limits.depth) arrays and objects inside one another")
        }
        input.cursor += 1
        let bit: UInt64 = 1 << UInt64(depth)
        objects = object ? objects | bit : objects & ~bit
        depth += 1
        expectation = object ? .keyOrEnd : .valueOrEnd
    }

    private mutating func endValue() { expectation = depth == 0 ? .top : .commaOrEnd }

    private mutating func readString() throws {
        input.keep()
        hasEscapes = try scanString()
    }

    private mutating func readWord(_ word: StaticString) throws {
        try scanWord(word)
        try checkSeparated()
        endValue()
    }

    /// At the top nothing else tells `1` `true` from `1true`.
    private mutating func checkSeparated() throws {
        guard depth == 0, try input.has(1) else { return }
        switch input[input.cursor] {
        case 0x20, 0x09, 0x0A, 0x0D, 0x1E: return
        case let byte: throw unexpected(byte, "the end of the value")
        }
    }

    private mutating func skipByteOrderMark() throws {
        expectation = .top
        if try input.has(3), input[input.cursor] == 0xEF,
            input[input.cursor + 1] == 0xBB,
            input[input.cursor + 2] == 0xBF
        {
            input.cursor += 3
        }
    }

    /// Static: a borrowed reader of this size would be copied for the call.
    private static func valueToken(_ byte: UInt8) -> JSONToken? {
        switch byte {
        case UInt8(ascii: "{"): .beginObject
        case UInt8(ascii: "["): .beginArray
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): .number
        case UInt8(ascii: "t"): .true
        case UInt8(ascii: "f"): .false
        case UInt8(ascii: "n"): .null
        default: nil
        }
    }
}
