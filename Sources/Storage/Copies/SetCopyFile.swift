import Bytes
import Files
import Glibc
import Model

// Unsafe: fstatvfs(2) fills a structure of ours.

/// A copy that is being written: as a whole, or at its end.
struct SetCopyFile {
    private let file: OpenFile
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
        file = try StoreError.at(path) { () throws(Errno) in
            try OpenFile(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
        }
        self.path = path
        (size, begun) = (0, 0)
        pending = SetCopyFormat.head
        check = FNV1a.hash64(pending)
    }

    /// - Parameter mark: its last entry, as of ``SetCopies``.
    init(appendingTo path: String, _ mark: SetCopyFormat.Mark) throws(StoreError) {
        let (file, size) = try StoreError.at(path) { () throws(Errno) in
            let file = try OpenFile(path, O_WRONLY | O_APPEND | O_NOFOLLOW)
            return (file, Int64(try file.status().st_size))
        }
        (self.file, self.path) = (file, path)
        (self.size, begun) = (size, size)
        (check, base) = (mark.check, mark.base)
    }

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
        try StoreError.at(path) { () throws(Errno) in try file.sync(metadata: begun == 0) }
        return (mark, size)
    }

    private mutating func flush() throws(StoreError) {
        // A copy must not take the last room, which events need.
        var status = statvfs()
        if begun == 0, unsafe fstatvfs(file.descriptor, &status) == 0 {
            let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
            guard free > Self.reserve else { throw StoreError(Errno(ENOSPC), path: path) }
        }
        try StoreError.at(path) { () throws(Errno) in try file.write(pending) }
        size += Int64(pending.count)
        pending.removeAll(keepingCapacity: true)
    }

    /// Bytes that are left free when a copy is written as a whole.
    private static let reserve: UInt64 = 8 << 20
}
