import Files
import Foundation

/// A directory for one test, removed with everything in it when this is released.
package final class TemporaryDirectory: Sendable {
    /// Short enough for the address of a Unix socket in it (108 bytes).
    package let path: String

    package init() {
        guard let path = try? Directory.makeTemporary("/tmp/geofenced-test-") else {
            fatalError("no directory in /tmp")
        }
        self.path = path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of an entry.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes an entry and returns its path.
    @discardableResult
    package func write(_ text: String, to name: String) -> String {
        let path = file(name)
        guard let stream = fopen(path, "w") else { fatalError("\(path): errno \(errno)") }
        fputs(text, stream)
        fclose(stream)
        return path
    }
}
