import Glibc

// Unsafe: strerror(3) returns a text that is read at once.

/// Why a system call has failed.
package struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
    /// A positive errno(3).
    package let code: Int32

    package init(_ code: Int32) { self.code = code }

    /// What the C library has just left in errno.
    package static var last: Errno { Errno(errno) }

    /// The text of strerror(3).
    package var description: String { unsafe String(cString: strerror(code)) }
}

/// Why a file is not read.
package enum UnreadableFile: Error, Hashable, Sendable, CustomStringConvertible {
    case system(Errno)
    /// No regular file, but this: `a fifo`.
    case other(String)
    /// It has more bytes than it may have.
    case larger(than: Int)

    /// A phrase that follows the name of the file.
    package var description: String {
        switch self {
        case .system(let error): error.description
        case .other(let kind): "is \(kind), not a file"
        case .larger(let limit): "is larger than \(limit) bytes"
        }
    }

    /// Nothing has this path.
    package var isMissing: Bool {
        self == .system(Errno(ENOENT)) || self == .system(Errno(ENOTDIR))
    }
}
