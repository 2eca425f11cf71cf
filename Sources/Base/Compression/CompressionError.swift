/// Why a file cannot be unpacked, or not further.
package struct CompressionError: Error, Hashable, CustomStringConvertible {
    /// A phrase without a full stop.
    package var description: String

    package init(_ description: String) { self.description = description }

    /// Of a zip archive, all of which was seen.
    package static let noSuchFile = CompressionError("no such file in the zip archive")
}

extension CompressionError {
    /// How often more than it is packed in a file may have, once it has ``freeBytes``. Coordinates
    /// reach ten to fifty; deflate itself a thousand.
    private static let largestRatio = 100
    private static let freeBytes = 16 << 20

    /// Refuses a file that is made to unpack to more than it is likely to hold; both in bytes.
    static func check(unpacked: Int, from packed: Int) throws(CompressionError) {
        guard unpacked <= freeBytes + largestRatio * packed else {
            throw CompressionError(
                "a file that unpacks to more than \(largestRatio) times its size")
        }
    }
}
