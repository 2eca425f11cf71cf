/// Writes the engine's memory: little-endian, no alignment, lists and texts after their count.
struct ByteWriter {
    /// Longer than what has been written: the engine is written at every fix, and appending to an
    /// array costs three times as much.
    private var storage = [UInt8](repeating: 0, count: 4096)
    private var count = 0

    var bytes: [UInt8] { Array(storage[..<count]) }

    private mutating func makeRoom(for size: Int) {
        guard storage.count - count < size else { return }
        storage += repeatElement(0, count: max(size, storage.count))
    }

    mutating func write<T: FixedWidthInteger>(_ value: T) {
        makeRoom(for: MemoryLayout<T>.size)
        let place = count
        storage.withUnsafeMutableBytes {
            $0.storeBytes(of: value.littleEndian, toByteOffset: place, as: T.self)
        }
        count += MemoryLayout<T>.size
    }

    mutating func write(_ value: Double) { write(value.bitPattern) }
    mutating func write(_ value: Bool) { write(UInt8(value ? 1 : 0)) }
    mutating func write(_ value: ReceiverTime) { write(value.nanoseconds) }
    mutating func write(_ value: Uptime) { write(value.nanoseconds) }

    mutating func write(_ value: String) {
        var value = value
        write(UInt32(value.utf8.count))
        makeRoom(for: value.utf8.count)
        let place = count
        count += value.withUTF8 { text in
            storage.withUnsafeMutableBytes {
                UnsafeMutableRawBufferPointer(rebasing: $0[place...]).copyBytes(from: text)
            }
            return text.count
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
struct ByteReader {
    struct Malformed: Error {}

    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Collection<UInt8>) { rest = ArraySlice(bytes) }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func read<T: FixedWidthInteger>(_: T.Type = T.self) throws -> T {
        let size = MemoryLayout<T>.size
        guard rest.count >= size else { throw Malformed() }
        let value = rest.prefix(size).reversed().reduce(T.zero) {
            $0 << 8 | T(truncatingIfNeeded: $1)
        }
        rest.removeFirst(size)
        return value
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
        guard rest.count >= count, let text = String(validating: rest.prefix(count), as: UTF8.self)
        else { throw Malformed() }
        rest.removeFirst(count)
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
