/// Values in the notation of geofenced.conf, for the configuration of other programs.
package enum SettingValue {
    /// A time span such as `10s` or `1h 30min`, as seconds.
    package static func seconds(
        _ text: String, in range: ClosedRange<Double>
    ) throws(BadValue) -> Double {
        try quantity(.timeSpan, text, range)
    }

    /// A length such as `500m` or `50km`, as metres.
    package static func metres(
        _ text: String, in range: ClosedRange<Double>
    ) throws(BadValue) -> Double {
        try quantity(.length, text, range)
    }

    /// A number of bytes, perhaps with K, M, G or T.
    package static func size(
        _ text: String, in range: ClosedRange<Int>
    ) throws(BadValue) -> Int {
        try inside(range, try SettingKind.size(text))
    }

    /// A whole number.
    package static func count(
        _ text: String, in range: ClosedRange<Int>
    ) throws(BadValue) -> Int {
        try inside(range, try SettingKind.whole(text, BadValue(reason: "not a whole number")))
    }

    /// `yes` or `no`, and what else systemd takes for them.
    package static func flag(_ text: String) throws(BadValue) -> Bool {
        try SettingKind.flag(text)
    }

    private static func quantity(
        _ quantity: Quantity, _ text: String, _ range: ClosedRange<Double>
    ) throws(BadValue) -> Double {
        let value = try quantity.parse(text)
        guard range.contains(value) else {
            let lower = quantity.format(range.lowerBound)
            throw BadValue(
                reason: "out of range: from \(lower) to \(quantity.format(range.upperBound))")
        }
        return value
    }

    private static func inside(
        _ range: ClosedRange<Int>, _ value: Int
    ) throws(BadValue) -> Int {
        guard range.contains(value) else {
            throw BadValue(
                reason: "out of range: from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }
}
