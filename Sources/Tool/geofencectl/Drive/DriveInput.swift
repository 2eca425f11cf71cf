import Bytes
import Files
import Glibc
import Program

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
        let file = try Failure.at(path) { () throws(Errno) in try OpenFile(path, O_RDONLY) }
        try self.init(role, name: path.split(separator: "/").last.map(String.init) ?? path, file)
    }

    /// From the beginning of an open file, which stays open and keeps its position.
    /// - Throws: ``Failure``
    init(_ role: Role, name: String, _ file: OpenFile) throws {
        self.role = role
        self.name = name
        var hash = SHA256()
        var place: UInt64 = 0
        // A terminal or a pipe has no bytes to be read a second time.
        guard lseek(file.descriptor, 0, SEEK_CUR) >= 0 else {
            throw Failure("cannot be read twice, which naming it in the page needs", name)
        }
        while true {
            let portion = try Failure.at(name) { () throws(Errno) in
                try file.bytes(at: Int(place), count: 1 << 16)
            }
            if portion.isEmpty { break }
            hash.update(portion)
            place += UInt64(portion.count)
        }
        bytes = place
        sha256 = hash.finish().hexadecimal
    }
}
