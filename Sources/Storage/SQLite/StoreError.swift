import Bytes
import CSQLite
import Files
import Glibc

/// What went wrong in a database: code, message, and the statement it happened in.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is, for the owner to act on.
    package enum Kind: Sendable {
        /// No room left on the device, or the file may not grow further.
        case diskFull
        /// The file or its file system cannot be written.
        case readOnly
        /// Reading or writing the device failed.
        case inputOutput
        /// Another connection is writing and did not finish in time.
        case busy
        /// The file is damaged.
        case corrupt
        /// The file or its directory cannot be opened.
        case cannotOpen
        /// Anything else; most likely our bug.
        case other
    }

    /// What a caller may want to distinguish.
    package let kind: Kind
    /// SQLite's extended result code.
    package let code: Int32
    /// SQLite's message, or ours.
    package let message: String
    /// The statement, if there was one.
    package let sql: String?
    /// The database file.
    package let path: String
    /// What its file system says of that, which SQLite's words do not: on a full disk it speaks of a
    /// readonly database. Nil: nothing.
    package let cause: String?

    init(code: Int32, message: String, sql: String? = nil, path: String) {
        kind = Kind(code: code)
        cause = kind.mayPass ? FileSystem.complaint(at: path) : nil
        self.code = code
        self.message = message
        self.sql = sql
        self.path = path
    }

    /// A fence whose record is damaged; the rest of the file is intact.
    init(unreadable id: String, path: String) {
        self.init(
            code: SQLITE_OK,
            message: "fence \"\(id)\" cannot be read; it may be put again or removed", path: path)
    }

    /// A change depends on a record that is lost: what its set is without it is known once all of the file
    /// was checked.
    init(lostRecordIn path: String) {
        self.init(
            code: SQLITE_BUSY, message: "a record is lost; whose it was is being found", path: path)
    }

    /// A failed system call.
    init(_ error: Errno, path: String) {
        let code =
            switch error.code {
            case ENOSPC, EDQUOT: SQLITE_FULL
            case EROFS, EACCES, EPERM: SQLITE_READONLY
            case ENOENT: SQLITE_CANTOPEN
            default: SQLITE_IOERR
            }
        self.init(code: code, message: error.description, path: path)
    }

    /// What `body` does with the file at this path.
    static func at<Value>(
        _ path: String, _ body: () throws(Errno) -> Value
    ) throws(StoreError) -> Value {
        do throws(Errno) { return try body() } catch { throw StoreError(error, path: path) }
    }

    package var description: String {
        guard code != SQLITE_OK else { return "\(path): \(message)" }
        let statement = sql.map { " in \"\($0)\"" } ?? ""
        let error = "SQLite error \(code): \(message)\(statement)"
        return "\(path): " + (cause.map { "\($0) (\(error))" } ?? error)
    }
}

extension StoreError.Kind {
    /// The file may be good, and its disk may recover.
    var mayPass: Bool {
        switch self {
        case .diskFull, .readOnly, .inputOutput, .cannotOpen: true
        case .busy, .corrupt, .other: false
        }
    }
}

extension StoreError.Kind {
    /// "The extended result code … the least significant 8 bits … are the primary result code."
    /// (sqlite.org/rescode.html)
    fileprivate init(code: Int32) {
        switch code & 0xFF {
        case SQLITE_FULL: self = .diskFull
        case SQLITE_READONLY, SQLITE_PERM: self = .readOnly
        case SQLITE_IOERR: self = .inputOutput
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt
        case SQLITE_CANTOPEN: self = .cannotOpen
        default: self = .other
        }
    }
}
