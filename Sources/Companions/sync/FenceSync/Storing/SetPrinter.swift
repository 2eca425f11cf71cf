import Files
import Glibc
import JSON

/// A set as a FeatureCollection with the members `origin` and `hash` before its features, one on a line:
/// what geofenced-ingest(8) reads.
package enum SetPrinter {
    private static let portion = 1 << 16

    /// Writes it to standard output.
    /// - Parameters:
    ///   - origin: of the fences at the daemon: `source/NAME`.
    ///   - hash: as a box tells it.
    package static func write(
        _ file: some SetLines, origin: String, hash: String
    ) throws(SyncFailure) {
        var head = JSONWriter()
        head.beginObject()
        for (key, text) in [("type", "FeatureCollection"), ("origin", origin), ("hash", hash)] {
            head.key(key)
            head.string(text)
        }
        head.key("features")
        head.beginArray()
        var buffer = head.bytes
        var isFirst = true
        try FenceSet.forEachID(file) { line, _ throws(SyncFailure) in
            buffer += Array((isFirst ? "\n" : ",\n").utf8) + line.dropLast()
            isFirst = false
            guard buffer.count >= portion else { return }
            try put(buffer)
            buffer = []
        }
        try put(buffer + Array("\n]}\n".utf8))
    }

    private static func put(_ bytes: [UInt8]) throws(SyncFailure) {
        try SyncFailure.storing("standard output") { () throws(Errno) in
            try OpenFile.write(bytes.shownJSON, to: STDOUT_FILENO)
        }
    }
}
