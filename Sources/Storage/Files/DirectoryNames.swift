import Glibc

// Unsafe: open(2) takes a path of ours.

/// The entries of a directory, of which files are created, renamed and removed.
enum DirectoryNames {
    /// Makes changes of the entries durable.
    static func sync(_ directory: String) throws(FailedCall) {
        let descriptor = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FailedCall(code: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FailedCall(code: errno) }
    }
}

/// The error of a failed system call; the caller adds the path.
struct FailedCall: Error, Hashable {
    /// errno(3).
    var code: Int32
}
