import Glibc
package import JSON

// Unsafe: system calls take a path or an array of ours, with its own count; what is read is put into
// the memory that a reader lends, up to its count.

/// A file that is written, and then read from its beginning.
package final class SpoolFile: SetLines {
    /// Open for reading and writing.
    package let descriptor: Int32
    /// Its name; that of one without a name is the former.
    package let path: String
    /// Bytes that were written.
    package private(set) var size = 0
    private var buffer: [UInt8] = []

    /// Written at a time, bytes.
    private static let portion = 1 << 16

    /// A file without a name, which is gone with this object.
    package convenience init(in directory: String) throws(SyncFailure) {
        let path = "\(directory)/answer.new"
        try self.init(path: path)
        unsafe unlink(path)
    }

    /// A new file at `path`; a former one is emptied.
    package init(path: String) throws(SyncFailure) {
        self.path = path
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.failure("\(path)") }
    }

    /// A file that is there already, for reading; nil if it is not.
    package init?(reading path: String) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Appends bytes.
    package func write(_ bytes: some Collection<UInt8>) throws(SyncFailure) {
        buffer += bytes
        if buffer.count >= Self.portion { try flush() }
    }

    /// Its name goes now, and the file with this object.
    package func discard() { unsafe unlink(path) }

    /// Forgets what was written.
    package func empty() throws(SyncFailure) {
        buffer = []
        size = 0
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw Self.failure("writing what was fetched")
        }
    }

    /// Writes what is held.
    package func flush() throws(SyncFailure) {
        var written = 0
        while written < buffer.count {
            let count = unsafe buffer.withUnsafeBytes {
                unsafe Glibc.write(
                    descriptor, $0.baseAddress?.advanced(by: written), buffer.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure("writing what was fetched") }
            written += count
        }
        size += written
        buffer.removeAll(keepingCapacity: true)
    }

    /// Ends the writing; the next read is from the beginning.
    package func rewind() throws(SyncFailure) {
        try flush()
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Self.failure("reading again") }
    }

    /// Makes it durable.
    package func synchronize() throws(SyncFailure) {
        try flush()
        guard fsync(descriptor) == 0 else { throw Self.failure("writing what was fetched") }
    }

    /// The bytes from the beginning, at most `limit`.
    package func bytes(limit: Int) throws(SyncFailure) -> [UInt8] {
        try rewind()
        var bytes = [UInt8](repeating: 0, count: min(limit, size))
        var filled = 0
        while filled < bytes.count {
            let room = bytes.count - filled
            let count = unsafe bytes.withUnsafeMutableBytes {
                unsafe read(descriptor, $0.baseAddress?.advanced(by: filled), room)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            filled += count
        }
        return Array(bytes[..<filled])
    }

    /// Bytes from an offset on; those that are not there are missing.
    package func bytes(at offset: Int, count: Int) throws(SyncFailure) -> [UInt8] {
        try flush()
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let (room, start) = (count - filled, offset + filled)
            let count = unsafe bytes.withUnsafeMutableBytes {
                unsafe pread(descriptor, $0.baseAddress?.advanced(by: filled), room, start)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.failure("reading what was fetched") }
            if count == 0 { break }
            filled += count
        }
        return Array(bytes[..<filled])
    }

    /// A reader of the file from its beginning; it must not outlive this object.
    package func json(limits: JSONLimits) throws(SyncFailure) -> JSONReader {
        try rewind()
        let descriptor = descriptor
        return unsafe JSONReader(limits: limits) { room in
            while true {
                let count = unsafe read(descriptor, room.baseAddress, room.count)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw Self.failure("reading what was fetched") }
                return count
            }
        }
    }

    private static func failure(_ operation: String) -> SyncFailure {
        unsafe SyncFailure(.notStored, "\(operation): \(String(cString: strerror(errno)))")
    }
}
