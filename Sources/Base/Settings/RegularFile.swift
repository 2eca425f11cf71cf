import Glibc

// Unsafe: system calls take a path and an array of ours, with its own count.

/// Files that are read as a whole.
package enum RegularFile {
    /// Its bytes.
    /// - Parameter limit: bytes that it may have.
    /// - Throws: why it cannot be read: no regular file, no right, or longer.
    package static func bytes(of path: String, limit: Int) throws(BadValue) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw failure }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw BadValue(reason: "no regular file")
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = unsafe read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= limit else {
                throw BadValue(reason: "longer than \(limit) bytes")
            }
        }
    }

    private static var failure: BadValue {
        unsafe BadValue(reason: String(cString: strerror(errno)))
    }
}
