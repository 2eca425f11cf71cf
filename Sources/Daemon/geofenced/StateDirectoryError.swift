import Glibc

// Unsafe: system calls take a path or an array of ours, with its own count.

/// Why there is nowhere to keep fences and events, ever: a wrong path, or wrong rights. (A disk that
/// is full or read-only is no reason not to start.) SQLite says of every such directory that it is
/// "unable to open database file".
struct StateDirectoryError: Error, CustomStringConvertible {
    let path: String
    let errno: Int32

    /// Nil when the directory is not what is wrong.
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
        unsafe "state directory \(path): \(String(cString: strerror(errno)))"
    }
}
