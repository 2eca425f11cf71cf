import Bytes
import Geodesy

/// Reads what ``FenceRecord`` has written; every length is checked before it is followed.
struct RecordBytes {
    private let bytes: ByteView
    private(set) var position: Int

    init(_ bytes: ByteView, from position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    var isAtEnd: Bool { position == bytes.count }

    @inline(__always)
    mutating func byte() throws(DamagedRecord) -> UInt8 {
        guard position < bytes.count else { throw DamagedRecord() }
        defer { position += 1 }
        return bytes[position]
    }

    /// Seven bits to a byte, the lowest first; the top bit says that more follow.
    @inline(__always)
    mutating func varint() throws(DamagedRecord) -> UInt64 {
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

    @inline(__always)
    mutating func load<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type
    ) throws(DamagedRecord) -> Value {
        let size = MemoryLayout<Value>.size
        guard bytes.count - position >= size else { throw DamagedRecord() }
        defer { position += size }
        return bytes.integer(at: position, as: type)
    }

    /// The next so many bytes, which stay where they are.
    @inline(__always)
    mutating func take(_ count: UInt64) throws(DamagedRecord) -> ByteView {
        guard count <= UInt64(bytes.count - position) else { throw DamagedRecord() }
        defer { position += Int(count) }
        return bytes.part(position..<position + Int(count))
    }

    mutating func text() throws(DamagedRecord) -> String {
        try take(try varint()).text
    }

    var rest: ByteView { bytes.part(from: position) }
}

extension [UInt8] {
    mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}
