import Glibc
import JSON
import Systemd
import Time

// Unsafe: system calls take paths and arrays of ours, with their own counts; readdir(3)'s entry is
// copied at once.

/// What geofenced-sync says of a source of fences, in a file for others.
struct SourceStatus {
    /// Name of the source.
    var name: String
    /// The whole file.
    var json: JSONValue
    /// It is another one with every look.
    var inode: UInt64

    /// Where the unit writes.
    static let directory = "/run/geofenced-sync"

    private static let longest = 1 << 16
    private static let mostFiles = 1024

    /// All of a directory, in order of name; none where there is no such directory.
    static func all(in directory: String) -> [SourceStatus] {
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

    /// Nil if there is none of that name, or it is none that this version understands.
    init?(name: String, in directory: String) {
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
        inode = UInt64(status.st_ino)
    }

    /// The state, in one word.
    var state: String { json["state"]?.string ?? "" }

    /// The set that is held; empty if none is.
    var held: String { json["held"]?.string ?? "" }

    /// `2501 fences, unchanged 12 min 04 s ago (304)`
    @MainActor var line: String {
        let detail = json["detail"]?.string ?? ""
        let fences = "\(json["fences"]?.integer ?? 0) fences"
        let time = json["tried_at"]?.integer ?? 0
        let now = EventLoop.wallClock.nanoseconds / 1_000_000_000
        // A clock that was set leaves times of the future.
        let age =
            time > 0 && time <= now
            ? " \(EventLine.duration(.seconds(Double(now - time)))) ago" : ""
        switch state {
        case "unchanged", "imported":
            let rest = detail.isEmpty ? "" : " (\(detail.printable))"
            return "\(fences), \(state)\(age)\(rest)"
        case "held":
            return "\(fences), held: \(detail.printable); geofencectl sync \(name) --accept"
        default:
            return "\(fences), \(state.printable)\(age): \(detail.printable)"
        }
    }
}
