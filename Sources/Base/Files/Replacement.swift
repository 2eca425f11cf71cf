import Glibc

// Unsafe: system calls take a path of ours.

/// A file that takes the place of another once it is whole: after a kill or a power cut the path has
/// the former one or this. Without ``finish()`` nothing is left of it.
package final class Replacement {
    /// How the file is called until then.
    package enum Temporary {
        /// `PATH.new`, which must not be a link: one process writes there, and what it has left when
        /// it was killed is overwritten by the next one.
        case fixed
        /// `PATH.NAME.new`, likewise, of one of several processes that may write there.
        case named(String)
        /// A name that nobody has, for a directory in which others may write. One that is killed
        /// leaves it.
        case unique
    }

    /// Open for writing.
    package let file: OpenFile
    private let path: String
    private let temporary: String
    private let mode: UInt32
    private var isOver = false

    /// - Parameter mode: the permissions that it gets at the end, whatever the umask; until then only
    ///   its owner can read it.
    package init(
        of path: String, mode: UInt32 = 0o600, _ temporary: Temporary = .fixed
    ) throws(Errno) {
        (self.path, self.mode) = (path, mode)
        switch temporary {
        case .fixed:
            self.temporary = path + ".new"
            file = try OpenFile(self.temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
        case .named(let name):
            self.temporary = "\(path).\(name).new"
            // What was left may be the file itself, where a kill came between its two names.
            unsafe unlink(self.temporary)
            file = try OpenFile(self.temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
        case .unique:
            var name = Array("\(path).XXXXXX".utf8CString)
            let descriptor = unsafe mkstemp(&name)
            guard descriptor >= 0 else { throw .last }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            self.temporary = String(
                decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            file = OpenFile(owning: descriptor)
        }
    }

    deinit { if !isOver { unsafe unlink(temporary) } }

    /// Makes it durable, and puts it in its place.
    /// - Parameter isNew: nobody has put a file there meanwhile, or this is `EEXIST`.
    package func finish(isNew: Bool = false) throws(Errno) {
        if mode != 0o600 {
            guard fchmod(file.descriptor, mode) == 0 else { throw .last }
        }
        try file.sync()
        if isNew {
            try Directory.move(temporary, toNew: path)
        } else {
            try Directory.move(temporary, to: path)
        }
        isOver = true
        try Directory.sync(Directory.parent(of: path))
    }

    /// Replaces a file by one that has these bytes.
    package static func write(
        _ bytes: [UInt8], to path: String, mode: UInt32 = 0o600, _ temporary: Temporary = .fixed
    ) throws(Errno) {
        let replacement = try Replacement(of: path, mode: mode, temporary)
        try replacement.file.write(bytes)
        try replacement.finish()
    }
}
