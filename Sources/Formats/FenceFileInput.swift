import Compression
import Glibc

// Unsafe: a source fills the room it is given, and no count beyond it is believed.

/// The bytes of a fence file, and how many of them have been read.
@safe final class FenceFileInput {
    /// Fills the front of the room and returns how many bytes it wrote; 0 is the end.
    typealias Source = (UnsafeMutableRawBufferPointer) throws -> Int

    private let source: Source
    /// Read to tell the format, and not given out yet.
    private var first: [UInt8] = []
    private var ended = false
    private(set) var bytesRead = 0
    /// Bytes that the present entry may still take. A file of one entry without end would stop the
    /// loop, whatever of it is kept.
    private var allowance = FenceFileInput.longestEntry
    /// Some times what the largest geometry takes when every number is on a line of its own.
    static let longestEntry = 16 << 20

    init(_ source: @escaping Source) { unsafe self.source = unsafe source }

    /// What an open file descriptor gives, which stays the caller's to close.
    ///
    /// More than `limit` bytes are an error: a file may grow while it is read.
    convenience init(descriptor: Int32, limit: Int) {
        var left = limit
        unsafe self.init { room in
            while true {
                let count = unsafe Glibc.read(descriptor, room.baseAddress, room.count)
                if count > left { throw UnfitFile(reason: "is larger than \(limit) bytes") }
                if count >= 0 {
                    left -= count
                    return count
                }
                if errno != EINTR { throw ReadFailure(code: errno) }
            }
        }
    }

    /// The next entry begins, or is looked for.
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

    /// Whether the file begins with these bytes, of which there are few.
    func begins(with mark: [UInt8]) throws -> Bool {
        while first.count < mark.count, try peekMore() {}
        return first.starts(with: mark)
    }

    /// The first line that is not blank, or as much of a longer one as 64 KiB hold.
    func peekLine() throws -> [UInt8] {
        while true {
            let line = first.drop { $0 <= 0x20 }
            if let end = line.firstIndex(of: 0x0A) { return Array(line[..<end]) }
            guard try peekMore() else { return Array(line) }
        }
    }

    /// Reads more of what is not given out yet; false where there is no more, or enough of it.
    private func peekMore() throws -> Bool {
        guard first.count < 65_536, !ended else { return false }
        var chunk = [UInt8](repeating: 0, count: 4_096)
        let count = try unsafe chunk.withUnsafeMutableBytes { try unsafe source($0) }
        bytesRead += count
        ended = count == 0
        first += chunk[..<count]
        return !ended
    }

    /// The first byte that is no white space, behind a byte order mark; nil in an empty file.
    func peek() throws -> UInt8? {
        var place = 0
        while true {
            let isMark = place == 0 && first.starts(with: [0xEF, 0xBB, 0xBF])
            if isMark { place = 3 }
            while place < first.count, [0x20, 0x09, 0x0A, 0x0D].contains(first[place]) {
                place += 1
            }
            // A mark may come in three pieces.
            if place < first.count, first.count >= 3 || first[place] != 0xEF {
                return first[place]
            }
            // A page of blanks is no fence file.
            guard first.count < 65_536 else { return nil }
            guard try peekMore() else { return place < first.count ? first[place] : nil }
        }
    }
}

extension FenceFileInput {
    /// The first file of a zip archive whose name will do.
    func member(where isWanted: (String) -> Bool) throws -> FenceFileInput {
        let member = try unsafe ZipMember(
            { [self] room in
                // The entry that is bounded is the one inside.
                beginEntry()
                return try unsafe read(into: room)
            }, where: isWanted)
        return unsafe FenceFileInput { try unsafe member.read(into: $0) }
    }
}

/// A file that ends in an error of the system.
struct ReadFailure: Error, CustomStringConvertible {
    var code: Int32

    var description: String { unsafe "cannot be read: " + String(cString: strerror(code)) }
}

/// One entry, or what stands between two, takes more than can be read in one go.
struct EntryTooLong: Error, CustomStringConvertible {
    var description: String {
        "more than \(FenceFileInput.longestEntry >> 20) MiB without the end of an entry"
    }
}
