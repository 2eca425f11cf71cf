import CZlib
import Glibc

/// A file that may be compressed with gzip, read from its beginning to its end.
final class GzipFile {
    private let file: gzFile
    let path: String

    init(path: String) throws(TrackError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw TrackError(String(cString: strerror(errno)), path: path)
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw TrackError(String(cString: strerror(EISDIR)), path: path)
        }
        guard let file = gzopen(path, "rbe") else {
            throw TrackError(String(cString: strerror(errno)), path: path)
        }
        self.file = file
        self.path = path
    }

    deinit { gzclose_r(file) }

    /// Fills the front of `buffer`; 0 at the end of the file. `line` is where the reader is, for
    /// the error.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, line: Int
    ) throws(TrackError) -> Int {
        let count = gzread(file, buffer.baseAddress, UInt32(clamping: buffer.count))
        if count > 0 { return Int(count) }
        // "If the end of the file is reached in the middle of a gzip stream … gzread() returns the
        // bytes so far, and gzerror() Z_BUF_ERROR" (zlib.h).
        var code: Int32 = Z_OK
        let message = gzerror(file, &code)
        switch code {
        case Z_OK, Z_STREAM_END:
            return 0
        case Z_BUF_ERROR:
            throw TrackError("compressed data end too early", path: path, line: line)
        case Z_ERRNO:
            throw TrackError(String(cString: strerror(errno)), path: path, line: line)
        default:
            let text = message.map { String(cString: $0) } ?? ""
            // zlib puts the name of the file in front.
            let reason = text.hasPrefix(path + ": ") ? String(text.dropFirst(path.count + 2)) : text
            throw TrackError("compressed data are broken: \(reason)", path: path, line: line)
        }
    }

    /// Back to the beginning.
    func rewind() throws(TrackError) {
        guard gzrewind(file) == 0 else {
            throw TrackError("cannot be read a second time", path: path)
        }
    }
}
