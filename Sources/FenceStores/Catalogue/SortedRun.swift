import CSQLite
import Glibc

/// One sorted run in a file, read a piece at a time: each string behind its key and its length, with
/// a number at its end.
struct SortedRun {
    static let numberBytes = MemoryLayout<Int64>.size
    private static let pieceBytes = 1 << 15

    private let file: SortFile
    private var offset: Int
    private let end: Int
    private var memory: Memory
    private var filled = 0
    private var position = 0
    private var count = 0
    /// Of the string it stands on.
    private(set) var key: UInt64 = 0

    /// What lies between that place of the file and its end.
    init(_ file: SortFile, from start: Int) {
        self.file = file
        offset = start
        end = file.size
        memory = Memory(capacity: 0)
    }

    /// The string it stands on, and its number.
    var head: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory.base + position, count: count)
    }

    /// Goes to the next string; false at the end. What was there before is gone.
    mutating func advance() throws(StoreError) -> Bool {
        position += count
        count = 0
        guard position < filled || offset < end else { return false }
        try need(12)
        let start = UnsafeRawPointer(memory.base) + position
        key = UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
        let next = UInt32(littleEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        position += 12
        try need(Int(next))
        count = Int(next)
        return true
    }

    /// Reads on until so many bytes lie behind the position.
    private mutating func need(_ needed: Int) throws(StoreError) {
        let held = filled - position
        guard held < needed else { return }
        let room = max(needed, Self.pieceBytes)
        let target = room > memory.capacity ? Memory(capacity: room) : memory
        memmove(target.base, memory.base + position, held)
        memory = target
        position = 0
        filled = held
        let wanted = min(memory.capacity - held, end - offset)
        try file.read(into: memory.base + held, wanted, at: offset)
        filled += wanted
        offset += wanted
        guard filled >= needed else { throw file.failure("reading", SQLITE_IOERR) }
    }

    static func parts(
        _ entry: UnsafeRawBufferPointer
    ) -> (bytes: UnsafeRawBufferPointer, number: Int64) {
        let length = entry.count - numberBytes
        return (
            UnsafeRawBufferPointer(rebasing: entry[..<length]),
            entry.loadUnaligned(fromByteOffset: length, as: Int64.self)
        )
    }

    /// Of the strings, without their numbers: below 0 where the first comes first.
    static func order(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
        if let start = a.baseAddress, let other = b.baseAddress {
            let order = memcmp(start, other, min(a.count, b.count) - numberBytes)
            if order != 0 { return Int(order) }
        }
        return a.count - b.count
    }
}

/// A file without a name, gone with this.
final class SortFile {
    private let descriptor: Int32
    private let directory: String
    private(set) var size = 0

    init(_ directory: String) throws(StoreError) {
        self.directory = directory
        var template = Array("\(directory)/.sort-XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            throw Self.failure("making", SQLITE_CANTOPEN, directory)
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(template)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Writes all of it at the end.
    func write(_ output: UnsafeRawBufferPointer) throws(StoreError) {
        var written = 0
        while written < output.count {
            let count = pwrite(
                descriptor, output.baseAddress?.advanced(by: written), output.count - written,
                off_t(size))
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
            let portion = pread(
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
            code: told, message: "\(doing) a file to sort in: \(String(cString: strerror(reason)))",
            path: directory)
    }
}
