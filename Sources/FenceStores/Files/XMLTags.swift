/// As much of XML as a GPX file has: tags with attributes, text, entities, CDATA; comments,
/// declarations and a DTD without a subset of its own are gone over. Entities of a DTD are not
/// expanded, so that no file can blow itself up.
struct XMLTags {
    enum Tag {
        /// Names without their prefix. An empty element is an open and a close.
        case open(String, attributes: [String: String])
        case close(String)
        case text(String)
    }

    private static let longestPiece = 1 << 16

    private let input: FenceFileInput
    private var buffer = [UInt8](repeating: 0, count: 16_384)
    private var position = 0
    private var end = 0
    private var pendingClose: String?
    private var open: [String] = []
    /// Where the reader stands, from 1.
    private(set) var line = 1
    /// There was an element.
    private(set) var hasRoot = false

    init(_ input: FenceFileInput) { self.input = input }

    /// The next piece; nil at the end of the file.
    mutating func next() throws -> Tag? {
        if let name = pendingClose {
            pendingClose = nil
            return .close(name)
        }
        while let byte = try peek() {
            guard byte == UInt8(ascii: "<") else {
                let text = try piece(upTo: UInt8(ascii: "<"))
                if open.isEmpty { continue }
                return .text(try Self.unescaped(text) ?? fail("an unknown entity"))
            }
            position += 1
            if let tag = try markup() { return tag }
        }
        guard open.isEmpty else { throw flaw("<\(open[open.count - 1])> does not end") }
        return nil
    }

    private mutating func markup() throws -> Tag? {
        switch try peek() {
        case UInt8(ascii: "?"):
            try skip(through: "?>")
        case UInt8(ascii: "!"):
            position += 1
            switch try peek() {
            case UInt8(ascii: "-"): try skip(through: "-->")
            case UInt8(ascii: "["): return .text(try characterData())
            default: try skip(through: ">")
            }
        default:
            return try tag()
        }
        return nil
    }

    private mutating func tag() throws -> Tag {
        var bytes: [UInt8] = []
        var quote: UInt8?
        while true {
            guard let byte = try nextByte() else { throw flaw("the text ends too early") }
            guard bytes.count < Self.longestPiece else { throw flaw("a tag too long") }
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: ">") {
                break
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            }
            bytes.append(byte)
        }
        if bytes.first == UInt8(ascii: "/") {
            let name = Self.name(bytes.dropFirst().prefix { !Self.isBlank($0) })
            guard open.popLast() == name else { throw flaw("</\(name)> closes nothing") }
            return .close(name)
        }
        let isEmpty = bytes.last == UInt8(ascii: "/")
        if isEmpty { bytes.removeLast() }
        let name = Self.name(bytes.prefix { !Self.isBlank($0) })
        guard !name.isEmpty else { throw flaw("a tag without a name") }
        let attributes = try self.attributes(bytes.drop { !Self.isBlank($0) })
        hasRoot = true
        if isEmpty {
            pendingClose = name
        } else {
            guard open.count < 64 else {
                throw flaw("more than 64 elements inside one another")
            }
            open.append(name)
        }
        return .open(name, attributes: attributes)
    }

    private func attributes(_ bytes: ArraySlice<UInt8>) throws -> [String: String] {
        var attributes: [String: String] = [:]
        var rest = bytes.drop(while: Self.isBlank)
        while !rest.isEmpty {
            let name = rest.prefix { $0 != UInt8(ascii: "=") && !Self.isBlank($0) }
            rest = rest.dropFirst(name.count).drop(while: Self.isBlank)
            guard rest.first == UInt8(ascii: "=") else { throw flaw("an attribute without =") }
            rest = rest.dropFirst().drop(while: Self.isBlank)
            guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
            else { throw flaw("an attribute without quotes") }
            let value = rest.dropFirst().prefix { $0 != quote }
            rest = rest.dropFirst(value.count + 2).drop(while: Self.isBlank)
            attributes[Self.name(name)] =
                try Self.unescaped(Array(value)) ?? fail("an unknown entity")
        }
        return attributes
    }

    private mutating func characterData() throws -> String {
        for byte in "[CDATA[".utf8 {
            guard try nextByte() == byte else { throw flaw("<! without a meaning") }
        }
        return String(decoding: try take(through: Array("]]>".utf8)), as: UTF8.self)
    }

    private mutating func skip(through end: String) throws {
        let ending = Array(end.utf8)
        var last: [UInt8] = []
        while let byte = try nextByte() {
            last.append(byte)
            if last.count > ending.count { last.removeFirst() }
            if last == ending { return }
        }
        throw flaw("the text ends too early")
    }

    private mutating func take(through ending: [UInt8]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let byte = try nextByte() {
            bytes.append(byte)
            if bytes.suffix(ending.count).elementsEqual(ending) {
                return bytes.dropLast(ending.count)
            }
            guard bytes.count < Self.longestPiece else { throw flaw("a text too long") }
        }
        throw flaw("the text ends too early")
    }

    private mutating func piece(upTo stop: UInt8) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let byte = try peek(), byte != stop {
            guard bytes.count < Self.longestPiece else { throw flaw("a text too long") }
            bytes.append(byte)
            _ = try nextByte()
        }
        return bytes
    }

    private mutating func peek() throws -> UInt8? {
        if position == end {
            position = 0
            end = try buffer.withUnsafeMutableBytes { try input.read(into: $0) }
        }
        return position < end ? buffer[position] : nil
    }

    private mutating func nextByte() throws -> UInt8? {
        guard let byte = try peek() else { return nil }
        position += 1
        if byte == UInt8(ascii: "\n") { line += 1 }
        return byte
    }

    private func flaw(_ reason: String) -> FileFlaw { FileFlaw(line: line, reason: reason) }

    private func fail<Value>(_ reason: String) throws -> Value { throw flaw(reason) }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func name(_ bytes: some Sequence<UInt8>) -> String {
        let name = String(decoding: Array(bytes), as: UTF8.self)
        return name.split(separator: ":").last.map(String.init) ?? name
    }

    /// Nil for an entity that XML itself does not know.
    private static func unescaped(_ bytes: [UInt8]) -> String? {
        guard bytes.contains(UInt8(ascii: "&")) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        var text = ""
        let pieces = String(decoding: bytes, as: UTF8.self)
            .split(separator: "&", omittingEmptySubsequences: false)
        text += pieces[0]
        for piece in pieces.dropFirst() {
            guard let end = piece.firstIndex(of: ";"),
                let character = character(named: piece[..<end])
            else { return nil }
            text.append(character)
            text += piece[piece.index(after: end)...]
        }
        return text
    }

    private static func character(named name: Substring) -> Character? {
        switch name {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard name.hasPrefix("#") else { return nil }
            let isHexadecimal = name.hasPrefix("#x")
            let digits = name.dropFirst(isHexadecimal ? 2 : 1)
            return UInt32(digits, radix: isHexadecimal ? 16 : 10)
                .flatMap(Unicode.Scalar.init).map(Character.init)
        }
    }
}
