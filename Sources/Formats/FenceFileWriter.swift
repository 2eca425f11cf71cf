import Geodesy
import JSON
package import Model

/// Writes fences as a GeoJSON FeatureCollection, one Feature per line. Reading it again gives
/// identical fences.
package struct FenceFileWriter {
    private let write: ([UInt8]) throws -> Void
    private var writer = JSONWriter()
    private var isEmpty = true

    /// - Parameter write: receives the text in pieces, each some kilobytes at least except the
    ///   last.
    package init(_ write: @escaping ([UInt8]) throws -> Void) {
        self.write = write
        pending = Array(#"{"type":"FeatureCollection","features":["#.utf8)
    }

    private var pending: [UInt8]

    /// Adds one fence. Throws what `write` throws.
    package mutating func append(_ fence: Fence) throws {
        pending += Array(isEmpty ? "\n".utf8 : ",\n".utf8)
        isEmpty = false
        writer.removeAll()
        FenceFeature.write(fence, to: &writer)
        pending += writer.bytes
        guard pending.count >= 16_384 else { return }
        try write(pending)
        pending.removeAll(keepingCapacity: true)
    }

    /// Call once, at the end.
    package mutating func finish() throws {
        pending += Array("\n]}\n".utf8)
        try write(pending)
        pending.removeAll()
    }

    /// A single fence as a Feature on one line, without a newline.
    package static func feature(_ fence: Fence) -> String {
        var writer = JSONWriter()
        FenceFeature.write(fence, to: &writer)
        return writer.text
    }
}
