import Time

// Unsafe: every byte is written between the ends of the room, which is asked before; the room
// outlives the writer.

/// Writes into memory that is there: little-endian, no alignment, lists and texts after their count.
///
/// Something is written at every fix; an array that grows, or is copied once, costs several times as
/// much.
@safe package struct ByteWriter {
    private let start: UnsafeMutableRawPointer
    private var next: UnsafeMutableRawPointer
    /// Nothing goes behind it; ``start`` once something did not fit.
    private var limit: UnsafeMutableRawPointer
    private var isFull = false

    /// - Parameter room: not empty; used no longer than the writer is.
    package init(_ room: UnsafeMutableRawBufferPointer) {
        guard let start = room.baseAddress else { preconditionFailure("no room to write to") }
        unsafe self.start = unsafe start
        unsafe next = unsafe start
        unsafe limit = unsafe start + room.count
    }

    /// Bytes written; nil when not all of them fitted.
    package var count: Int? { unsafe isFull ? nil : next - start }

    /// What `body` writes, however much it is.
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

    /// Where the next `size` bytes go; nil when they do not fit, as nothing will from then on.
    @inline(__always)
    private mutating func take(_ size: Int) -> UnsafeMutableRawPointer? {
        let place = unsafe next
        guard unsafe limit - place >= size else {
            isFull = true
            unsafe limit = unsafe start
            return nil
        }
        unsafe next = unsafe place + size
        return unsafe place
    }

    /// Writes a whole number, little-endian; when it does not fit, ``count`` becomes nil.
    @inline(__always)
    package mutating func write<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
        guard let place = unsafe take(MemoryLayout<T>.size) else { return }
        unsafe place.storeBytes(of: value.littleEndian, as: T.self)
    }

    /// Without their count.
    package mutating func write(raw bytes: UnsafeRawBufferPointer) {
        guard let from = bytes.baseAddress, let place = unsafe take(bytes.count) else { return }
        unsafe place.copyMemory(from: from, byteCount: bytes.count)
    }

    mutating func write(_ value: Double) { write(value.bitPattern) }
    mutating func write(_ value: Bool) { write(UInt8(value ? 1 : 0)) }
    mutating func write(_ value: ReceiverTime) { write(value.nanoseconds) }
    mutating func write(_ value: Uptime) { write(value.nanoseconds) }

    mutating func write(_ value: String) {
        var value = value
        value.withUTF8 { text in
            write(UInt32(text.count))
            unsafe write(raw: UnsafeRawBufferPointer(text))
        }
    }

    mutating func write<T>(_ value: T?, _ body: (inout ByteWriter, T) -> Void) {
        write(value != nil)
        if let value { body(&self, value) }
    }

    mutating func write<C: Collection>(
        _ values: C, _ body: (inout ByteWriter, C.Element) -> Void
    ) {
        write(UInt32(values.count))
        for value in values { body(&self, value) }
    }
}

/// Reads what ``ByteWriter`` wrote; throws where the bytes end too early or say what cannot be.
package struct ByteReader {
    struct Malformed: Error {}

    private var rest: ArraySlice<UInt8>

    package init(_ bytes: some Collection<UInt8>) { rest = ArraySlice(bytes) }

    /// Everything has been read.
    package var isAtEnd: Bool { rest.isEmpty }

    /// What has not been read yet.
    package var remainder: ArraySlice<UInt8> { rest }

    /// Reads a whole number, little-endian; throws where too few bytes are left.
    package mutating func read<T: FixedWidthInteger>(_: T.Type = T.self) throws -> T {
        let size = MemoryLayout<T>.size
        guard rest.count >= size else { throw Malformed() }
        let value = rest.prefix(size).reversed().reduce(T.zero) {
            $0 << 8 | T(truncatingIfNeeded: $1)
        }
        rest.removeFirst(size)
        return value
    }

    /// So many bytes as they are.
    package mutating func readRaw(_ count: Int) throws -> ArraySlice<UInt8> {
        guard count >= 0, rest.count >= count else { throw Malformed() }
        defer { rest.removeFirst(count) }
        return rest.prefix(count)
    }

    mutating func readDouble() throws -> Double { Double(bitPattern: try read()) }

    mutating func readBool() throws -> Bool {
        let byte: UInt8 = try read()
        guard byte <= 1 else { throw Malformed() }
        return byte == 1
    }

    mutating func readTime() throws -> ReceiverTime { ReceiverTime(nanoseconds: try read()) }
    mutating func readUptime() throws -> Uptime { Uptime(nanoseconds: try read()) }

    mutating func readString() throws -> String {
        let count = Int(try read(UInt32.self))
        guard let text = String(validating: try readRaw(count), as: UTF8.self) else {
            throw Malformed()
        }
        return text
    }

    mutating func readOptional<T>(_ body: (inout ByteReader) throws -> T) throws -> T? {
        try readBool() ? try body(&self) : nil
    }

    mutating func readList<T>(_ body: (inout ByteReader) throws -> T) throws -> [T] {
        let count = Int(try read(UInt32.self))
        // Every element takes a byte at least: a bogus count cannot ask for memory.
        guard count <= rest.count else { throw Malformed() }
        return try (0..<count).map { _ in try body(&self) }
    }
}
