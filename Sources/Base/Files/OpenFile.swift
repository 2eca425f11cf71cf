package import Glibc

// Unsafe: system calls take a path or memory of ours, with its own count.

/// An open file, which is closed with this object. Calls that a signal interrupts are repeated.
package final class OpenFile: Sendable {
    /// For calls that are not here; it stays this object's to close.
    package let descriptor: Int32

    /// Takes what is open already.
    package init(owning descriptor: Int32) { self.descriptor = descriptor }

    /// Opens a path; a program that is executed does not inherit it.
    /// - Parameters:
    ///   - flags: of open(2).
    ///   - mode: the permissions of a file that it creates.
    package init(_ path: String, _ flags: Int32, mode: UInt32 = 0o600) throws(Errno) {
        let opened = unsafe open(path, flags | O_CLOEXEC, mode)
        guard opened >= 0 else { throw .last }
        descriptor = opened
    }

    /// Opens a regular file for reading, and nothing else: a fifo would block the caller until there
    /// is a writer, and merely opening a device may have an effect.
    /// - Parameters:
    ///   - limit: bytes that it may have; it may grow while it is read.
    ///   - followsLinks: whether the path may be a symbolic link.
    package init(
        regular path: String, limit: Int = .max, followsLinks: Bool = true
    ) throws(UnreadableFile) {
        var status = stat()
        let look = followsLinks ? 0 : AT_SYMLINK_NOFOLLOW
        guard unsafe fstatat(AT_FDCWD, path, &status, look) == 0 else { throw .system(.last) }
        try Self.check(status, limit)
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW)
        let opened = unsafe open(path, flags)
        guard opened >= 0 else { throw .system(.last) }
        descriptor = opened
        // It may have been replaced meanwhile.
        guard unsafe fstat(descriptor, &status) == 0 else { throw .system(.last) }
        try Self.check(status, limit)
    }

    /// Opens whatever is there for reading, also a pipe, for whose writer it waits.
    package convenience init(any path: String) throws(UnreadableFile) {
        do throws(Errno) { try self.init(path, O_RDONLY | O_NOCTTY) } catch {
            throw .system(error)
        }
    }

    /// Makes a file for reading and writing that has no name: when it is closed nothing is left.
    package init(namelessIn directory: String) throws(Errno) {
        var template = Array("\(directory)/.geofenced-XXXXXX".utf8CString)
        let opened = unsafe mkstemp(&template)
        guard opened >= 0 else { throw .last }
        descriptor = opened
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unsafe unlink(template)
    }

    deinit { close(descriptor) }

    private static func check(_ status: stat, _ limit: Int) throws(UnreadableFile) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: guard status.st_size <= limit else { throw .larger(than: limit) }
        case S_IFLNK: throw .system(Errno(ELOOP))
        case S_IFIFO: throw .other("a fifo")
        case S_IFSOCK: throw .other("a socket")
        case S_IFDIR: throw .other("a directory")
        default: throw .other("a device")
        }
    }

    /// What a symbolic link says, which need not be there.
    package static func target(ofLink path: String) throws(Errno) -> String {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &target, target.count)
        guard count >= 0 else { throw .last }
        return String(decoding: target.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// What fstat(2) says.
    package func status() throws(Errno) -> stat {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .last }
        return status
    }

    // MARK: Reading

    /// All bytes of a regular file.
    /// - Parameter limit: bytes that it may have.
    package static func contents(
        of path: String, limit: Int, followsLinks: Bool = true
    ) throws(UnreadableFile) -> [UInt8] {
        try OpenFile(regular: path, limit: limit, followsLinks: followsLinks)
            .contents(limit: limit)
    }

    /// The bytes from where it stands to its end.
    /// - Parameter limit: bytes that there may be.
    package func contents(limit: Int) throws(UnreadableFile) -> [UInt8] {
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count: Int
            do throws(Errno) { count = try read(into: &room) } catch { throw .system(error) }
            guard count > 0 else { return bytes }
            bytes += room[..<count]
            guard bytes.count <= limit else { throw .larger(than: limit) }
        }
    }

    /// Fills the front of `room` with what comes next, which may be less than all of it.
    /// - Returns: how many bytes that are; 0 at the end.
    package func read(into room: inout [UInt8]) throws(Errno) -> Int {
        try unsafe room.withUnsafeMutableBytes { room in
            Result { () throws(Errno) in try unsafe Self.read(descriptor, into: room) }
        }.get()
    }

    /// The same of something open, into memory.
    package static func read(
        _ descriptor: Int32, into room: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int {
        let count = repeated { unsafe Glibc.read(descriptor, room.baseAddress, room.count) }
        guard count >= 0 else { throw .last }
        return count
    }

    /// The bytes from an offset on; fewer only where the file ends.
    package func bytes(at offset: Int, count: Int) throws(Errno) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = try unsafe bytes.withUnsafeMutableBytes { room in
            Result { () throws(Errno) in try unsafe fill(room, from: offset) }
        }.get()
        bytes.removeLast(count - filled)
        return bytes
    }

    /// Fills `room` with the bytes from an offset on.
    /// - Returns: how many there were, less only where the file ends.
    package func fill(
        _ room: UnsafeMutableRawBufferPointer, from offset: Int
    ) throws(Errno) -> Int {
        var filled = 0
        while filled < room.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: room[filled...])
            let count = Self.repeated {
                unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(offset + filled))
            }
            guard count >= 0 else { throw .last }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Memory that is the front of the file, also for other processes, until munmap(2). It is allocated
    /// before: a full file system is an error here, not a SIGBUS later.
    package func map(_ size: Int) throws(Errno) -> UnsafeMutableRawPointer {
        let failure = posix_fallocate(descriptor, 0, off_t(size))
        guard failure == 0 else { throw Errno(failure) }
        guard let map = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            unsafe map != MAP_FAILED
        else { throw .last }
        return unsafe map
    }

    // MARK: Writing

    /// Writes all of it where the file stands.
    package func write(_ bytes: [UInt8]) throws(Errno) {
        try Self.write(bytes, to: descriptor)
    }

    /// Writes all of it from an offset on, which may be the end.
    package func write(_ bytes: [UInt8], at offset: Int) throws(Errno) {
        try unsafe bytes.withUnsafeBytes { bytes in
            Result { () throws(Errno) in try unsafe write(bytes, at: offset) }
        }.get()
    }

    /// The same, from memory.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(Errno) {
        try unsafe Self.writeAll(bytes) {
            unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset + $1))
        }
    }

    /// Writes all of it to something open, also to a pipe or a terminal that others have set not to
    /// block: there it waits.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Errno) {
        func put(_ rest: UnsafeRawBufferPointer) -> Int {
            let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            guard count < 0, errno == EAGAIN else { return count }
            var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            unsafe poll(&wait, 1, -1)
            return 0
        }
        try unsafe bytes.withUnsafeBytes { bytes in
            Result { () throws(Errno) in
                try unsafe writeAll(bytes) { rest, _ in unsafe put(rest) }
            }
        }.get()
    }

    /// Makes what was written durable.
    /// - Parameter metadata: false: nothing of what describes the file but its size, as fdatasync(2).
    package func sync(metadata: Bool = true) throws(Errno) {
        guard (metadata ? fsync(descriptor) : fdatasync(descriptor)) == 0 else { throw .last }
    }

    private static func repeated(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    /// - Parameter call: writes the front of what it is given, from that place of all of it on.
    private static func writeAll(
        _ bytes: UnsafeRawBufferPointer, _ call: (UnsafeRawBufferPointer, Int) -> Int
    ) throws(Errno) {
        var written = 0
        while written < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = repeated { unsafe call(rest, written) }
            guard count >= 0 else { throw .last }
            written += count
        }
    }
}
