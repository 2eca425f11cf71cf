import Bytes

/// What a backslash means inside a string (RFC 8259 section 7).
enum JSONEscapes {
    /// The byte that `\` and `letter` stand for; nil for `u` and for an unknown escape.
    static func meaning(of letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// The UTF-16 code unit of the first four bytes, which are hexadecimal digits.
    static func codeUnit(_ digits: ByteView) -> UInt32? {
        var unit: UInt32 = 0
        for index in 0..<4 {
            let digit: UInt8
            switch digits[index] {
            case let byte where byte &- UInt8(ascii: "0") < 10: digit = byte - UInt8(ascii: "0")
            case let byte where (byte | 0x20) &- UInt8(ascii: "a") < 6:
                digit = (byte | 0x20) - UInt8(ascii: "a") + 10
            default: return nil
            }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    /// The text of a string that the reader has found well-formed.
    static func decode(_ bytes: ByteView) -> String {
        var output: [UInt8] = []
        // An escape is never shorter than the character it stands for.
        output.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\") else {
                output.append(bytes[index])
                index += 1
                continue
            }
            if let byte = meaning(of: bytes[index + 1]) {
                output.append(byte)
                index += 2
                continue
            }
            var scalar = codeUnit(bytes.part(from: index + 2)) ?? 0xFFFD
            index += 6
            if case 0xD800...0xDBFF = scalar {
                let low = codeUnit(bytes.part(from: index + 2)) ?? 0xDC00
                index += 6
                scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
            }
            output += String(UnicodeScalar(scalar) ?? "\u{FFFD}").utf8
        }
        return String(decoding: output, as: UTF8.self)
    }
}
