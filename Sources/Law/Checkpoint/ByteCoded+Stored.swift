package import Bytes

// As a column of the store.
extension ByteCoded {
    /// The layout by itself.
    package var bytes: [UInt8] { ByteWriter.bytes { write(to: &$0) } }

    /// Nil where the bytes are damaged. What a later version writes behind is ignored.
    package init?(bytes: [UInt8]) {
        guard let value = ByteReader.value(of: bytes, { try Self(from: &$0) }) else { return nil }
        self = value
    }
}
