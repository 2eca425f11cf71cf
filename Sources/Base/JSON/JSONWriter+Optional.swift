extension JSONWriter {
    /// The text, or `null`.
    package mutating func optional(_ text: String?) {
        if let text { string(text) } else { null() }
    }

    /// The number with that many decimals, or `null`.
    package mutating func optional(_ value: Double?, decimals: Int) {
        if let value { number(value, decimals: decimals) } else { null() }
    }
}
