/// An array in the binary format of PostgreSQL (`array_recv`, and that of each type), big-endian: many
/// rows in one parameter, which neither side has to write and read as text.
package struct BinaryArray: Hashable, Sendable {
    /// The type of its elements, by its number in `pg_type`.
    package enum Element: UInt32, Sendable {
        case boolean = 16
        case bigint = 20
        case text = 25
        case float8 = 701
        case timestamptz = 1184
        case uuid = 2950
        case jsonb = 3802
    }

    /// As libpq takes it.
    package private(set) var bytes: [UInt8] = []
    private var count: UInt32 = 0
    private let isDocument: Bool

    /// Where ``count`` lies.
    private static let place = 12
    /// Microseconds from 1970, where ours begin, to 2000, where those of PostgreSQL do.
    private static let epoch: Int64 = 946_684_800_000_000
    private static let null = UInt32.max

    /// - Parameter size: bytes that are reserved.
    package init(of element: Element, size: Int) {
        isDocument = element == .jsonb
        bytes.reserveCapacity(size)
        // One dimension, of which some are null; from 1 on.
        for number in [1, 1, element.rawValue, 0, 1] { put(number) }
    }

    /// Adds a `text` or a `jsonb`; nil is NULL. Texts in PostgreSQL have no NUL: the caller refuses
    /// them.
    package mutating func append(_ text: String?) {
        begin()
        guard let text else { return put(Self.null) }
        put(UInt32(truncatingIfNeeded: text.utf8.count + (isDocument ? 1 : 0)))
        if isDocument { bytes.append(1) }
        bytes.append(contentsOf: text.utf8)
    }

    /// Adds a `bigint`.
    package mutating func append(_ number: Int64) {
        begin()
        put(UInt32(8))
        put(UInt64(bitPattern: number))
    }

    /// Adds a `float8`; nil is NULL.
    package mutating func append(_ number: Double?) {
        begin()
        guard let number else { return put(Self.null) }
        put(UInt32(8))
        put(number.bitPattern)
    }

    /// Adds a `boolean`.
    package mutating func append(_ isTrue: Bool) {
        begin()
        put(UInt32(1))
        bytes.append(isTrue ? 1 : 0)
    }

    /// Adds a `timestamptz`.
    /// - Parameter milliseconds: since 1970, within 200,000 years.
    package mutating func append(milliseconds: Int64) { append(milliseconds * 1000 - Self.epoch) }

    /// Adds a `uuid`.
    /// - Parameter hexadecimal: 32 digits, small letters.
    package mutating func append(hexadecimal: String) {
        begin()
        put(UInt32(16))
        var high: UInt8?
        for digit in hexadecimal.utf8 {
            let value = digit < 0x3A ? digit &- 0x30 : digit &- 0x57
            if let first = high { bytes.append(first << 4 | value & 15) }
            high = high == nil ? value : nil
        }
    }

    /// One more.
    private mutating func begin() {
        count += 1
        for byte in 0..<4 {
            bytes[Self.place + byte] = UInt8(truncatingIfNeeded: count >> (24 - 8 * UInt32(byte)))
        }
    }

    private mutating func put(_ number: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}
