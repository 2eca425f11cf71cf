import Bytes

/// The grammar of strings, numbers and words, byte by byte.
extension JSONReader {
    /// The place of the cursor.
    @inline(__always)
    var here: JSONPosition {
        JSONPosition(
            line: input.line, column: input.offset - input.lineOffset + 1, offset: input.offset)
    }

    /// An error at the cursor: `byte` is there instead of what the grammar asks for.
    func unexpected(_ byte: UInt8, _ due: String) -> JSONError {
        let found =
            switch byte {
            case 0x21...0x7E: "'\(Character(UnicodeScalar(byte)))'"
            case 0x0A: "a line break"
            case 0x20: "a space"
            default: "byte 0x\(byte < 16 ? "0" : "")\(String(byte, radix: 16))"
            }
        return error("\(found) where \(due) was expected")
    }

    private func error(_ reason: String) -> JSONError {
        JSONError(position: here, reason: reason)
    }

    /// From the opening quote to behind the closing one; true when there are escapes to decode.
    mutating func scanString() throws -> Bool {
        var escapes = false
        input.cursor += 1
        while true {
            input.skipPlain()
            guard input.keptCount <= limits.stringBytes else {
                throw failure("a string longer than \(limits.stringBytes) bytes")
            }
            guard try input.has(1) else { throw failure("a string without its closing quote") }
            switch input[input.cursor] {
            case UInt8(ascii: "\""):
                input.cursor += 1
                return escapes
            case UInt8(ascii: "\\"):
                try scanEscape()
                escapes = true
            case 0x80...: try scanMultibyte()
            case 0..<0x20: throw error("a control character in a string")
            default: continue  // The plain bytes went on in the next chunk.
            }
        }
    }

    /// One character beyond ASCII, well-formed as the Unicode Standard's table 3-7 has it.
    private mutating func scanMultibyte() throws {
        let lead = input[input.cursor]
        let (count, second): (Int, ClosedRange<UInt8>) =
            switch lead {
            case 0xC2...0xDF: (2, 0x80...0xBF)
            case 0xE0: (3, 0xA0...0xBF)
            case 0xED: (3, 0x80...0x9F)
            case 0xE1...0xEF: (3, 0x80...0xBF)
            case 0xF0: (4, 0x90...0xBF)
            case 0xF1...0xF3: (4, 0x80...0xBF)
            case 0xF4: (4, 0x80...0x8F)
            default: throw error("bytes that are not UTF-8")
            }
        guard try input.has(count), second.contains(input[input.cursor + 1]) else {
            throw error("bytes that are not UTF-8")
        }
        for index in 2..<count where input[input.cursor + index] & 0xC0 != 0x80 {
            throw error("bytes that are not UTF-8")
        }
        input.cursor += count
    }

    private mutating func scanEscape() throws {
        guard try input.has(2) else { throw failure("a string without its closing quote") }
        guard input[input.cursor + 1] == UInt8(ascii: "u") else {
            guard JSONEscapes.meaning(of: input[input.cursor + 1]) != nil else {
                throw error("an unknown escape")
            }
            input.cursor += 2
            return
        }
        let start = here
        let isAlone: Bool
        switch try scanUnicodeEscape() {
        case 0xDC00...0xDFFF: isAlone = true
        case 0xD800...0xDBFF:
            if try input.has(2), input[input.cursor] == UInt8(ascii: "\\"),
                input[input.cursor + 1] == UInt8(ascii: "u"),
                case 0xDC00...0xDFFF = try scanUnicodeEscape()
            {
                isAlone = false
            } else {
                isAlone = true
            }
        default: isAlone = false
        }
        // The grammar allows it, but no valid UTF-8 text can hold it (RFC 8259 section 8.2).
        if isAlone { throw JSONError(position: start, reason: "half of a surrogate pair") }
    }

    private mutating func scanUnicodeEscape() throws -> UInt32 {
        guard try input.has(6),
            let unit = JSONEscapes.codeUnit(input.view(from: input.cursor + 2, count: 4))
        else { throw error("\\u without four hexadecimal digits") }
        input.cursor += 6
        return unit
    }

    mutating func scanNumber() throws {
        if input[input.cursor] == UInt8(ascii: "-") { input.cursor += 1 }
        if try input.has(1), input[input.cursor] == UInt8(ascii: "0") {
            input.cursor += 1
            if try input.has(1), Self.isDigit(input[input.cursor]) {
                throw failure("a number with a leading zero")
            }
        } else {
            try scanDigits()
        }
        if try input.has(1), input[input.cursor] == UInt8(ascii: ".") {
            input.cursor += 1
            try scanDigits()
        }
        if try input.has(1), input[input.cursor] | 0x20 == UInt8(ascii: "e") {
            input.cursor += 1
            if try input.has(1),
                input[input.cursor] == UInt8(ascii: "+")
                    || input[input.cursor] == UInt8(ascii: "-")
            {
                input.cursor += 1
            }
            try scanDigits()
        }
    }

    /// One digit at least.
    private mutating func scanDigits() throws {
        guard try input.has(1) else { throw failure("a number that ends too early") }
        let first = input[input.cursor]
        guard Self.isDigit(first) else { throw unexpected(first, "a digit") }
        repeat {
            while input.cursor < input.end, Self.isDigit(input[input.cursor]) {
                input.cursor += 1
            }
            guard input.keptCount <= JSONNumber.longest else {
                throw failure("a number of more than \(JSONNumber.longest) characters")
            }
        } while try input.cursor == input.end && input.more()
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    mutating func scanWord(_ word: StaticString) throws {
        let count = word.utf8CodeUnitCount
        guard try input.has(count) else { throw failure("a word that is not \(word)") }
        guard input.view(from: input.cursor, count: count) == word.byteView else {
            throw failure("a word that is not \(word)")
        }
        input.cursor += count
    }
}
