/// Stored bytes that our writers cannot have written: they end too early, or hold impossible
/// values.
@usableFromInline package struct DamagedRecord: Error, CustomStringConvertible {
    @inlinable package init() {}

    @usableFromInline package var description: String { "not as it was written" }
}

/// Reads what was written by a ``ByteWriter`` or into a ``ByteBuffer``; every length is checked
/// before it is used, and none can ask for more memory than the bytes justify. Not to be used after
/// the bytes' loan has ended.
@usableFromInline package struct ByteReader {
    @usableFromInline let bytes: ByteView
    /// Bytes read.
    @usableFromInline package internal(set) var position: Int

    @inlinable package init(_ bytes: ByteView, from position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// What `read` makes of the bytes from their beginning; nil where it throws. What stands behind is
    /// ignored: a later version may have appended it.
    @inlinable package static func value<Value>(
        of bytes: [UInt8], _ read: (inout ByteReader) throws -> Value
    ) -> Value? {
        bytes.withByteView { view in
            var reader = ByteReader(view)
            return try? read(&reader)
        }
    }

    /// Everything has been read.
    @inlinable package var isAtEnd: Bool { position == bytes.count }

    /// What has not been read yet.
    @inlinable package var rest: ByteView { bytes.part(from: position) }

    /// The next byte.
    @inlinable @inline(__always)
    package mutating func byte() throws(DamagedRecord) -> UInt8 {
        guard position < bytes.count else { throw DamagedRecord() }
        defer { position += 1 }
        return bytes[position]
    }

    /// Little-endian.
    @inlinable @inline(__always)
    package mutating func read<T: FixedWidthInteger & BitwiseCopyable>(
        _ type: T.Type = T.self
    ) throws(DamagedRecord) -> T {
        let size = MemoryLayout<T>.size
        guard bytes.count - position >= size else { throw DamagedRecord() }
        defer { position += size }
        return bytes.integer(at: position, as: type)
    }

    /// Seven bits per byte, the lowest first; the top bit says that more follow.
    @inlinable @inline(__always)
    package mutating func varint() throws(DamagedRecord) -> UInt64 {
        let first = try byte()
        if first < 0x80 { return UInt64(first) }
        var value = UInt64(first & 0x7F)
        var shift: UInt64 = 7
        while shift < 64 {
            let next = try byte()
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return value }
            shift += 7
        }
        throw DamagedRecord()
    }

    /// The next `count` bytes, without a copy.
    @inlinable @inline(__always)
    package mutating func take(_ count: UInt64) throws(DamagedRecord) -> ByteView {
        guard count <= UInt64(bytes.count - position) else { throw DamagedRecord() }
        defer { position += Int(count) }
        return bytes.part(position..<position + Int(count))
    }

    /// A text preceded by its length as a ``varint()``; invalid UTF-8 becomes U+FFFD.
    package mutating func text() throws(DamagedRecord) -> String {
        try take(try varint()).text
    }
}

// The types that a ``ByteWriter`` writes.
extension ByteReader {
    /// Eight bytes, IEEE 754; any number, NaN included.
    @inlinable package mutating func readDouble() throws(DamagedRecord) -> Double {
        Double(bitPattern: try read())
    }

    /// A byte that is 0 or 1.
    @inlinable package mutating func readBool() throws(DamagedRecord) -> Bool {
        let byte = try byte()
        guard byte <= 1 else { throw DamagedRecord() }
        return byte == 1
    }

    /// UTF-8 preceded by its length in 32 bits.
    package mutating func readString() throws(DamagedRecord) -> String {
        try string(UInt64(try read(UInt32.self)))
    }

    /// The next `count` bytes as UTF-8; what is none is damage.
    package mutating func string(_ count: UInt64) throws(DamagedRecord) -> String {
        guard let text = try take(count).validText else { throw DamagedRecord() }
        return text
    }

    /// What `body` reads, if the byte before it says that there is a value.
    @inlinable package mutating func readOptional<T>(
        _ body: (inout ByteReader) throws -> T
    ) throws -> T? {
        try readBool() ? try body(&self) : nil
    }

    /// What ``ByteWriter/writeSection(_:)`` wrote; a later version may have written more at its end.
    package mutating func readSection() throws(DamagedRecord) -> ByteView {
        try take(UInt64(try read(UInt32.self)))
    }

    /// Elements preceded by their count in 32 bits.
    /// - Parameter least: the least number of bytes that an element takes.
    @inlinable package mutating func readList<T>(
        ofAtLeast least: Int = 1, _ body: (inout ByteReader) throws -> T
    ) throws -> [T] {
        let count = Int(try read(UInt32.self))
        guard count <= (bytes.count - position) / least else { throw DamagedRecord() }
        var list: [T] = []
        list.reserveCapacity(count)
        for _ in 0..<count { list.append(try body(&self)) }
        return list
    }
}
