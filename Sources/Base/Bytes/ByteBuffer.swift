// Unsafe: nothing is written beyond the capacity, which is grown first; a lent view has the count
// of bytes written.

/// Bytes that are assembled repeatedly in the same memory, without an array's checks for each of
/// them. Copies share the memory: the only owner must not copy it.
package struct ByteBuffer {
    private var memory = RawMemory(capacity: 256)
    /// Bytes written since it was created or last emptied.
    package private(set) var count = 0

    package init() {}

    /// Valid until the next change.
    package var bytes: ByteView {
        unsafe ByteView(lending: UnsafeRawBufferPointer(start: memory.base, count: count))
    }

    /// Empties it, keeping the memory.
    package mutating func removeAll() { count = 0 }

    /// Adds one byte.
    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        unsafe room(for: 1).storeBytes(of: byte, as: UInt8.self)
        count += 1
    }

    /// Little-endian.
    @inline(__always)
    package mutating func append<Value: FixedWidthInteger & BitwiseCopyable>(raw value: Value) {
        let size = MemoryLayout<Value>.size
        unsafe room(for: size).storeBytes(of: value.littleEndian, as: Value.self)
        count += size
    }

    /// Seven bits per byte, the lowest first; the top bit says that more follow.
    @inline(__always)
    package mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    /// Adds a copy of `bytes`.
    package mutating func append(_ bytes: ByteView) {
        unsafe bytes.withUnsafeBytes { bytes in
            guard let source = bytes.baseAddress else { return }
            unsafe room(for: bytes.count).copyMemory(from: source, byteCount: bytes.count)
            count += bytes.count
        }
    }

    /// Adds the UTF-8 bytes of `text`.
    package mutating func append(_ text: String) {
        text.withByteView { append($0) }
    }

    /// Preceded by its length.
    package mutating func append(counted text: String) {
        append(varint: UInt64(text.utf8.count))
        append(text)
    }

    @inline(__always)
    private mutating func room(for size: Int) -> UnsafeMutableRawPointer {
        if count + size > memory.capacity { grow(to: count + size) }
        return unsafe memory.base + count
    }

    private mutating func grow(to needed: Int) {
        let larger = RawMemory(capacity: max(needed, 2 * memory.capacity))
        unsafe larger.base.copyMemory(from: memory.base, byteCount: count)
        memory = larger
    }
}

/// Bytes that stay in place as long as this object lives.
@safe package final class RawMemory {
    package let base: UnsafeMutableRawPointer
    /// Bytes available at ``base``.
    package let capacity: Int

    package init(capacity: Int) {
        self.capacity = capacity
        unsafe base = .allocate(byteCount: max(capacity, 1), alignment: 8)
    }

    deinit { unsafe base.deallocate() }

    /// A part of it; traps when out of bounds.
    package func view(from first: Int, count: Int) -> ByteView {
        precondition(first >= 0 && count >= 0 && first <= capacity - count, "beyond the memory")
        return unsafe ByteView(lending: UnsafeRawBufferPointer(start: base + first, count: count))
    }
}
