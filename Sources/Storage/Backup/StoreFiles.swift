import Files
import Glibc

// Unsafe: system calls take a path and a structure of ours.

/// File operations on a store.
enum StoreFiles {
    /// Removes the file and its write-ahead log.
    static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unsafe unlink(path + suffix) }
    }

    /// Gives the file to the user that the daemon runs as, for root may restore.
    static func give(
        _ path: String, toOwnerOf directory: String
    ) throws(BackupFailure) {
        var status = stat()
        guard unsafe stat(directory, &status) == 0 else {
            throw BackupFailure(.last, directory)
        }
        guard geteuid() == 0 else { return }
        guard unsafe chown(path, status.st_uid, status.st_gid) == 0 else {
            throw BackupFailure(.last, path)
        }
    }

    /// Keeps what is at `path` as `….before-restore`, with its log.
    static func replace(_ path: String, by fresh: String) throws(BackupFailure) {
        let before = path + ".before-restore"
        remove(before)
        try? Directory.move(path, to: before)
        // A log belongs to its file: it would corrupt another one.
        try? Directory.move(path + "-wal", to: before + "-wal")
        unsafe unlink(path + "-shm")
        try BackupFailure.at(path) { () throws(Errno) in try Directory.move(fresh, to: path) }
    }
}

/// While this exists, nobody has the store open or can open it: see ``NumberFile``.
final class StoreLock {
    private let path: String
    private let file: OpenFile
    /// What the file of numbers holds.
    let numbers: KnownNumbers?

    init(_ state: String) throws(BackupFailure) {
        let path = "\(state)/numbers"
        self.path = path
        file = try BackupFailure.at(path) { () throws(Errno) in
            try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW)
        }
        guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw BackupFailure("is in use; stop the daemon first", state)
        }
        numbers = NumberFile.read(file)
        try? StoreFiles.give(path, toOwnerOf: state)
    }

    /// The log that is there now is whole, and ends with that number.
    func note(last: UInt64, log: String?) throws(BackupFailure) {
        let known = KnownNumbers(given: last, isExact: true, committed: last, log: log)
        try BackupFailure.at(path) { () throws(Errno) in try NumberFile.write(known, to: file) }
    }

    deinit {
        // Closing alone would leave the lock to a child that is just being started.
        flock(file.descriptor, LOCK_UN)
    }
}
