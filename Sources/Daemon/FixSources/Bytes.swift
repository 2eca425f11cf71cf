import Glibc

// Unsafe: read(2) and memchr(3) get an array's own memory, from an index within it, and the rest of
// its length.

// The two operations on raw memory for all input; all other code reads bytes through arrays and
// spans, whose bounds are checked in release builds too.

extension Span<UInt8> {
    /// The first index of `byte`, at or after `start`; nil if it does not occur.
    func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
        precondition(start >= 0)
        guard start < count else { return nil }
        // memchr(3) compares some 32 bytes at once, and stays within the given count.
        return unsafe withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress,
                let found = unsafe memchr(base + start, Int32(byte), bytes.count - start)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }
}

/// read(2) into `bytes`, from `start` to their end and at most `limit` bytes; returns the result of
/// read(2), and its errno.
func read(
    _ descriptor: Int32, into bytes: inout [UInt8], from start: Int = 0, atMost limit: Int = .max
) -> Int {
    precondition((0...bytes.count).contains(start))
    // The precondition keeps the address within the array, and the count within the rest of it.
    return unsafe bytes.withUnsafeMutableBytes { room in
        unsafe Glibc.read(
            descriptor, room.baseAddress.map { unsafe $0 + start },
            min(room.count - start, limit))
    }
}
