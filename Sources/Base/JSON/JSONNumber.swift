import Bytes

/// A number of a JSON text. Whole numbers are kept exactly, in whatever notation: as an id, 7, 7.0
/// and 70e-1 are the same, and 9007199254740993 is not 9007199254740992.
package struct JSONNumber: Hashable, Sendable {
    /// The nearest double (ties to even); always finite.
    package let double: Double
    /// The exact value, when it is whole and fits.
    package let integer: Int64?

    /// The longest number the reader takes, in characters. RFC 8259 section 9 allows a limit.
    static let longest = 1024

    package init(_ integer: Int64) {
        double = Double(integer)
        self.integer = integer
    }

    /// Nil when `double` is not finite, which JSON cannot express.
    package init?(_ double: Double) {
        guard double.isFinite else { return nil }
        self.double = double
        integer = Int64(exactly: double)
    }

    /// The shortest decimal that reads back as the same number; whole numbers without a point.
    package var text: String {
        var writer = JSONWriter()
        writer.number(self)
        return writer.text
    }

    /// A number that the reader has found well-formed. Nil when it is beyond the largest double.
    init?(scanned bytes: ByteView) {
        let decimal = ScannedDecimal(bytes)
        let magnitude: Double
        if let nearest = decimal.nearest {
            magnitude = nearest
        } else {
            // The library's own correctly rounded conversion (strtod in the C locale).
            let text = bytes.text
            guard let parsed = Double(text), parsed.isFinite else { return nil }
            magnitude = parsed.magnitude
        }
        double = decimal.isNegative ? -magnitude : magnitude
        integer = decimal.integer
    }
}
