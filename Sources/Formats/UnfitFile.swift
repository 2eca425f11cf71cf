import Glibc

// Unsafe: system calls take a path or an array of ours, with its own count.

/// Why what stands under a name is not read as a file of fences.
struct UnfitFile: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }

    /// Opens a file to read. With a `limit` of bytes it is a regular file, for a fifo would hold the
    /// caller until somebody writes to it, and no device is opened: that alone may do something.
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
        // It may be another one by now.
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

    /// What the C library has just left in errno.
    private static var last: UnfitFile {
        unsafe UnfitFile(reason: "cannot be opened: " + String(cString: strerror(errno)))
    }
}
