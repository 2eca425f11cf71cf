import CZlib

// Unsafe: a source fills the room it is given, and no count beyond it is believed.

/// What gzip has packed (RFC 1952), one member or several, read from the front as its bytes come. What
/// it unpacks to is bounded by what it is packed in.
@safe package final class GzipStream {
    /// What each member begins with.
    package static let mark: [UInt8] = [0x1F, 0x8B]

    private let source: ZipMember.Source
    private let inflater: Inflater
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var waiting = 0..<0
    private var packed = 0
    private var unpacked = 0
    private var isOver = false

    /// - Throws: ``CompressionError`` if there is no memory.
    package init(_ source: @escaping ZipMember.Source) throws(CompressionError) {
        unsafe self.source = unsafe source
        inflater = try Inflater(.gzip)
    }

    /// Fills the front of the room and gives how many bytes that are; 0 at the end.
    /// - Throws: ``CompressionError``, and what the source throws.
    package func read(into room: UnsafeMutableRawBufferPointer) throws -> Int {
        while !isOver, room.count > 0 {
            let isMore = try fill()
            if inflater.isAtEnd {
                guard isMore else {
                    isOver = true
                    return 0
                }
                inflater.reset()
            }
            let (taken, given) = try unsafe inflater.inflate(buffer[waiting], into: room)
            waiting = waiting.lowerBound + taken..<waiting.upperBound
            packed += taken
            unpacked += given
            try CompressionError.check(unpacked: unpacked, from: packed)
            if given > 0 { return given }
            // At the end of the source there may be bytes that are unpacked, but no more.
            guard isMore || inflater.isAtEnd else {
                throw CompressionError("compressed data end too early")
            }
        }
        return 0
    }

    /// Sees to it that bytes are waiting; false at the end of the source.
    private func fill() throws -> Bool {
        guard waiting.isEmpty else { return true }
        let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe source($0) }
        guard count <= buffer.count else { throw CompressionError("a source that gave too much") }
        waiting = 0..<max(count, 0)
        return count > 0
    }
}
