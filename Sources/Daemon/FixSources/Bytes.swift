import Glibc

// Unsafe: read(2) and memchr(3) get an array's own memory, from a place within it, and what is
// left of it.

// The two things that are done to memory by its address, for all that comes from outside; everything
// else looks at bytes through arrays and spans, whose bounds are checked in release builds too.

extension Span<UInt8> {
    /// Where `byte` stands first, at `start` or behind it; nil where it does not.
    func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
        precondition(start >= 0)
        guard start < count else { return nil }
        // memchr(3) looks at some 32 bytes at once, and at no more than it is told there are.
        return unsafe withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress,
                let found = unsafe memchr(base + start, Int32(byte), bytes.count - start)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }
}

/// read(2) into `bytes`, from `start` to their end and `limit` bytes at most; gives what read(2) does, and its errno.
func read(
    _ descriptor: Int32, into bytes: inout [UInt8], from start: Int = 0, atMost limit: Int = .max
) -> Int {
    precondition((0...bytes.count).contains(start))
    // The precondition keeps the address within the array, and the count within what is behind it.
    return unsafe bytes.withUnsafeMutableBytes { room in
        unsafe Glibc.read(
            descriptor, room.baseAddress.map { unsafe $0 + start },
            min(room.count - start, limit))
    }
}
