import Files
import Glibc
import Program
import Systemd

extension OpenFile {
    /// What an operand names, `-` being standard input, from where that stands.
    convenience init(operand: String) throws(Errno) {
        guard operand == "-" else {
            try self.init(operand, O_RDONLY)
            return
        }
        let copy = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw .last }
        self.init(owning: copy)
    }

    /// An empty file without a name, for reading and writing.
    static func scratch() throws(Failure) -> OpenFile {
        try Failure.at("a temporary file") { () throws(Errno) in
            try OpenFile(namelessIn: temporaryDirectory)
        }
    }

    /// Appends the rest of `source`, which is called `name` in errors.
    func append(_ source: OpenFile, _ name: String) throws(Failure) {
        var room = [UInt8](repeating: 0, count: 1 << 16)
        var left = Self.longestScratch
        while true {
            let count = try Failure.at(name) { () throws(Errno) in try source.read(into: &room) }
            if count == 0 { return }
            left -= Int64(count)
            guard left >= 0 else {
                throw Failure("more than \(Self.longestScratch >> 30) GiB", name)
            }
            try Failure.at("a temporary file") { () throws(Errno) in
                try write(Array(room[..<count]))
            }
        }
    }

    /// The most that is copied into one, bytes.
    private static let longestScratch: Int64 = 4 << 30
}

/// Where temporary files and directories are made.
var temporaryDirectory: String { environment("TMPDIR") ?? "/tmp" }
