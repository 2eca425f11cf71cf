import Glibc

// Unsafe: system calls take paths and arrays of ours, with their own counts.

/// Files of a few bytes, read and replaced as a whole.
package enum SmallFile {
    /// The bytes of a regular file; nil if it cannot be read or is longer.
    package static func read(_ path: String, limit: Int) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var filled = 0
        while filled < bytes.count {
            let room = bytes.count - filled
            let count = unsafe bytes.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor, $0.baseAddress?.advanced(by: filled), room)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return Array(bytes[..<filled]) }
            filled += count
        }
        return nil
    }

    /// Replaces a file: after a power cut it is the former or the new one.
    package static func replace(
        _ path: String, with bytes: [UInt8], mode: UInt32
    ) throws(SyncFailure) {
        let temporary = path + ".new"
        do throws(SyncFailure) {
            let file = try SpoolFile(path: temporary)
            try file.write(bytes)
            try file.synchronize()
            guard fchmod(file.descriptor, mode) == 0 else { throw failure(temporary) }
        } catch {
            unsafe unlink(temporary)
            throw error
        }
        try rename(temporary, to: path)
    }

    /// Gives a file another name, durably; one of that name is replaced.
    package static func rename(_ path: String, to other: String) throws(SyncFailure) {
        guard unsafe Glibc.rename(path, other) == 0 else { throw failure(other) }
        let directory = other.lastIndex(of: "/").map { String(other[..<$0]) } ?? "."
        let descriptor = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        // Not every file system can; then the next look imports once more.
        fsync(descriptor)
        close(descriptor)
    }

    private static func failure(_ path: String) -> SyncFailure {
        unsafe SyncFailure(.notStored, "\(path): \(String(cString: strerror(errno)))")
    }
}
