import CZlib
import Glibc

// Unsafe: zlib reads an array's own memory, whose count it is told; the handle is closed once.

/// A file that is written compressed with gzip, at its fastest.
@safe package final class GzipWriter {
    /// Nil once it is finished.
    private var file: gzFile?

    /// - Parameter descriptor: from where it stands; it stays the caller's to close.
    package init(descriptor: Int32) throws(CompressionError) {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw .last }
        guard let file = unsafe gzdopen(copy, "wb1") else {
            close(copy)
            throw CompressionError("no memory")
        }
        unsafe self.file = unsafe file
    }

    deinit {
        if let file = unsafe file { unsafe gzclose_w(file) }
    }

    /// Appends bytes.
    package func write(_ bytes: [UInt8]) throws(CompressionError) {
        guard !bytes.isEmpty else { return }
        guard let file = unsafe file else { throw CompressionError("written after its end") }
        let count = unsafe bytes.withUnsafeBytes { room in
            unsafe gzwrite(file, room.baseAddress, UInt32(clamping: room.count))
        }
        guard count == bytes.count else { throw .last }
    }

    /// Ends the file; nothing may follow.
    package func finish() throws(CompressionError) {
        guard let file = unsafe file else { return }
        unsafe self.file = nil
        guard unsafe gzclose_w(file) == Z_OK else { throw .last }
    }
}
