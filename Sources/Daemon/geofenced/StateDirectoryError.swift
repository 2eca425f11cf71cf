import Files
import Glibc
import Storage

// Unsafe: system calls take a path or an array of ours, with its own count.

/// Why fences and events cannot be stored at all: a wrong path, or wrong permissions. (A disk that
/// is full or read-only does not prevent the start.) SQLite reports every such directory as "unable
/// to open database file".
struct StateDirectoryError: Error, CustomStringConvertible {
    let path: String
    let errno: Int32

    /// Nil when the directory is not the cause.
    init?(of path: String) {
        self.path = path
        // O_DIRECTORY: a file is ENOTDIR, as a missing directory is ENOENT.
        let directory = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        let isDirectory = directory >= 0
        if isDirectory { close(directory) }
        guard unsafe !isDirectory || access(path, W_OK | X_OK) != 0 else { return nil }
        errno = Glibc.errno
        guard [ENOENT, ENOTDIR, EACCES, ELOOP, ENAMETOOLONG].contains(errno) else { return nil }
    }

    var description: String {
        "state directory \(path): \(Errno(errno))"
    }
}

extension CheckpointFile {
    /// Nil, with a warning, if it cannot be opened.
    @MainActor
    static func opened(_ path: String, _ reporting: Reporting) -> CheckpointFile? {
        do {
            return try CheckpointFile(path: path)
        } catch {
            reporting.warning("pending decisions will not survive a kill: \(error)")
            return nil
        }
    }
}
