import Glibc

// Unsafe: statvfs(3) and stat(2) fill structures of ours.

/// The file system that a path is on.
package enum FileSystem {
    /// Less than this is no room: a database needs some pages to write anything at all, bytes.
    private static let least: UInt = 64 << 10

    /// Why nothing can be written there; nil if nothing speaks against it.
    /// - Parameter path: of a file, which need not be there, in a directory that is.
    package static func complaint(at path: String) -> String? {
        var system = statvfs()
        var existing = path
        if unsafe statvfs(existing, &system) != 0 {
            existing = Directory.parent(of: path)
            guard unsafe statvfs(existing, &system) == 0 else { return nil }
        }
        if system.f_flag & UInt(ST_RDONLY) != 0 {
            return "the file system at \(mount(of: existing)) is read-only"
        }
        // As anybody but root has it.
        if system.f_blocks > 0, system.f_bavail < least / max(1, system.f_frsize) + 1 {
            return "the disk is full: no room at \(mount(of: existing))"
        }
        if system.f_files > 0, system.f_favail == 0 {
            return "the disk is full: no room for another file at \(mount(of: existing))"
        }
        return nil
    }

    /// The topmost directory above it that is on the same device.
    private static func mount(of path: String) -> String {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return path }
        let device = status.st_dev
        var top = path
        // Above a relative path nothing is looked at.
        while top != "/", top != "." {
            let above = Directory.parent(of: top)
            guard unsafe stat(above, &status) == 0, status.st_dev == device else { return top }
            top = above
        }
        return top
    }
}
