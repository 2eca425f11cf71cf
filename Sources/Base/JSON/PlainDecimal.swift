package import Bytes

/// The fast path for the usual decimal: a sign, digits, a point.
package enum PlainDecimal {
    /// The nearest double; nil where the fast path does not suffice, or the text is not a decimal.
    ///
    /// Clinger 1990: a significand below 2^53 and a power of ten up to 10^22 are doubles without
    /// error, so that the one rounding of the division is the only one.
    package static func value(_ text: ArraySlice<UInt8>) -> Double? {
        text.withByteView { value($0) }
    }

    /// The same for bytes that are lent.
    package static func value(_ text: ByteView) -> Double? {
        // 15 digits are below 2^53.
        guard text.count <= 17, var index = text.indices.first else { return nil }
        let isNegative = text[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        var digits: UInt64 = 0
        var count = 0
        var fraction: Int?
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "."), fraction == nil, count > 0 {
                fraction = count
            } else {
                let digit = byte &- UInt8(ascii: "0")
                guard digit < 10 else { return nil }
                digits = digits &* 10 &+ UInt64(digit)
                count += 1
            }
            index += 1
        }
        guard count > 0, count <= 15, fraction != count else { return nil }
        let magnitude = Double(digits) / power(count - (fraction ?? count))
        return isNegative ? -magnitude : magnitude
    }

    private static func power(_ exponent: Int) -> Double {
        var power = 1.0
        for _ in 0..<exponent { power *= 10 }
        return power
    }
}
