/// Bytes that end too early, or say what cannot be: none that our writers have written.
package struct MalformedBytes: Error, CustomStringConvertible {
    package init() {}

    package var description: String { "not as it was written" }
}

/// Reads what a ``ByteWriter`` wrote; every length is checked before it is followed, and none can ask
/// for memory that the bytes do not have. Used no longer than the bytes are lent.
package struct ByteReader {
    private let bytes: ByteView
    /// Bytes read.
    package private(set) var position: Int

    package init(_ bytes: ByteView, from position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    package var isAtEnd: Bool { position == bytes.count }

    /// What has not been read yet.
    package var rest: ByteView { bytes.part(from: position) }

    package mutating func read<T: FixedWidthInteger & BitwiseCopyable>(
        _: T.Type = T.self
    ) throws(MalformedBytes) -> T {
        let size = MemoryLayout<T>.size
        guard bytes.count - position >= size else { throw MalformedBytes() }
        defer { position += size }
        return bytes.integer(at: position, as: T.self)
    }

    /// So many bytes, which stay where they are.
    package mutating func readRaw(_ count: Int) throws(MalformedBytes) -> ByteView {
        guard count >= 0, count <= bytes.count - position else { throw MalformedBytes() }
        defer { position += count }
        return bytes.part(position..<position + count)
    }

    package mutating func readDouble() throws(MalformedBytes) -> Double {
        Double(bitPattern: try read())
    }

    package mutating func readBool() throws(MalformedBytes) -> Bool {
        let byte: UInt8 = try read()
        guard byte <= 1 else { throw MalformedBytes() }
        return byte == 1
    }

    package mutating func readString() throws(MalformedBytes) -> String {
        let count = Int(try read(UInt32.self))
        guard let text = String(validating: try readRaw(count), as: UTF8.self) else {
            throw MalformedBytes()
        }
        return text
    }

    package mutating func readOptional<T>(
        _ body: (inout ByteReader) throws -> T
    ) throws -> T? {
        try readBool() ? try body(&self) : nil
    }

    /// - Parameter least: bytes that an element takes at least.
    package mutating func readList<T>(
        ofAtLeast least: Int = 1, _ body: (inout ByteReader) throws -> T
    ) throws -> [T] {
        let count = Int(try read(UInt32.self))
        guard count <= (bytes.count - position) / least else { throw MalformedBytes() }
        var list: [T] = []
        list.reserveCapacity(count)
        for _ in 0..<count { list.append(try body(&self)) }
        return list
    }
}
