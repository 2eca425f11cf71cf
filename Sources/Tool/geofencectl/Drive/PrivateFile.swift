import Files
import Glibc
import JSON
import Program

// Unsafe: lstat(2) writes into a structure of ours.

/// A file that holds positions: readable by its owner alone, and it appears whole or not at all.
enum PrivateFile {
    /// Writes the bytes under this name, instead of a file that was there; `-` is standard output. As
    /// there, they are JSON, or without controls.
    /// - Throws: ``Failure``
    @MainActor
    static func write(_ bytes: [UInt8], to path: String) throws {
        guard path != "-" else { return try StandardOutput.write(bytes) }
        var status = stat()
        if unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw Failure("exists, and is no ordinary file", path)
        }
        try Failure.at(path) { () throws(Errno) in
            try Replacement.write(bytes.shownJSON, to: path, .unique)
        }
    }
}
