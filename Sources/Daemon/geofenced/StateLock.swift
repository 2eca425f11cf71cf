import Glibc

// Unsafe: open(2) takes a path of ours.

/// While this exists, no other daemon uses the same state directory: two would give the same numbers
/// to different events. A lock on the directory itself, which ends with the process, however it
/// ends. A backup does not need it; a restore has the lock of the file `numbers`.
@safe final class StateLock {
    private let descriptor: Int32

    /// A directory that does not exist is locked by nobody.
    /// - Throws: ``StateDirectoryInUse``
    init(_ directory: String) throws(StateDirectoryInUse) {
        descriptor = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK
        else { return }
        close(descriptor)
        throw StateDirectoryInUse(path: directory)
    }

    deinit {
        guard descriptor >= 0 else { return }
        // Closing alone would leave the lock to a child that is just being started.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}

/// Another daemon has locked it.
struct StateDirectoryInUse: Error, CustomStringConvertible {
    let path: String

    var description: String { "state directory \(path): another geofenced uses it" }
}
