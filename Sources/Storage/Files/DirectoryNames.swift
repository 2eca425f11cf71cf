import Glibc

// Unsafe: open(2) takes a path of ours.

/// The names in a directory: a file that is new there, renamed or removed.
enum DirectoryNames {
    /// Makes changes to them durable.
    static func sync(_ directory: String) throws(FailedCall) {
        let descriptor = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FailedCall(code: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FailedCall(code: errno) }
    }
}

/// A system call has failed; the caller knows of what.
struct FailedCall: Error, Hashable {
    /// errno(3).
    var code: Int32
}
