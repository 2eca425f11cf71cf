import Glibc

// Unsafe: system calls take a path or an array of ours, with its own count.

/// Why a path is not read as a file of fences.
struct UnfitFile: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }

    /// Opens a file for reading. With a `limit` in bytes it must be a regular file: a fifo would
    /// block the caller until there is a writer, and merely opening a device may have an effect.
    static func open(_ path: String, limit: Int?) throws(UnfitFile) -> Int32 {
        var flags = O_RDONLY | O_CLOEXEC | O_NOCTTY
        var status = stat()
        if let limit {
            guard unsafe stat(path, &status) == 0 else { throw .last }
            try check(status, limit)
            flags |= O_NONBLOCK
        }
        let descriptor = unsafe Glibc.open(path, flags)
        guard descriptor >= 0 else { throw .last }
        guard let limit else { return descriptor }
        // It may have been replaced meanwhile.
        do throws(UnfitFile) {
            guard unsafe fstat(descriptor, &status) == 0 else { throw .last }
            try check(status, limit)
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func check(_ status: stat, _ limit: Int) throws(UnfitFile) {
        let kind: String
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            guard status.st_size <= limit else {
                throw UnfitFile(reason: "is larger than \(limit) bytes")
            }
            return
        case S_IFIFO: kind = "a fifo"
        case S_IFSOCK: kind = "a socket"
        case S_IFDIR: kind = "a directory"
        default: kind = "a device"
        }
        throw UnfitFile(reason: "is \(kind), not a file")
    }

    /// The error that the C library has just left in errno.
    private static var last: UnfitFile {
        unsafe UnfitFile(reason: "cannot be opened: " + String(cString: strerror(errno)))
    }
}
