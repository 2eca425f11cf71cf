import Glibc

// Unsafe: system calls take paths of ours; readdir(3)'s entry is copied at once.

/// Entries of directories, which have names, and are renamed.
package enum Directory {
    /// Which one it is, by device and inode.
    package struct Identity: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
    }

    /// The names in a directory, in order of their bytes.
    /// - Parameters:
    ///   - limit: names at most; what is beyond is passed over.
    ///   - isMeant: the others are passed over; never asked of `.` and `..`.
    package static func names(
        in directory: String, limit: Int = .max, where isMeant: (String) -> Bool = { _ in true }
    ) throws(Errno) -> [String] {
        try list(directory, limit: limit, where: isMeant).names
    }

    /// The same, and which directory it is.
    package static func list(
        _ directory: String, limit: Int = .max, where isMeant: (String) -> Bool = { _ in true }
    ) throws(Errno) -> (names: [String], identity: Identity) {
        guard let stream = unsafe opendir(directory) else { throw .last }
        defer { unsafe closedir(stream) }
        var status = stat()
        guard unsafe fstat(dirfd(stream), &status) == 0 else { throw .last }
        let identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        var names: [String] = []
        while names.count < limit {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                guard errno == 0 else { throw .last }
                break
            }
            // Read in place: the entry may be shorter than the declared size of d_name.
            let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
            let name = unsafe UnsafeRawPointer(entry).advanced(by: offset)
                .withMemoryRebound(to: CChar.self, capacity: 1) { unsafe String(cString: $0) }
            if name != ".", name != "..", isMeant(name) { names.append(name) }
        }
        return (names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, identity)
    }

    /// Makes a directory with a name that nobody has.
    /// - Parameter prefix: its path up to six random letters.
    package static func makeTemporary(_ prefix: String) throws(Errno) -> String {
        var template = Array("\(prefix)XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw .last }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The directory of a path, as it is written.
    package static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Gives a file another name on its file system; a file of that name is replaced. It lasts after
    /// ``sync(_:)`` of the directory.
    package static func move(_ path: String, to other: String) throws(Errno) {
        guard unsafe rename(path, other) == 0 else { throw .last }
    }

    /// As ``move(_:to:)``, but there must be no file of that name: `EEXIST`.
    static func move(_ path: String, toNew other: String) throws(Errno) {
        guard unsafe link(path, other) == 0 else {
            // link(2): "The filesystem … does not support the creation of hard links", such as FAT.
            guard Errno.last.code == EPERM else { throw .last }
            guard unsafe access(other, F_OK) != 0 else { throw Errno(EEXIST) }
            return try move(path, to: other)
        }
        guard unsafe unlink(path) == 0 else { throw .last }
    }

    /// Makes changes of the names in a directory durable, as far as its file system can, and this
    /// process may read it.
    package static func sync(_ directory: String) throws(Errno) {
        do throws(Errno) { try OpenFile(directory, O_RDONLY | O_DIRECTORY).sync() } catch {
            // fsync(2): "does not support synchronization".
            guard [EINVAL, EACCES].contains(error.code) else { throw error }
        }
    }
}
