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
        var place = path
        if unsafe statvfs(place, &system) != 0 {
            place = parent(of: path)
            guard unsafe statvfs(place, &system) == 0 else { return nil }
        }
        if system.f_flag & UInt(ST_RDONLY) != 0 {
            return "the file system at \(mount(of: place)) is read-only"
        }
        // As anybody but root has it.
        if system.f_blocks > 0, system.f_bavail < least / max(1, system.f_frsize) + 1 {
            return "the disk is full: no room at \(mount(of: place))"
        }
        if system.f_files > 0, system.f_favail == 0 {
            return "the disk is full: no room for another file at \(mount(of: place))"
        }
        return nil
    }

    /// The topmost directory above it that is on the same device.
    private static func mount(of path: String) -> String {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return path }
        let device = status.st_dev
        var place = path
        // Above a relative path nothing is looked at.
        while place != "/", place != "." {
            let above = parent(of: place)
            guard unsafe stat(above, &status) == 0, status.st_dev == device else { return place }
            place = above
        }
        return place
    }

    private static func parent(of path: String) -> String {
        let parts = path.split(separator: "/").dropLast()
        guard path.first == "/" else { return parts.isEmpty ? "." : parts.joined(separator: "/") }
        return "/" + parts.joined(separator: "/")
    }
}
