/// A value with a layout as bytes. A later version appends to it.
@usableFromInline package protocol ByteCoded {
    /// Writes the layout, which `init(from:)` reads.
    func write(to writer: inout ByteWriter)

    init(from reader: inout ByteReader) throws
}

extension ByteWriter {
    /// What ``ByteReader/read(_:)`` reads.
    @inlinable @inline(__always)
    package mutating func write<Value: ByteCoded>(_ value: Value) { value.write(to: &self) }
}

extension ByteReader {
    /// What a ``ByteWriter`` wrote of such a value.
    @inlinable @inline(__always)
    package mutating func read<Value: ByteCoded>(_ type: Value.Type = Value.self) throws -> Value {
        try Value(from: &self)
    }
}
