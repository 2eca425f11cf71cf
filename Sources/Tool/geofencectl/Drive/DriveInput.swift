import Bytes
import Glibc

// Unsafe: system calls take an array of ours, with its own count.

/// A file that a page was made of, named so that another can tell whether it has the same.
struct DriveInput {
    /// What it was taken for.
    enum Role: String {
        case track
        case fences
        case settings
    }

    var role: Role
    /// The last part of its path: the rest says where people keep their files.
    var name: String
    var bytes: UInt64
    /// 64 hexadecimal digits.
    var sha256: String

    /// Reads the file once more.
    /// - Throws: ``Failure``
    init(_ role: Role, path: String) throws {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unsafe Failure(String(cString: strerror(errno)), path) }
        defer { close(descriptor) }
        try self.init(
            role, name: path.split(separator: "/").last.map(String.init) ?? path, descriptor)
    }

    /// From the beginning of an open file, which stays open and keeps its position.
    /// - Throws: ``Failure``
    init(_ role: Role, name: String, _ descriptor: Int32) throws {
        self.role = role
        self.name = name
        var hash = SHA256()
        var room = [UInt8](repeating: 0, count: 1 << 16)
        var place: UInt64 = 0
        // A terminal or a pipe has no bytes to be read a second time.
        guard lseek(descriptor, 0, SEEK_CUR) >= 0 else {
            throw Failure("cannot be read twice, which naming it in the page needs", name)
        }
        while true {
            let count = unsafe pread(descriptor, &room, room.count, off_t(place))
            if count == 0 { break }
            guard count > 0 else { throw unsafe Failure(String(cString: strerror(errno)), name) }
            hash.update(room[..<count])
            place += UInt64(count)
        }
        bytes = place
        sha256 = hash.finish().hexadecimal
    }
}
