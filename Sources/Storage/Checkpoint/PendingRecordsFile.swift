import Bytes
import Files
import Glibc

// Unsafe: unlink(2) takes a path of ours; the bytes of an integer are copied at once.

/// Records that could not be committed yet, kept where a kill does not lose them: pieces of bytes
/// in the runtime directory, beside the ``CheckpointFile``.
///
/// Pieces are appended; how much of the file counts is a ``Mark``, which the owner keeps with the
/// state that belongs to it. So a process killed between the two finds state and pieces of the same
/// moment. Two files alternate: the new one is complete before the mark names it.
package final class PendingRecordsFile {
    /// Which pieces count.
    package struct Mark: Hashable, Sendable {
        /// Which of the two files, 0 or 1.
        package var file: UInt8
        /// How many bytes of it count.
        package var length: UInt64

        package init(file: UInt8, length: UInt64) {
            self.file = file
            self.length = length
        }

        /// Nothing is pending.
        package static let empty = Mark(file: 0, length: 0)
    }

    /// The capacity of one of the files, bytes. It is the machine's memory.
    package static let capacity = 4 << 20

    private let path: String
    private var current = Mark.empty

    /// The mark after everything appended and rewritten so far.
    package var mark: Mark { current }

    /// No file is created before something is pending.
    /// - Parameter path: of both files, without their number.
    package init(path: String) { self.path = path }

    /// The pieces that count; from now on only those.
    package func recover(_ mark: Mark) -> [[UInt8]] {
        guard mark.length > 0, mark.length <= Self.capacity, mark.file <= 1,
            let content = try? OpenFile(path(mark.file), O_RDONLY)
                .bytes(at: 0, count: Int(mark.length)),
            content.count == mark.length, let pieces = Self.pieces(content)
        else {
            remove()
            return []
        }
        current = mark
        return pieces
    }

    /// Appends a piece; false if it does not fit or cannot be written, and then nothing is
    /// appended.
    package func append(_ piece: [UInt8]) -> Bool {
        write(piece, at: current)
    }

    /// Starts the other file with this piece, which replaces all pieces.
    package func rewrite(_ piece: [UInt8]) -> Bool {
        write(piece, at: Mark(file: 1 - current.file, length: 0))
    }

    /// Nothing is pending any longer; called after the mark has been cleared.
    package func clear() {
        guard current != .empty else { return }
        remove()
        current = .empty
    }

    private func remove() {
        unsafe unlink(path(0))
        unsafe unlink(path(1))
    }

    private func write(_ piece: [UInt8], at place: Mark) -> Bool {
        let bytes = Self.framed(piece)
        guard Int(place.length) + bytes.count <= Self.capacity else { return false }
        do throws(Errno) {
            try OpenFile(path(place.file), O_WRONLY | O_CREAT).write(bytes, at: Int(place.length))
        } catch { return false }
        current = Mark(file: place.file, length: place.length + UInt64(bytes.count))
        return true
    }

    private func path(_ file: UInt8) -> String { "\(path)-\(file)" }

    private static let header = 8

    /// Prefixes the piece with its length and checksum, four bytes each.
    private static func framed(_ piece: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(header + piece.count)
        for word in [UInt32(truncatingIfNeeded: piece.count), piece.withByteView(FNV1a.hash32)] {
            unsafe withUnsafeBytes(of: word.littleEndian) { unsafe bytes.append(contentsOf: $0) }
        }
        return bytes + piece
    }

    /// Nil if any of them is damaged.
    private static func pieces(_ content: [UInt8]) -> [[UInt8]]? {
        var pieces: [[UInt8]] = []
        var rest = content[...]
        while !rest.isEmpty {
            guard rest.count >= header else { return nil }
            let count = Int(word(rest.prefix(4)))
            let sum = word(rest.dropFirst(4).prefix(4))
            rest = rest.dropFirst(header)
            guard rest.count >= count, rest.prefix(count).withByteView(FNV1a.hash32) == sum else {
                return nil
            }
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return pieces
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
