extension Array<UInt8> {
    /// JSON text, UTF-8, in which nothing stands that a terminal would interpret, or that reorders a line
    /// of it: what `isPrintable` of a scalar says, and JSON itself does not forbid (RFC 8259, section 7), is
    /// escaped. It reads back as the same.
    package var shownJSON: [UInt8] {
        // Nearly always there is nothing to do.
        guard indices.contains(where: { hidden(at: $0) != nil }) else { return self }
        var shown: [UInt8] = []
        shown.reserveCapacity(count + 64)
        var index = startIndex
        while index < endIndex {
            if let (scalar, length) = hidden(at: index) {
                let digits = String(scalar, radix: 16)
                shown += "\\u".utf8
                shown += String(repeating: "0", count: 4 - digits.utf8.count).utf8
                shown += digits.utf8
                index += length
            } else {
                shown.append(self[index])
                index += 1
            }
        }
        return shown
    }

    /// The scalar that begins there and its length in bytes, if a terminal would interpret it; the
    /// controls of ASCII before space do not count.
    private func hidden(at index: Int) -> (scalar: UInt16, length: Int)? {
        func byte(_ offset: Int) -> UInt8 { index + offset < endIndex ? self[index + offset] : 0 }
        switch self[index] {
        case 0x7F: return (0x7F, 1)
        case 0xC2 where (0x80...0x9F).contains(byte(1)): return (UInt16(byte(1)), 2)
        case 0xE2 where byte(1) == 0x80 && (0xA8...0xAE).contains(byte(2)):
            return (0x2000 + UInt16(byte(2) - 0x80), 3)
        case 0xE2 where byte(1) == 0x81 && (0xA6...0xA9).contains(byte(2)):
            return (0x2040 + UInt16(byte(2) - 0x80), 3)
        default: return nil
        }
    }
}
