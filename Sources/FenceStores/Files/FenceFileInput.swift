import Glibc

/// The bytes of a fence file, and how many of them have been read.
final class FenceFileInput {
    /// Fills the front of the room and returns how many bytes it wrote; 0 is the end.
    typealias Source = (UnsafeMutableRawBufferPointer) throws -> Int

    private let source: Source
    /// Read to tell the format, and not given out yet.
    private var first: [UInt8] = []
    private var ended = false
    private(set) var bytesRead = 0

    init(_ source: @escaping Source) { self.source = source }

    /// What an open file descriptor gives, which stays the caller's to close.
    convenience init(descriptor: Int32) {
        self.init { room in
            while true {
                let count = Glibc.read(descriptor, room.baseAddress, room.count)
                if count >= 0 { return count }
                if errno != EINTR { throw ReadFailure(code: errno) }
            }
        }
    }

    func read(into room: UnsafeMutableRawBufferPointer) throws -> Int {
        if !first.isEmpty {
            let count = min(room.count, first.count)
            room.copyBytes(from: first[..<count])
            first.removeFirst(count)
            return count
        }
        guard !ended, room.count > 0 else { return 0 }
        let count = try source(room)
        ended = count == 0
        bytesRead += count
        return count
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
            var chunk = [UInt8](repeating: 0, count: 4_096)
            let count = try chunk.withUnsafeMutableBytes { try source($0) }
            bytesRead += count
            guard count > 0 else {
                ended = true
                return place < first.count ? first[place] : nil
            }
            first += chunk[..<count]
        }
    }
}

/// A file that ends in an error of the system.
struct ReadFailure: Error, CustomStringConvertible {
    var code: Int32

    var description: String { "cannot be read: " + String(cString: strerror(code)) }
}
