import CZlib
import Glibc

// Unsafe: zlib fills an array's own memory, whose count it is told; the handle is closed once.

/// A file that may be compressed with gzip, read from its beginning to its end.
@safe package final class GzipFile {
    /// Open from the first to the last.
    private let file: gzFile
    /// As it was given, for messages.
    package let path: String

    package init(path: String) throws(CompressionError) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw .last }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw unsafe CompressionError(String(cString: strerror(EISDIR)))
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
    /// are; 0 at the end of the file.
    package func read(into buffer: inout [UInt8]) throws(CompressionError) -> Int {
        let count = unsafe buffer.withUnsafeMutableBytes { room in
            // No more than there is room for.
            unsafe gzread(file, room.baseAddress, UInt32(clamping: room.count))
        }
        if count > 0 { return Int(count) }
        // "If the end of the file is reached in the middle of a gzip stream … gzread() returns the
        // bytes so far, and gzerror() Z_BUF_ERROR" (zlib.h).
        var code: Int32 = Z_OK
        let message = unsafe gzerror(file, &code)
        switch code {
        case Z_OK, Z_STREAM_END:
            return 0
        case Z_BUF_ERROR:
            throw CompressionError("compressed data end too early")
        case Z_ERRNO:
            throw .last
        default:
            let text = unsafe message.map { unsafe String(cString: $0) } ?? ""
            // zlib puts the name of the file in front.
            let reason = text.hasPrefix(path + ": ") ? String(text.dropFirst(path.count + 2)) : text
            throw CompressionError("compressed data are broken: \(reason)")
        }
    }

    /// Back to the beginning.
    package func rewind() throws(CompressionError) {
        guard unsafe gzrewind(file) == 0 else {
            throw CompressionError("cannot be read a second time")
        }
    }
}

extension CompressionError {
    /// What the C library has just left in errno.
    fileprivate static var last: CompressionError {
        unsafe CompressionError(String(cString: strerror(errno)))
    }
}
