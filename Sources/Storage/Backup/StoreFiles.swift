import Glibc

// Unsafe: system calls take a path or an array of ours, with its own count.

/// File operations on a store.
enum StoreFiles {
    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Removes the file and its write-ahead log.
    static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unsafe unlink(path + suffix) }
    }

    /// Makes changes to the names in a directory durable.
    static func sync(_ directory: String) throws(BackupFailure) {
        do throws(FailedCall) { try DirectoryNames.sync(directory) } catch {
            throw BackupFailure(system: error.code, directory)
        }
    }

    /// Gives the file to the user that the daemon runs as, for root may restore.
    static func give(
        _ path: String, toOwnerOf directory: String
    ) throws(BackupFailure) {
        var status = stat()
        guard unsafe stat(directory, &status) == 0 else {
            throw BackupFailure(system: errno, directory)
        }
        guard geteuid() == 0 else { return }
        guard unsafe chown(path, status.st_uid, status.st_gid) == 0 else {
            throw BackupFailure(system: errno, path)
        }
    }

    /// Keeps what is at `path` as `….before-restore`, with its log.
    static func replace(_ path: String, by fresh: String) throws(BackupFailure) {
        let before = path + ".before-restore"
        remove(before)
        _ = unsafe rename(path, before)
        // A log belongs to its file: it would corrupt another one.
        _ = unsafe rename(path + "-wal", before + "-wal")
        unsafe unlink(path + "-shm")
        guard unsafe rename(fresh, path) == 0 else { throw BackupFailure(system: errno, path) }
    }
}

/// While this exists, nobody has the store open or can open it: see ``NumberFile``.
@safe final class StoreLock {
    private let descriptor: Int32
    /// The number that the file of numbers holds.
    let lastNumber: UInt64

    init(_ state: String) throws(BackupFailure) {
        let path = "\(state)/numbers"
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw BackupFailure(system: errno, path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw BackupFailure("is in use; stop the daemon first", state)
        }
        lastNumber = NumberFile.read(descriptor)
        try? StoreFiles.give(path, toOwnerOf: state)
    }

    deinit {
        // Closing alone would leave the lock to a child that is just being started.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
