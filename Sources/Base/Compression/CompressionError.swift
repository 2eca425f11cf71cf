/// Why a file cannot be unpacked, or not further.
package struct CompressionError: Error, Hashable, CustomStringConvertible {
    /// A phrase without a full stop.
    package var description: String

    package init(_ description: String) { self.description = description }
}
