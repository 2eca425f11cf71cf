import CZstd
package import Files

// Unsafe: libzstd reads and fills arrays of ours, whose counts it is told; the context is freed once.

/// Why a file cannot be packed, or unpacked further.
package struct ZstdError: Error, Hashable, CustomStringConvertible {
    /// A phrase without a full stop.
    package var description: String

    init(_ description: String) { self.description = description }
}

/// A file that is written compressed with zstd (RFC 8878), one frame with a checksum.
@safe package final class ZstdWriter {
    private let context: OpaquePointer
    private let file: OpenFile
    private var input: [UInt8] = []
    private var room = [UInt8](repeating: 0, count: 1 << 17)

    /// - Parameter file: from where it stands.
    package init(_ file: OpenFile) throws(ZstdError) {
        guard let context = unsafe ZSTD_createCCtx() else { throw ZstdError("no memory") }
        unsafe self.context = unsafe context
        self.file = file
        // The default of the program zstd; a reader needs 2 MiB for it.
        unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 3)
        unsafe ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
    }

    deinit { unsafe ZSTD_freeCCtx(context) }

    /// Appends bytes.
    /// - Throws: ``ZstdError``, `Errno`.
    package func write(_ bytes: [UInt8]) throws {
        input += bytes
        guard input.count >= room.count else { return }
        try compress(ZSTD_e_continue)
    }

    /// Ends the frame; nothing may follow. The file is not synced.
    package func finish() throws { try compress(ZSTD_e_end) }

    private func compress(_ mode: ZSTD_EndDirective) throws {
        var taken = 0
        while true {
            let (left, given) = unsafe input.withUnsafeBytes { bytes in
                unsafe room.withUnsafeMutableBytes { room in
                    var from = unsafe ZSTD_inBuffer(
                        src: bytes.baseAddress, size: bytes.count, pos: taken)
                    var into = unsafe ZSTD_outBuffer(
                        dst: room.baseAddress, size: room.count, pos: 0)
                    let left = unsafe ZSTD_compressStream2(context, &into, &from, mode)
                    taken = unsafe from.pos
                    return unsafe (left, into.pos)
                }
            }
            guard ZSTD_isError(left) == 0 else {
                throw unsafe ZstdError(String(cString: ZSTD_getErrorName(left)))
            }
            try file.write(Array(room[..<given]))
            if mode == ZSTD_e_end ? left == 0 : taken == input.count { break }
        }
        input.removeAll(keepingCapacity: true)
    }
}
