import Bytes
import CSQLite
import Engine
import Glibc

// Unsafe: system calls take a path or an array of ours, with its own count.

/// A copy that is being written: as a whole, or at its end.
struct SetCopyFile: ~Copyable {
    private let descriptor: Int32
    private let path: String
    private var pending: [UInt8] = []
    private var size: Int64
    private var check: UInt64
    /// Of the part that was written at once; nil while that is written.
    private var base: Int64?
    /// Where it ended when it was opened.
    private let begun: Int64

    /// A new file; what is in its place is overwritten.
    init(creating path: String) throws(StoreError) {
        descriptor = unsafe open(
            path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        self.path = path
        (size, begun) = (0, 0)
        pending = SetCopyFormat.head
        check = FNV1a.hash64(pending)
        guard descriptor >= 0 else { throw StoreError(errno: errno, path: path) }
    }

    /// - Parameter mark: its last entry, as of ``SetCopies``.
    init(appendingTo path: String, _ mark: SetCopyFormat.Mark) throws(StoreError) {
        descriptor = unsafe open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
        self.path = path
        var status = stat()
        let isThere = unsafe fstat(descriptor, &status) == 0
        (size, begun) = (Int64(status.st_size), Int64(status.st_size))
        (check, base) = (mark.check, mark.base)
        guard isThere else { throw StoreError(errno: errno, path: path) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// - Throws: ``StoreError``
    mutating func append(_ entries: [UInt8]) throws(StoreError) {
        check = FNV1a.hash64(entries, after: check)
        pending += entries
        if pending.count >= 1 << 16 { try flush() }
    }

    /// Writes the mark that makes everything before it count, durably.
    /// - Returns: that mark.
    mutating func finish(
        _ contents: SetContents, _ generation: Generation
    ) throws(StoreError) -> (mark: SetCopyFormat.Mark, size: Int64) {
        let end = size + Int64(pending.count + SetCopyFormat.Mark.size)
        let mark = SetCopyFormat.Mark(
            contents, generation: generation, base: base ?? end, after: check)
        pending += mark.entry
        try flush()
        let synced = begun == 0 ? fsync(descriptor) : fdatasync(descriptor)
        guard synced == 0 else { throw StoreError(errno: errno, path: path) }
        return (mark, size)
    }

    private mutating func flush() throws(StoreError) {
        // A copy must not take the last room, which events need.
        var status = statvfs()
        if begun == 0, unsafe fstatvfs(descriptor, &status) == 0 {
            let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
            guard free > Self.reserve else { throw StoreError(errno: ENOSPC, path: path) }
        }
        let count = unsafe write(descriptor, pending, pending.count)
        guard count == pending.count else {
            throw StoreError(errno: count < 0 ? errno : ENOSPC, path: path)
        }
        size += Int64(count)
        pending.removeAll(keepingCapacity: true)
    }

    /// Bytes that are left free when a copy is written as a whole.
    private static let reserve: UInt64 = 8 << 20
}

extension StoreError {
    /// A failed system call.
    init(errno code: Int32, path: String) {
        let kind =
            switch code {
            case ENOSPC, EDQUOT: SQLITE_FULL
            case EROFS, EACCES, EPERM: SQLITE_READONLY
            case ENOENT: SQLITE_CANTOPEN
            default: SQLITE_IOERR
            }
        self.init(code: kind, message: unsafe String(cString: strerror(code)), path: path)
    }
}
