import CZstd
package import Files

// Unsafe: libzstd reads and fills arrays of ours, whose counts it is told; the context is freed once.

/// What zstd has packed (RFC 8878), read from its beginning to its end. A frame that wants a window of more
/// than 8 MiB is refused, and so is a file that unpacks to far more than it is likely to hold.
@safe package final class ZstdReader {
    private let context: OpaquePointer
    private let file: OpenFile
    private var packed = [UInt8](repeating: 0, count: 1 << 17)
    private var waiting = 0..<0
    private var room = [UInt8](repeating: 0, count: 1 << 17)
    private var total = (packed: 0, unpacked: 0)
    /// The frame is over: another one may follow.
    private var isBetween = true

    /// 2^23 bytes.
    private static let windowLog: Int32 = 23
    /// How often more than it is packed in a file may have, once it has `freeBytes`.
    private static let largestRatio = 1_000
    private static let freeBytes = 1 << 30

    /// - Parameter file: from where it stands.
    package init(_ file: OpenFile) throws(ZstdError) {
        guard let context = unsafe ZSTD_createDCtx() else { throw ZstdError("no memory") }
        unsafe self.context = unsafe context
        self.file = file
        unsafe ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.windowLog)
    }

    deinit { unsafe ZSTD_freeDCtx(context) }

    /// The next bytes, at least one; empty at the end.
    /// - Throws: ``ZstdError``, `Errno`.
    package func next() throws -> ArraySlice<UInt8> {
        while true {
            if waiting.isEmpty {
                let count = try file.read(into: &packed)
                total.packed += count
                waiting = 0..<count
                if count == 0 {
                    guard isBetween else { throw ZstdError("compressed data end too early") }
                    return []
                }
            }
            let given = try unpack()
            total.unpacked += given
            guard total.unpacked <= Self.freeBytes + Self.largestRatio * total.packed else {
                throw ZstdError("unpacks to more than \(Self.largestRatio) times its size")
            }
            if given > 0 { return room[..<given] }
        }
    }

    private func unpack() throws(ZstdError) -> Int {
        let (left, given) = unsafe packed.withUnsafeBytes { bytes in
            unsafe room.withUnsafeMutableBytes { room in
                var from = unsafe ZSTD_inBuffer(
                    src: bytes.baseAddress, size: waiting.upperBound, pos: waiting.lowerBound)
                var into = unsafe ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
                let left = unsafe ZSTD_decompressStream(context, &into, &from)
                waiting = unsafe from.pos..<waiting.upperBound
                return unsafe (left, into.pos)
            }
        }
        guard ZSTD_isError(left) == 0 else {
            throw unsafe ZstdError(
                "compressed data are broken: \(String(cString: ZSTD_getErrorName(left)))")
        }
        isBetween = left == 0
        return given
    }
}
