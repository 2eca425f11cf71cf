/// Bytes as text (RFC 4648, section 4).
package enum Base64 {
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// With padding, in one line.
    package static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = group.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
            bits <<= UInt32(8 * (3 - group.count))
            for index in 0..<4 {
                let isPadding = index > group.count
                text.append(
                    isPadding
                        ? UInt8(ascii: "=") : digits[Int(bits >> UInt32(18 - 6 * index)) & 63])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text with or without padding; nil for anything else.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        var digits = Array(text.utf8)
        while digits.last == UInt8(ascii: "=") { digits.removeLast() }
        guard digits.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        for (index, digit) in digits.enumerated() {
            guard let value = Self.digits.firstIndex(of: digit) else { return nil }
            bits = bits << 6 | UInt32(value)
            if index % 4 == 3 { bytes += [16, 8, 0].map { UInt8(bits >> $0 & 255) } }
        }
        switch digits.count % 4 {
        case 2: bytes.append(UInt8(bits >> 4 & 255))
        case 3: bytes += [UInt8(bits >> 10 & 255), UInt8(bits >> 2 & 255)]
        default: break
        }
        return bytes
    }
}
