/// Doubles as decimal text.
enum DecimalText {
    /// See ``JSONWriter/number(_:)``; `value` is finite.
    static func appendShortest(_ value: Double, to bytes: inout [UInt8]) {
        if let integer = Int64(exactly: value), integer.magnitude < 1 << 53 {
            bytes += String(integer).utf8
            return
        }
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let (digits, point) = shortestDigits(value.magnitude)
        switch point {
        case 1...21 where point >= digits.count:
            bytes += digits
            bytes += repeatElement(UInt8(ascii: "0"), count: point - digits.count)
        case 1...21:
            bytes += digits[..<point]
            bytes.append(UInt8(ascii: "."))
            bytes += digits[point...]
        case -5...0:
            bytes += "0.".utf8
            bytes += repeatElement(UInt8(ascii: "0"), count: -point)
            bytes += digits
        default:
            bytes += digits.prefix(1)
            if digits.count > 1 {
                bytes.append(UInt8(ascii: "."))
                bytes += digits.dropFirst()
            }
            bytes += (point > 0 ? "e+" : "e").utf8
            bytes += String(point - 1).utf8
        }
    }

    /// The fewest digits that distinguish a positive double from its neighbours, and the place of
    /// the decimal point: 0.digits · 10^point.
    private static func shortestDigits(_ value: Double) -> (digits: [UInt8], point: Int) {
        // The standard library's description has these digits, in a different layout.
        var digits: [UInt8] = []
        var point: Int?
        var exponent = 0
        let text = value.description.utf8
        for (index, byte) in zip(text.indices, text) {
            if byte == UInt8(ascii: ".") {
                point = digits.count
            } else if byte == UInt8(ascii: "e") {
                exponent = Int(Substring(text[text.index(after: index)...])) ?? 0
                break
            } else {
                digits.append(byte)
            }
        }
        let leadingZeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
        let place = (point ?? digits.count) + exponent - leadingZeros
        digits.removeFirst(leadingZeros)
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        return (digits, place)
    }

    /// See ``JSONWriter/number(_:decimals:)``; `value` is finite. Rounds the exact binary value to
    /// nearest, ties to even, as C's printf does.
    static func append(_ value: Double, decimals: Int, to bytes: inout [UInt8]) {
        let decimals = min(max(decimals, 0), 9)
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        let product = value.magnitude * scale
        guard product < 0x1p52 else { return appendShortest(value, to: &bytes) }
        // The exact rounding error of the multiplication: it can make or break a tie.
        let lost = (-product).addingProduct(value.magnitude, scale)
        var whole = Int64(product)
        let half = product - Double(whole) - 0.5
        if half > 0 || half == 0 && (lost > 0 || lost == 0 && whole % 2 == 1) { whole += 1 }
        if value < 0, whole > 0 { bytes.append(UInt8(ascii: "-")) }
        let digits = Array(String(whole).utf8)
        let padding = max(decimals + 1 - digits.count, 0)
        let padded = repeatElement(UInt8(ascii: "0"), count: padding) + digits
        bytes += padded.dropLast(decimals)
        if decimals > 0 {
            bytes.append(UInt8(ascii: "."))
            bytes += padded.suffix(decimals)
        }
    }
}
