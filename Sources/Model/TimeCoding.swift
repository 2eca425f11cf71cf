package import Bytes
package import Time

/// Times as they are stored: 8 bytes each, in nanoseconds.
extension ByteWriter {
    /// Writes 8 bytes.
    package mutating func write(_ value: UTCTime) { write(value.nanoseconds) }

    /// Writes 8 bytes.
    package mutating func write(_ value: Uptime) { write(value.nanoseconds) }
}

extension ByteReader {
    /// Throws where fewer than 8 bytes are left.
    package mutating func readTime() throws -> UTCTime { UTCTime(nanoseconds: try read()) }

    /// Throws where fewer than 8 bytes are left.
    package mutating func readUptime() throws -> Uptime { Uptime(nanoseconds: try read()) }
}
