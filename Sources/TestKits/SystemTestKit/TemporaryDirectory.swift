import Files
import Foundation

/// A directory for one test, removed with everything in it when this is released.
package final class TemporaryDirectory: Sendable {
    /// Short enough for the address of a Unix socket in it (108 bytes).
    package let path: String

    /// - Parameter isInMemory: whether it is where there is no disk, if the machine has room there.
    package init(isInMemory: Bool = false) {
        let place = isInMemory && Self.hasMemory ? "/dev/shm" : "/tmp"
        guard let path = try? Directory.makeTemporary("\(place)/geofenced-test-") else {
            fatalError("no directory in \(place)")
        }
        self.path = path
    }

    /// Containers often have 64 MB there, which several databases at once are more than.
    private static var hasMemory: Bool {
        var found = statvfs()
        guard access("/dev/shm", W_OK) == 0, statvfs("/dev/shm", &found) == 0 else { return false }
        return UInt64(found.f_bavail) * UInt64(found.f_frsize) >= 2 << 30
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
