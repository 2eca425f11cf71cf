import Glibc

// Unsafe: mkstemp(3) writes into an array that ends with 0; stat(2) writes into a structure of ours.

/// A file that holds positions: readable by its owner alone, and it appears whole or not at all.
enum PrivateFile {
    /// Writes the bytes under this name, instead of a file that was there; `-` is standard output.
    /// - Throws: ``Failure``
    @MainActor
    static func write(_ bytes: [UInt8], to path: String) throws {
        guard path != "-" else { return try StandardOutput.write(bytes) }
        var status = stat()
        if unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw Failure("exists, and is no ordinary file", path)
        }
        // 0600 from the first moment on.
        var name = Array("\(path).XXXXXX".utf8CString)
        let descriptor = unsafe mkstemp(&name)
        guard descriptor >= 0 else { throw lastError(path) }
        defer { close(descriptor) }
        do {
            try writeAll(bytes, to: descriptor, path)
            guard fchmod(descriptor, 0o600) == 0, fsync(descriptor) == 0,
                unsafe rename(name, path) == 0
            else { throw lastError(path) }
        } catch {
            unsafe unlink(name)
            throw error
        }
    }

    private static func lastError(_ path: String) -> Failure {
        unsafe Failure(String(cString: strerror(errno)), path)
    }
}
