import CZlib
import Files
import Glibc

// Unsafe: zlib fills an array's own memory, whose count it is told; the handle is closed once.

/// A file that may be compressed with gzip, read from its beginning to its end.
@safe package final class GzipFile {
    /// Open from the first to the last.
    private let file: gzFile
    /// As it was given, for messages.
    package let path: String
    /// What is there is not the whole file, as a read has shown.
    private var endsTooEarly = false

    package init(path: String) throws(CompressionError) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw .last }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw CompressionError(Errno(EISDIR).description)
        }
        guard let file = unsafe gzopen(path, "rbe") else { throw .last }
        unsafe self.file = unsafe file
        self.path = path
    }

    /// What an open file gives, from where it stands; it stays the caller's to close.
    /// - Parameter path: for messages.
    package init(descriptor: Int32, path: String) throws(CompressionError) {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw .last }
        guard let file = unsafe gzdopen(copy, "rb") else {
            close(copy)
            throw CompressionError("no memory")
        }
        unsafe self.file = unsafe file
        self.path = path
    }

    deinit { unsafe gzclose_r(file) }

    /// Fills the front of `buffer`, which may be less than all of it, and gives how many bytes that
    /// are; 0 at the end of the file. Of a file that ends too early the part that is there is given
    /// before that is thrown.
    package func read(into buffer: inout [UInt8]) throws(CompressionError) -> Int {
        let count = unsafe buffer.withUnsafeMutableBytes { room in
            // No more than there is room for.
            unsafe gzread(file, room.baseAddress, UInt32(clamping: room.count))
        }
        // Asked after every read, also of one that gave bytes: with zlib 1.3.2 the next read has
        // forgotten the fault, and a file that was cut short would be taken for a whole one.
        let error = lastError()
        if let error, error != .endsTooEarly { throw error }
        // zlib may have more bytes from before the end, unpacked already.
        endsTooEarly = endsTooEarly || error != nil
        guard count <= 0 else { return Int(count) }
        if endsTooEarly { throw .endsTooEarly }
        return 0
    }

    /// What was wrong with the last read.
    private func lastError() -> CompressionError? {
        // "If the end of the file is reached in the middle of a gzip stream … gzread() returns the
        // bytes so far, and gzerror() Z_BUF_ERROR" (zlib.h).
        var code: Int32 = Z_OK
        let message = unsafe gzerror(file, &code)
        switch code {
        case Z_OK, Z_STREAM_END:
            return nil
        case Z_BUF_ERROR:
            return .endsTooEarly
        case Z_ERRNO:
            return .last
        default:
            let text = unsafe message.map { unsafe String(cString: $0) } ?? ""
            // zlib puts the name of the file in front.
            let reason = text.hasPrefix(path + ": ") ? String(text.dropFirst(path.count + 2)) : text
            return CompressionError("compressed data are broken: \(reason)")
        }
    }

    /// Back to the beginning.
    package func rewind() throws(CompressionError) {
        guard unsafe gzrewind(file) == 0 else {
            throw CompressionError("cannot be read a second time")
        }
        endsTooEarly = false
    }
}

extension CompressionError {
    fileprivate static let endsTooEarly = CompressionError("compressed data end too early")

    /// What the C library has just left in errno.
    static var last: CompressionError {
        CompressionError(Errno.last.description)
    }
}
