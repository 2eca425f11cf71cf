import Glibc
package import JSON
import SharedLimits

// Unsafe: system calls take paths and arrays of ours, with their own counts; readdir(3)'s entry is
// copied at once.

/// What geofenced-sync says of a source of fences, in a file for others.
package struct SourceStatus {
    /// Name of the source.
    package var name: String
    /// The whole file.
    package var json: JSONValue
    /// It is another one with every look.
    package var version: String

    /// Where the unit writes.
    package static let directory = "/run/geofenced-sync"

    private static let longest = SharedLimits.sourceState
    private static let mostFiles = 1024

    /// All of a directory, in order of name; none where there is no such directory.
    package static func all(in directory: String) -> [SourceStatus] {
        guard let stream = unsafe opendir(directory) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream), names.count < mostFiles {
            let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
            let name = unsafe UnsafeRawPointer(entry).advanced(by: offset)
                .withMemoryRebound(to: CChar.self, capacity: 1) { unsafe String(cString: $0) }
            if name.hasSuffix(".json"), !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted().compactMap { name in
            SourceStatus(name: String(name.dropLast(5)), in: directory)
        }
    }

    /// Nil if there is no status of that name, or this version does not understand it.
    package init?(name: String, in directory: String) {
        let path = "\(directory)/\(name).json"
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        var bytes = [UInt8](repeating: 0, count: Self.longest)
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        let count = unsafe read(descriptor, &bytes, bytes.count)
        guard count > 0, count < Self.longest,
            let json = try? JSONValue(parsing: Array(bytes[..<count])), json["v"]?.integer == 1
        else { return nil }
        self.name = name
        self.json = json
        // The number of a file that is gone may come again.
        version = "\(status.st_ino) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }

    /// The state, in one word.
    package var state: String { json["state"]?.string ?? "" }

    /// The set that is held; empty if none is.
    package var held: String { json["held"]?.string ?? "" }
}
