import CMicrohttpd

// Unsafe: the buffer that libmicrohttpd lends is filled up to its size, within the call.

/// The bytes of a large answer, of which every connection that gets it sends the same ones.
final class SharedBody {
    /// Bytes from which on a copy for each connection would be felt.
    static let least = 64 << 10

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// libmicrohttpd asks for up to `count` bytes from that place on.
    func read(from place: UInt64, into buffer: UnsafeMutablePointer<CChar>, count: Int) -> Int {
        guard place < bytes.count else { return geofenced_mhd_end() }
        let start = Int(place)
        let size = min(count, bytes.count - start)
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + size]))
        }
        return size
    }
}
