import Bytes
import CSQLite
import Files
import Glibc

// Unsafe: what is read is put into memory whose capacity was ensured just before.

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
        guard filled >= needed else { throw file.failure("reading", Errno(EIO)) }
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

/// A file without a name, which is gone with this object.
final class SortFile {
    private let file: OpenFile
    private let directory: String
    private(set) var size = 0

    init(_ directory: String) throws(StoreError) {
        self.directory = directory
        do throws(Errno) { file = try OpenFile(namelessIn: directory) } catch {
            throw Self.failure("making", error, SQLITE_CANTOPEN, directory)
        }
    }

    /// Appends all of it.
    func write(_ output: ByteView) throws(StoreError) {
        do throws(Errno) {
            try unsafe output.withUnsafeBytes { (bytes) throws(Errno) in
                try unsafe file.write(bytes, at: size)
            }
            size += output.count
        } catch { throw failure("writing", error) }
    }

    func read(
        into room: UnsafeMutableRawPointer, _ count: Int, at offset: Int
    ) throws(StoreError) {
        do throws(Errno) {
            let room = unsafe UnsafeMutableRawBufferPointer(start: room, count: count)
            guard try unsafe file.fill(room, from: offset) == count else { throw Errno(EIO) }
        } catch { throw failure("reading", error) }
    }

    func failure(_ doing: String, _ error: Errno) -> StoreError {
        Self.failure(doing, error, SQLITE_IOERR, directory)
    }

    private static func failure(
        _ doing: String, _ error: Errno, _ code: Int32, _ directory: String
    ) -> StoreError {
        let told =
            switch error.code {
            case ENOSPC, EDQUOT: SQLITE_FULL
            case EROFS: SQLITE_READONLY
            default: code
            }
        return StoreError(
            code: told, message: "\(doing) a file to sort in: \(error)", path: directory)
    }
}
