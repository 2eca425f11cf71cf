// Unsafe: any eight bytes are a number, and the span checks that they are there.

/// Eight bytes of a line at once: what is asked of each of them is answered by its highest bit. It
/// saves some 4,000 instructions of a fix, a seventh of all.
struct EightBytes {
    /// The first byte is the lowest.
    private let word: UInt64

    private static let highest: UInt64 = 0x8080_8080_8080_8080

    private static func each(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// Those at `start` and behind it; nil where there are fewer than eight.
    init?(_ line: Span<UInt8>, at start: Int) {
        guard start <= line.count - 8 else { return nil }
        // The bounds are checked by the span as well; that any eight bytes are a number is what it
        // leaves to us.
        word = UInt64(
            littleEndian: unsafe line.bytes.unsafeLoadUnaligned(
                fromByteOffset: start, as: UInt64.self))
    }

    /// What stands before the first quotation mark, the first byte the lowest, and how many bytes
    /// that is; nil where there is no mark among the eight.
    var quoted: (text: UInt64, count: Int)? {
        let others = word ^ Self.each(UInt8(ascii: "\""))
        // Right for the first one, and perhaps wrong behind it: the subtraction borrows.
        let marks = (others &- Self.each(1)) & ~others & Self.highest
        guard marks != 0 else { return nil }
        let mark = marks & (0 &- marks)
        // All bits below the first of the mark's byte.
        return (word & ((mark >> 7) &- 1), marks.trailingZeroBitCount >> 3)
    }

    /// How many bytes, from the first on, are digits or decimal points.
    var numberLength: Int {
        let low = word & ~Self.highest
        let isAbove = low &+ Self.each(0x7F - UInt8(ascii: "9"))
        let isBelow = ~(low &+ Self.each(0x80 - UInt8(ascii: ".")))
        // Between the point and the digits.
        let isSlash = ~((low ^ Self.each(UInt8(ascii: "/"))) &+ Self.each(0x7F))
        return ((word | isAbove | isBelow | isSlash) & Self.highest).trailingZeroBitCount >> 3
    }
}
