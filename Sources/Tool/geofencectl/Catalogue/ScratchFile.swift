import Glibc
import Systemd

// Unsafe: system calls take an array of ours, with its own count.

/// Unnamed files, which are deleted when they are closed.
enum ScratchFile {
    /// The most that is copied into one, bytes.
    private static let longest = 4 << 30

    /// An empty file for reading and writing; the caller closes it.
    /// - Throws: ``Failure``
    static func make() throws -> Int32 {
        var template = temporaryTemplate()
        let descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else {
            throw unsafe Failure(String(cString: strerror(errno)), "a temporary file")
        }
        unsafe unlink(template)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    /// Copies the rest of `source`, which is called `name` in errors.
    /// - Throws: ``Failure``
    static func copy(_ source: Int32, to target: Int32, _ name: String) throws {
        var room = [UInt8](repeating: 0, count: 1 << 16)
        var left = longest
        while true {
            let count = unsafe read(source, &room, room.count)
            if count == 0 { return }
            guard count > 0 else { throw unsafe Failure(String(cString: strerror(errno)), name) }
            left -= count
            guard left >= 0 else { throw Failure("more than \(longest >> 30) GiB", name) }
            try writeAll(Array(room[..<count]), to: target, "a temporary file")
        }
    }
}

/// The path of a temporary file or directory, for mkstemp(3) and mkdtemp(3) to complete.
func temporaryTemplate() -> [CChar] {
    Array(((environment("TMPDIR") ?? "/tmp") + "/geofencectl-XXXXXX").utf8CString)
}
