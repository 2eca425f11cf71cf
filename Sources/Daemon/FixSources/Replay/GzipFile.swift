import CZlib
import Glibc

// Unsafe: zlib fills an array's own memory, whose count it is told; the handle is closed once.

/// A file that may be compressed with gzip, read from its beginning to its end.
@safe final class GzipFile {
    /// Open from the first to the last.
    private let file: gzFile
    let path: String

    init(path: String) throws(TrackError) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            throw unsafe TrackError(String(cString: strerror(errno)), path: path)
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw unsafe TrackError(String(cString: strerror(EISDIR)), path: path)
        }
        guard let file = unsafe gzopen(path, "rbe") else {
            throw unsafe TrackError(String(cString: strerror(errno)), path: path)
        }
        unsafe self.file = unsafe file
        self.path = path
    }

    deinit { unsafe gzclose_r(file) }

    /// Fills the front of `buffer`, which may be less than all of it, and gives how many bytes that
    /// are; 0 at the end of the file. `line` is where the reader is, for the error.
    func read(into buffer: inout [UInt8], line: Int) throws(TrackError) -> Int {
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
            throw TrackError("compressed data end too early", path: path, line: line)
        case Z_ERRNO:
            throw unsafe TrackError(String(cString: strerror(errno)), path: path, line: line)
        default:
            let text = unsafe message.map { unsafe String(cString: $0) } ?? ""
            // zlib puts the name of the file in front.
            let reason = text.hasPrefix(path + ": ") ? String(text.dropFirst(path.count + 2)) : text
            throw TrackError("compressed data are broken: \(reason)", path: path, line: line)
        }
    }

    /// Back to the beginning.
    func rewind() throws(TrackError) {
        guard unsafe gzrewind(file) == 0 else {
            throw TrackError("cannot be read a second time", path: path)
        }
    }
}
