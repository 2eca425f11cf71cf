import CMicrohttpd

// Unsafe: the buffer that libmicrohttpd lends is filled up to its size, within the call.

/// The bytes of a large answer, of which every connection that gets it sends the same ones. It grows in
/// pieces of one size: what has grown is never copied, and what is freed fits the next one.
@MainActor
package final class SharedBody {
    /// Bytes from which on a copy for each connection would be felt; also those of a piece.
    nonisolated package static let least = 64 << 10

    private var pieces: [[UInt8]] = []
    /// All bytes.
    package private(set) var count = 0

    package init() {}

    init(_ bytes: [UInt8]) { append(bytes) }

    /// Adds these bytes, unless it is being sent already.
    package func append(_ bytes: some RandomAccessCollection<UInt8>) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let used = count % Self.least
            if used == 0 {
                pieces.append([])
                if count > 0 { pieces[pieces.count - 1].reserveCapacity(Self.least) }
            }
            let part = rest.prefix(Self.least - used)
            pieces[pieces.count - 1].append(contentsOf: part)
            count += part.count
            rest = rest.dropFirst(part.count)
        }
    }

    /// libmicrohttpd asks for up to `count` bytes from that place on.
    func read(from place: UInt64, into buffer: UnsafeMutablePointer<CChar>, count: Int) -> Int {
        guard place < self.count else { return geofenced_mhd_end() }
        let (piece, start) = Int(place).quotientAndRemainder(dividingBy: Self.least)
        let bytes = pieces[piece]
        let size = min(count, bytes.count - start)
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + size]))
        }
        return size
    }
}
