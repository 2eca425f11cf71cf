import Files
import Glibc
package import JSON

// Unsafe: unlink(2) takes a path of ours; what is read is put into the memory that a reader lends, up
// to its count.

/// A file that is written, and then read from its beginning.
package final class SpoolFile: SetLines {
    private let file: OpenFile
    /// Its name; of one without a name that of its directory.
    package let path: String
    /// Bytes that were written.
    package private(set) var size = 0
    private var buffer: [UInt8] = []

    /// Written at a time, bytes.
    private static let portion = 1 << 16

    /// A file without a name, which is gone with this object.
    package convenience init(in directory: String) throws(SyncFailure) {
        let file = try SyncFailure.storing(directory) { () throws(Errno) in
            try OpenFile(namelessIn: directory)
        }
        self.init(file, path: directory)
    }

    /// A new file at `path`; a former one is emptied.
    package convenience init(path: String) throws(SyncFailure) {
        let file = try SyncFailure.storing(path) { () throws(Errno) in
            try OpenFile(path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW)
        }
        self.init(file, path: path)
    }

    /// A file that is there already, for reading; nil if it is not.
    package convenience init?(reading path: String) {
        guard let file = try? OpenFile(path, O_RDONLY | O_NOFOLLOW) else { return nil }
        self.init(file, path: path)
    }

    private init(_ file: OpenFile, path: String) {
        self.file = file
        self.path = path
    }

    /// Open for reading and writing.
    package var descriptor: Int32 { file.descriptor }

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
            throw SyncFailure(.last, "writing what was fetched")
        }
    }

    /// Writes what is held.
    package func flush() throws(SyncFailure) {
        try SyncFailure.storing("writing what was fetched") { () throws(Errno) in
            try file.write(buffer)
        }
        size += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }

    /// Ends the writing; the next read is from the beginning.
    package func rewind() throws(SyncFailure) {
        try flush()
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw SyncFailure(.last, "reading again") }
    }

    /// The bytes from the beginning, at most `limit`.
    package func bytes(limit: Int) throws(SyncFailure) -> [UInt8] {
        try flush()
        return try bytes(at: 0, count: min(limit, size))
    }

    /// Bytes from an offset on; those that are not there are missing.
    package func bytes(at offset: Int, count: Int) throws(SyncFailure) -> [UInt8] {
        try flush()
        return try SyncFailure.storing("reading what was fetched") { () throws(Errno) in
            try file.bytes(at: offset, count: count)
        }
    }

    /// A reader of the file from its beginning; it must not outlive this object.
    package func json(limits: JSONLimits) throws(SyncFailure) -> JSONReader {
        try rewind()
        let descriptor = descriptor
        return unsafe JSONReader(limits: limits) { room in
            do throws(Errno) { return try unsafe OpenFile.read(descriptor, into: room) } catch {
                throw SyncFailure(error, "reading what was fetched")
            }
        }
    }
}
