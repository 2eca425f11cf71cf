/// A place in a JSON text.
package struct JSONPosition: Hashable, Sendable, CustomStringConvertible {
    /// From 1; lines end with LF.
    package var line: Int
    /// From 1, in bytes of UTF-8.
    package var column: Int
    /// From 0, in bytes of the whole input.
    package var offset: Int

    package init(line: Int, column: Int, offset: Int) {
        self.line = line
        self.column = column
        self.offset = offset
    }

    package var description: String { "line \(line), column \(column) (byte \(offset))" }
}

/// What is wrong with a JSON text, and where.
package struct JSONError: Error, Hashable, CustomStringConvertible {
    /// Where the offending byte or token is.
    package var position: JSONPosition
    /// A phrase without a full stop: "a number with a leading zero".
    package var reason: String

    package init(position: JSONPosition, reason: String) {
        self.position = position
        self.reason = reason
    }

    package var description: String { "\(position): \(reason)" }
}

/// How much of a text the reader may hold in memory. Anything beyond is refused with an error.
package struct JSONLimits: Hashable, Sendable {
    /// Nesting of arrays and objects; at most 64.
    package var depth = 64
    /// Length of one string or key in the text, with its escapes, in bytes.
    package var stringBytes = 1 << 20
    /// Length of one value that `readValue` or `rawValue` returns, as in the text, in bytes.
    package var valueBytes = 16 << 20
    /// Values of one tree that `readValue` builds; an array or an object with content counts twice.
    /// A text of a few bytes a value becomes some 50 bytes a count, so this is what bounds the
    /// memory. The default has room for the largest geometry, of 120,000 positions.
    package var values = 1 << 19

    package init() {}
}
