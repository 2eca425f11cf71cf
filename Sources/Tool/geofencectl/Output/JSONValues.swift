import JSON
import Time

extension JSONWriter {
    /// The text, or `null`.
    mutating func optional(_ text: String?) {
        if let text { string(text) } else { null() }
    }

    /// The number with that many decimals, or `null`.
    mutating func optional(_ value: Double?, decimals: Int) {
        if let value { number(value, decimals: decimals) } else { null() }
    }
}

extension TimeSpan {
    /// To the millisecond.
    var roundedSeconds: Double { (seconds * 1000).rounded() / 1000 }
}
