import Bytes

/// A decimal taken apart: digits · 10^exponent, as far as 64 bits hold the digits.
struct ScannedDecimal {
    private(set) var isNegative = false
    private var digits: UInt64 = 0
    private var exponent = 0
    /// There were more digits than fit, not all of them zeros.
    private var isCut = false

    /// `bytes` are a number of the JSON grammar.
    init(_ bytes: ByteView) {
        var index = 0
        var significant = 0
        var inFraction = false
        scan: while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): inFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"): break scan
            case let byte:
                let digit = UInt64(byte &- UInt8(ascii: "0"))
                // 19 digits always fit: 10^19 < 2^64.
                if significant < 19 {
                    digits = digits &* 10 &+ digit
                    if digits != 0 { significant += 1 }
                    if inFraction { exponent -= 1 }
                } else {
                    if digit != 0 { isCut = true }
                    if !inFraction { exponent += 1 }
                }
            }
            index += 1
        }
        if index < bytes.count {
            exponent += Self.writtenExponent(bytes.part(from: index + 1))
        }
        while exponent < 0, digits != 0, digits % 10 == 0 {
            digits /= 10
            exponent += 1
        }
    }

    /// Clamped far outside of what a double can hold, whatever the number of leading zeros.
    private static func writtenExponent(_ bytes: ByteView) -> Int {
        var value = 0
        for byte in bytes where byte >= UInt8(ascii: "0") {
            value = min(value * 10 + Int(byte - UInt8(ascii: "0")), 100_000)
        }
        return bytes.first == UInt8(ascii: "-") ? -value : value
    }

    /// The exact value, when it is whole and fits.
    var integer: Int64? {
        guard digits != 0 else { return 0 }
        guard !isCut, let magnitude = whole else { return nil }
        if isNegative, magnitude == 1 << 63 { return .min }
        guard let value = Int64(exactly: magnitude) else { return nil }
        return isNegative ? -value : value
    }

    /// The double nearest to the magnitude, where a few operations give it exactly; nil elsewhere.
    var nearest: Double? {
        guard !isCut else { return nil }
        guard digits != 0 else { return 0 }
        // Clinger 1990: both operands are doubles without error (10^22 = 2^22 · 5^22 and
        // 5^22 < 2^53), so the one rounding of IEEE 754 is the only one.
        if digits <= 1 << 53, (-22...22).contains(exponent) {
            return exponent < 0
                ? Double(digits) / Self.doublePowers[-exponent]
                : Double(digits) * Self.doublePowers[exponent]
        }
        if let whole { return Double(whole) }
        guard (-19..<0).contains(exponent) else { return nil }
        return quotient(Self.powers[-exponent])
    }

    /// The magnitude, when it is whole and fits.
    private var whole: UInt64? {
        guard Self.powers.indices.contains(exponent) else { return nil }
        let (product, overflow) = digits.multipliedReportingOverflow(by: Self.powers[exponent])
        return overflow ? nil : product
    }

    /// digits / divisor, rounded once: the quotient to at least 64 bits, the last of which also
    /// stands for any remainder (a sticky bit); so far below the 53 bits of a double it only breaks
    /// ties.
    private func quotient(_ divisor: UInt64) -> Double {
        let shift = 64 + digits.leadingZeroBitCount
        // The top bit is set, and 2^127 / 10^19 > 2^63: the quotient has 64 bits at least.
        let (quotient, remainder) =
            (UInt128(digits) << shift).quotientAndRemainder(dividingBy: UInt128(divisor))
        let excess = 64 - quotient.leadingZeroBitCount
        let top = UInt64(truncatingIfNeeded: quotient >> excess)
        let isExact = remainder == 0 && UInt128(top) << excess == quotient
        let significand = Double(isExact ? top : top | 1)
        return Double(sign: .plus, exponent: excess - shift, significand: significand)
    }

    private static let powers: [UInt64] = (0..<20).map { count in
        (0..<count).reduce(1) { power, _ in power * 10 }
    }

    private static let doublePowers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]
}
