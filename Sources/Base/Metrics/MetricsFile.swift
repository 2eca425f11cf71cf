package import Files
import Glibc

// Unsafe: lstat(2) writes into a structure of ours.

/// Where a collector of metrics finds them, such as node_exporter's of text files.
package enum MetricsFile {
    /// Replaces the file by one with this text, which everybody may read: a collector has the former one
    /// or this, whole.
    /// - Throws: EEXIST where something is there that is no ordinary file.
    package static func write(_ text: MetricsText, to path: String) throws(Errno) {
        var status = stat()
        if unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw Errno(EEXIST)
        }
        try Replacement.write(Array(text.text.utf8), to: path, mode: 0o644)
    }
}
