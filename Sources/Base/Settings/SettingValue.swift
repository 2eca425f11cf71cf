/// Values in the notation of geofenced.conf.
package enum SettingValue {
    /// A time span such as `10s` or `1h 30min`, as seconds.
    package static func seconds(
        _ text: String, in range: ClosedRange<Double>
    ) throws(BadValue) -> Double {
        try Quantity.timeSpan.parse(text, in: range)
    }

    /// A length such as `500m` or `50km`, as metres.
    package static func metres(
        _ text: String, in range: ClosedRange<Double>
    ) throws(BadValue) -> Double {
        try Quantity.length.parse(text, in: range)
    }

    /// A number of bytes, perhaps with K, M, G or T, which are powers of 1024.
    package static func size(
        _ text: String, in range: ClosedRange<Int64>
    ) throws(BadValue) -> Int64 {
        let refusal = BadValue(reason: "not a size such as 64M or 1G")
        let unit = sizeUnits.first { $0.letter == text.last }
        let digits = unit == nil ? text : String(text.dropLast())
        let (size, overflow) =
            try whole(digits, refusal).multipliedReportingOverflow(by: 1 << (unit?.shift ?? 0))
        return try inside(range, overflow ? .max : size, sizeText)
    }

    /// A whole number.
    package static func count(
        _ text: String, in range: ClosedRange<Int>
    ) throws(BadValue) -> Int {
        let wide = Int64(range.lowerBound)...Int64(range.upperBound)
        let number = try whole(text, BadValue(reason: "not a whole number"))
        return Int(try inside(wide, number) { "\($0)" })
    }

    /// `yes` or `no`, and the other words that systemd's parse_boolean() accepts.
    package static func flag(_ text: String) throws(BadValue) -> Bool {
        switch text.lowercased() {
        case "1", "yes", "y", "true", "t", "on": return true
        case "0", "no", "n", "false", "f", "off": return false
        default: throw BadValue(reason: "not a boolean: yes or no")
        }
    }

    private static let sizeUnits: [(letter: Character, shift: Int)] =
        [("T", 40), ("G", 30), ("M", 20), ("K", 10)]

    /// A number of bytes with the largest unit that it is a multiple of.
    @Sendable static func sizeText(_ size: Int64) -> String {
        let unit = sizeUnits.first { size > 0 && size.trailingZeroBitCount >= $0.shift }
        guard let unit else { return "\(size)" }
        return "\(size >> unit.shift)\(unit.letter)"
    }

    /// Digits, perhaps after a minus; clamped, so that the range refuses what does not fit.
    private static func whole(_ text: String, _ refusal: BadValue) throws(BadValue) -> Int64 {
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
        guard !digits.isEmpty, digits.count >= text.utf8.count - 1,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { throw refusal }
        return Int64(text) ?? (text.hasPrefix("-") ? .min : .max)
    }

    private static func inside(
        _ range: ClosedRange<Int64>, _ value: Int64, _ text: (Int64) -> String
    ) throws(BadValue) -> Int64 {
        guard range.contains(value) else {
            let (lower, upper) = (text(range.lowerBound), text(range.upperBound))
            throw BadValue(reason: "out of range: from \(lower) to \(upper)")
        }
        return value
    }
}
