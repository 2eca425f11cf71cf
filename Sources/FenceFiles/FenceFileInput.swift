import Compression
import Files

// Unsafe: a source fills the memory it is given, and a count beyond it is not accepted.

/// The bytes of a fence file, and the number read so far.
@safe final class FenceFileInput {
    /// Fills the memory from its start and returns the number of bytes written; 0 is the end.
    typealias Source = (UnsafeMutableRawBufferPointer) throws -> Int

    private let source: Source
    /// Read to detect the format, and not returned yet.
    private var first: [UInt8] = []
    private var ended = false
    private(set) var bytesRead = 0
    /// Bytes that the present entry may still use. A file with one endless entry would stop the
    /// loop, however little of it is kept.
    private var allowance = FenceFileInput.longestEntry
    /// A few times the size of the largest geometry when every number is on its own line.
    static let longestEntry = 16 << 20

    init(_ source: @escaping Source) { unsafe self.source = unsafe source }

    /// Reads a file descriptor, which the caller closes.
    ///
    /// More than `limit` bytes are an error: a file may grow while it is read.
    convenience init(descriptor: Int32, limit: Int) {
        unsafe self.init(limit: limit) { try unsafe OpenFile.read(descriptor, into: $0) }
    }

    private convenience init(limit: Int, _ source: @escaping Source) {
        var left = limit
        unsafe self.init { room in
            let count = try unsafe source(room)
            left -= count
            guard left >= 0 else { throw UnreadableFile.larger(than: limit) }
            return count
        }
    }

    /// The next entry begins, or is searched for.
    func beginEntry() { allowance = Self.longestEntry }

    func read(into room: UnsafeMutableRawBufferPointer) throws -> Int {
        if !first.isEmpty {
            let count = min(room.count, first.count)
            unsafe room.copyBytes(from: first[..<count])
            first.removeFirst(count)
            return count
        }
        guard !ended, room.count > 0 else { return 0 }
        guard allowance > 0 else { throw EntryTooLong() }
        let count = try unsafe source(room)
        ended = count == 0
        bytesRead += count
        allowance -= count
        return count
    }

    /// Whether the file begins with these few bytes.
    func begins(with mark: [UInt8]) throws -> Bool {
        try head(mark.count).starts(with: mark)
    }

    /// The first bytes, as many as there are.
    func head(_ count: Int) throws -> [UInt8] {
        while first.count < count, try peekMore() {}
        return Array(first.prefix(count))
    }

    /// The first line that is not blank, or the first 64 KiB of a longer one.
    func peekLine() throws -> [UInt8] {
        while true {
            let line = first.drop { $0 <= 0x20 }
            if let end = line.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
                return Array(line[..<end])
            }
            guard try peekMore() else { return Array(line) }
        }
    }

    /// Reads more ahead; false at the end, or if there is enough.
    private func peekMore() throws -> Bool {
        guard first.count < 65_536, !ended else { return false }
        var chunk = [UInt8](repeating: 0, count: 4_096)
        let count = try unsafe chunk.withUnsafeMutableBytes { try unsafe source($0) }
        bytesRead += count
        ended = count == 0
        first += chunk[..<count]
        return !ended
    }

    /// The first byte that is not white space, after a byte order mark; nil in an empty file.
    func peek() throws -> UInt8? {
        var offset = 0
        while true {
            let isMark = offset == 0 && first.starts(with: [0xEF, 0xBB, 0xBF])
            if isMark { offset = 3 }
            while offset < first.count, [0x20, 0x09, 0x0A, 0x0D].contains(first[offset]) {
                offset += 1
            }
            // The mark may arrive in three pieces.
            if offset < first.count, first.count >= 3 || first[offset] != 0xEF {
                return first[offset]
            }
            // A page of blanks is not a fence file.
            guard first.count < 65_536 else { return nil }
            guard try peekMore() else { return offset < first.count ? first[offset] : nil }
        }
    }
}

extension FenceFileInput {
    /// What gzip has packed.
    ///
    /// More than `limit` bytes of it are an error.
    func unpacked(limit: Int) throws -> FenceFileInput {
        let stream = try unsafe GzipStream { [self] room in
            // The limit applies to the entry inside.
            beginEntry()
            return try unsafe read(into: room)
        }
        return unsafe FenceFileInput(limit: limit) { try unsafe stream.read(into: $0) }
    }

    /// The first file of a zip archive with an accepted name.
    func member(where isWanted: (String) -> Bool) throws -> FenceFileInput {
        let member = try unsafe ZipMember(
            { [self] room in
                // The limit applies to the entry inside the archive.
                beginEntry()
                return try unsafe read(into: room)
            }, where: isWanted)
        return unsafe FenceFileInput { try unsafe member.read(into: $0) }
    }
}

/// One entry, or the text between two, is too long to be read at once.
struct EntryTooLong: Error, CustomStringConvertible {
    var description: String {
        "more than \(FenceFileInput.longestEntry >> 20) MiB without the end of an entry"
    }
}
