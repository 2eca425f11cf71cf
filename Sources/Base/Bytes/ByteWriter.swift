// Unsafe: every byte is written within the memory, as is checked first; the memory outlives the
// writer.

/// Writes into existing memory: little-endian, unaligned, lists and texts preceded by their count
/// (32 bits).
///
/// Something is written at every fix; an array that grows, or is copied once, costs several times
/// as much.
@safe @usableFromInline package struct ByteWriter {
    @usableFromInline let start: UnsafeMutableRawPointer
    @usableFromInline var next: UnsafeMutableRawPointer
    /// Nothing is written beyond it; ``start`` once something did not fit.
    @usableFromInline var limit: UnsafeMutableRawPointer
    @usableFromInline var isFull = false

    /// - Parameter room: not empty; must outlive the writer.
    package init(_ room: UnsafeMutableRawBufferPointer) {
        guard let start = room.baseAddress else { preconditionFailure("no room to write to") }
        unsafe self.start = unsafe start
        unsafe next = unsafe start
        unsafe limit = unsafe start + room.count
    }

    /// Bytes written; nil if something did not fit.
    package var count: Int? { unsafe isFull ? nil : next - start }

    /// What `body` writes, whatever its size.
    package static func bytes(_ body: (inout ByteWriter) -> Void) -> [UInt8] {
        var capacity = 4096
        while true {
            var isWhole = false
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { room, count in
                var writer = unsafe ByteWriter(UnsafeMutableRawBufferPointer(room))
                body(&writer)
                isWhole = writer.count != nil
                count = writer.count ?? 0
            }
            if isWhole { return bytes }
            capacity *= 2
        }
    }

    /// Where the next `size` bytes go; nil if they do not fit, and for everything after that.
    @inlinable @inline(__always)
    mutating func take(_ size: Int) -> UnsafeMutableRawPointer? {
        let destination = unsafe next
        guard unsafe limit - destination >= size else {
            isFull = true
            unsafe limit = unsafe start
            return nil
        }
        unsafe next = unsafe destination + size
        return unsafe destination
    }

    /// An integer, little-endian; if it does not fit, ``count`` becomes nil.
    @inlinable @inline(__always)
    package mutating func write<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
        guard let destination = unsafe take(MemoryLayout<T>.size) else { return }
        unsafe destination.storeBytes(of: value.littleEndian, as: T.self)
    }

    /// Without a count.
    package mutating func write(raw bytes: UnsafeRawBufferPointer) {
        guard let from = bytes.baseAddress, let destination = unsafe take(bytes.count) else {
            return
        }
        unsafe destination.copyMemory(from: from, byteCount: bytes.count)
    }

    /// Eight bytes, IEEE 754.
    @inlinable package mutating func write(_ value: Double) { write(value.bitPattern) }

    /// A byte, 0 or 1.
    @inlinable package mutating func write(_ value: Bool) { write(UInt8(value ? 1 : 0)) }

    /// UTF-8 preceded by its length in 32 bits.
    package mutating func write(_ value: String) {
        var value = value
        value.withUTF8 { text in
            write(UInt32(text.count))
            unsafe write(raw: UnsafeRawBufferPointer(text))
        }
    }

    /// Preceded by a byte that says whether there is a value.
    @inlinable package mutating func write<T>(_ value: T?, _ body: (inout ByteWriter, T) -> Void) {
        write(value != nil)
        if let value { body(&self, value) }
    }

    /// What `body` writes, preceded by its length in 32 bits: a reader that knows less of it passes
    /// over the rest, see ``ByteReader/readSection()``.
    package mutating func writeSection(_ body: (inout ByteWriter) -> Void) {
        guard let destination = unsafe take(MemoryLayout<UInt32>.size) else { return }
        let begin = unsafe next
        body(&self)
        guard !isFull else { return }
        unsafe destination.storeBytes(of: UInt32(next - begin).littleEndian, as: UInt32.self)
    }

    /// Elements preceded by their count in 32 bits.
    @inlinable package mutating func write<C: Collection>(
        _ values: C, _ body: (inout ByteWriter, C.Element) -> Void
    ) {
        write(UInt32(values.count))
        for value in values { body(&self, value) }
    }
}
