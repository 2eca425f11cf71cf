import Bytes
import CSQLite
import Glibc

// Unsafe: pread(2) and pwrite(2) use memory whose capacity was ensured just before; all reads are
// checked.

/// One sorted run in a file, read piece by piece: each string is preceded by its key and its
/// length, and followed by its number.
struct SortedRun {
    static let numberBytes = MemoryLayout<Int64>.size
    private static let pieceBytes = 1 << 15

    private let file: SortFile
    private var offset: Int
    private let end: Int
    private var memory: RawMemory
    private var filled = 0
    private var position = 0
    private var count = 0
    /// The key of the current string.
    private(set) var key: UInt64 = 0

    /// The run between `start` and the end of the file.
    init(_ file: SortFile, from start: Int) {
        self.file = file
        offset = start
        end = file.size
        memory = RawMemory(capacity: 0)
    }

    /// The current string and its number.
    var head: ByteView { memory.view(from: position, count: count) }

    /// Advances to the next string; false at the end. The previous one becomes invalid.
    mutating func advance() throws(StoreError) -> Bool {
        position += count
        count = 0
        guard position < filled || offset < end else { return false }
        try need(12)
        let start = memory.view(from: position, count: 12)
        key = start.integer(at: 0)
        let next = start.integer(at: 8, as: UInt32.self)
        position += 12
        try need(Int(next))
        count = Int(next)
        return true
    }

    /// Reads on until `needed` bytes are available from the position.
    private mutating func need(_ needed: Int) throws(StoreError) {
        let held = filled - position
        guard held < needed else { return }
        let room = max(needed, Self.pieceBytes)
        let target = room > memory.capacity ? RawMemory(capacity: room) : memory
        unsafe memmove(target.base, memory.base + position, held)
        memory = target
        position = 0
        filled = held
        let wanted = min(memory.capacity - held, end - offset)
        try unsafe file.read(into: memory.base + held, wanted, at: offset)
        filled += wanted
        offset += wanted
        guard filled >= needed else { throw file.failure("reading", SQLITE_IOERR) }
    }

    static func parts(
        _ entry: ByteView
    ) -> (bytes: ByteView, number: Int64) {
        let length = entry.count - numberBytes
        return (entry.part(0..<length), entry.integer(at: length))
    }

    /// Compares the strings, without their numbers: below 0 when the first comes first.
    static func order(_ a: ByteView, _ b: ByteView) -> Int {
        let order = parts(a).bytes.order(with: parts(b).bytes)
        return order != 0 ? order : a.count - b.count
    }
}

/// An unnamed file, deleted with this object.
final class SortFile {
    private let descriptor: Int32
    private let directory: String
    private(set) var size = 0

    init(_ directory: String) throws(StoreError) {
        self.directory = directory
        var template = Array("\(directory)/.sort-XXXXXX".utf8CString)
        descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else {
            throw Self.failure("making", SQLITE_CANTOPEN, directory)
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unsafe unlink(template)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends all of it.
    func write(_ output: ByteView) throws(StoreError) {
        var written = 0
        while written < output.count {
            let count = unsafe output.part(from: written).withUnsafeBytes {
                unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(size))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("writing", SQLITE_IOERR) }
            written += count
            size += count
        }
    }

    func read(
        into room: UnsafeMutableRawPointer, _ count: Int, at offset: Int
    ) throws(StoreError) {
        var filled = 0
        while filled < count {
            let portion = unsafe pread(
                descriptor, room + filled, count - filled, off_t(offset + filled))
            if portion < 0, errno == EINTR { continue }
            guard portion > 0 else { throw failure("reading", SQLITE_IOERR) }
            filled += portion
        }
    }

    func failure(_ doing: String, _ code: Int32) -> StoreError {
        Self.failure(doing, code, directory)
    }

    private static func failure(
        _ doing: String, _ code: Int32, _ directory: String
    ) -> StoreError {
        let reason = errno
        let told =
            switch reason {
            case ENOSPC, EDQUOT: SQLITE_FULL
            case EROFS: SQLITE_READONLY
            default: code
            }
        return StoreError(
            code: told,
            message: unsafe "\(doing) a file to sort in: \(String(cString: strerror(reason)))",
            path: directory)
    }
}
