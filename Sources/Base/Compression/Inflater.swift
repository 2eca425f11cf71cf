import CZlib

// Unsafe: zlib reads and writes arrays of ours, whose counts it is told; its state does not move
// between the first call and the last, for it is allocated once.

/// Unpacks deflated data.
@safe final class Inflater {
    private let stream: UnsafeMutablePointer<z_stream>
    private(set) var isAtEnd = false

    /// What is around the data.
    enum Wrapping: Int32 {
        /// Nothing (RFC 1951). Negative: no header.
        case none = -15
        /// Header and checksum of gzip (RFC 1952).
        case gzip = 31
    }

    init(_ wrapping: Wrapping) throws(CompressionError) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        guard unsafe inflateInit2_(stream, wrapping.rawValue, ZLIB_VERSION, size) == Z_OK else {
            unsafe stream.deallocate()
            throw CompressionError("no memory")
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Begins again, with other data.
    func reset() {
        isAtEnd = false
        unsafe inflateReset(stream)
    }

    /// Unpacks from the front of `input` to the front of `room`.
    /// - Returns: how many bytes of each were used.
    func inflate(
        _ input: ArraySlice<UInt8>, into room: UnsafeMutableRawBufferPointer
    ) throws(CompressionError) -> (taken: Int, given: Int) {
        var input = input
        let status = unsafe input.withUnsafeMutableBufferPointer { bytes in
            unsafe stream.pointee.next_in = bytes.baseAddress
            unsafe stream.pointee.avail_in = UInt32(clamping: bytes.count)
            unsafe stream.pointee.next_out = room.bindMemory(to: UInt8.self).baseAddress
            unsafe stream.pointee.avail_out = UInt32(clamping: room.count)
            return unsafe CZlib.inflate(stream, Z_NO_FLUSH)
        }
        switch status {
        case Z_STREAM_END: isAtEnd = true
        case Z_OK, Z_BUF_ERROR: break
        default: throw CompressionError("compressed data are broken")
        }
        return unsafe (
            input.count - Int(stream.pointee.avail_in), room.count - Int(stream.pointee.avail_out)
        )
    }
}
