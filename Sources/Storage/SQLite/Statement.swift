import Bytes
import CSQLite

// Unsafe: owns the prepared statement; what it lends of a row is invalid after the next step, and
// is lent no longer than a call.

/// A value to bind to a statement.
enum SQLiteValue {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    /// Generations, sequence numbers: 63 bits are enough for ever.
    static func number(_ value: UInt64) -> SQLiteValue { .integer(Int64(bitPattern: value)) }

    static func flag(_ value: Bool) -> SQLiteValue { .integer(value ? 1 : 0) }

    static func real(_ value: Double?) -> SQLiteValue { value.map { .real($0) } ?? .null }

    static func text(_ value: String?) -> SQLiteValue { value.map { .text($0) } ?? .null }
}

/// "The SQLITE_TRANSIENT value means that the content will likely change in the near future and
/// that SQLite should make its own private copy of the content before returning."
/// (sqlite.org/c3ref/c_static.html) A cast of −1, which does not import.
private nonisolated(unsafe) let transient = unsafe unsafeBitCast(
    -1, to: sqlite3_destructor_type.self)

/// One prepared statement.
@safe final class Statement {
    fileprivate let handle: OpaquePointer
    private let path: String
    private(set) var isRunning = false
    /// Values are bound that must not stay until the next ones: lent, or large.
    private var mustClear = false
    /// What may stay, bytes.
    private static let small = 4096

    init(_ handle: OpaquePointer, path: String) {
        unsafe self.handle = unsafe handle
        self.path = path
    }

    deinit { unsafe sqlite3_finalize(handle) }

    func bind(_ values: [SQLiteValue]) throws(StoreError) {
        isRunning = true
        mustClear = false
        // Those that are left out are null, not what was bound before.
        if unsafe values.count < Int(sqlite3_bind_parameter_count(handle)) {
            unsafe sqlite3_clear_bindings(handle)
        }
        for (index, value) in values.enumerated() {
            try check(bind(value, at: Int32(index + 1)))
        }
    }

    /// Pairs of a text and a number. The texts remain the caller's, and must stay valid until the
    /// reset.
    func bind(
        _ text: UnsafeBufferPointer<UInt8>, ends: [Int], numbers: ArraySlice<Int64>
    ) throws(StoreError) {
        isRunning = true
        mustClear = true
        var start = 0
        var index: Int32 = 1
        for (end, number) in zip(ends, numbers) {
            let piece = unsafe UnsafeRawBufferPointer(
                rebasing: UnsafeRawBufferPointer(text)[start..<end])
            let base = unsafe piece.baseAddress?.assumingMemoryBound(to: CChar.self)
            // No destructor: SQLITE_STATIC.
            try unsafe check(
                sqlite3_bind_text64(
                    handle, index, base, UInt64(piece.count), nil, UInt8(SQLITE_UTF8)))
            try unsafe check(sqlite3_bind_int64(handle, index + 1, number))
            start = end
            index += 2
        }
    }

    /// True when there is a row to read.
    func step() throws(StoreError) -> Bool {
        let code = unsafe sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw failure(code)
    }

    func reset() {
        // Repeats the error of the last step, which has been thrown.
        unsafe sqlite3_reset(handle)
        if mustClear { unsafe sqlite3_clear_bindings(handle) }
        isRunning = false
    }

    private func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
        switch value {
        case .null:
            return unsafe sqlite3_bind_null(handle, index)
        case .integer(let integer):
            return unsafe sqlite3_bind_int64(handle, index, integer)
        case .real(let real):
            return unsafe sqlite3_bind_double(handle, index, real)
        case .text(var text):
            mustClear = mustClear || text.utf8.count > Self.small
            return text.withUTF8 { bytes in
                guard let base = bytes.baseAddress else {
                    return unsafe sqlite3_bind_text(handle, index, "", 0, transient)
                }
                return unsafe base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                    unsafe sqlite3_bind_text64(
                        handle, index, $0, UInt64(bytes.count), transient, UInt8(SQLITE_UTF8))
                }
            }
        case .blob(let bytes):
            mustClear = mustClear || bytes.count > Self.small
            return unsafe bytes.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else {
                    return unsafe sqlite3_bind_zeroblob(handle, index, 0)
                }
                return unsafe sqlite3_bind_blob64(
                    handle, index, base, UInt64(bytes.count), transient)
            }
        }
    }

    private func check(_ code: Int32) throws(StoreError) {
        if code != SQLITE_OK { throw failure(code) }
    }

    private func failure(_ code: Int32) -> StoreError {
        let message = unsafe String(cString: sqlite3_errmsg(sqlite3_db_handle(handle)))
        let sql = unsafe sqlite3_sql(handle).map { unsafe String(cString: $0) }
        return StoreError(code: code, message: message, sql: sql, path: path)
    }
}

/// The current row of a statement; valid only until the next step. Columns count from 0.
struct Row: ~Copyable {
    private let statement: Statement

    init(_ statement: Statement) { self.statement = statement }

    func isNull(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(statement.handle, column) == SQLITE_NULL
    }

    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement.handle, column) }

    func number(_ column: Int32) -> UInt64 { UInt64(bitPattern: integer(column)) }

    func flag(_ column: Int32) -> Bool { integer(column) != 0 }

    func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(statement.handle, column) }

    func optionalReal(_ column: Int32) -> Double? { isNull(column) ? nil : real(column) }

    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    func text(_ column: Int32) -> String {
        guard let start = unsafe sqlite3_column_text(statement.handle, column) else { return "" }
        // After column_text, as the vendor says: the length of the UTF-8 just made.
        let count = unsafe Int(sqlite3_column_bytes(statement.handle, column))
        return unsafe String(
            decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The bytes belong to the statement and are valid only during the call.
    func withBytes<Result>(
        _ column: Int32, _ body: (ByteView) throws -> Result
    ) rethrows -> Result {
        let start = unsafe sqlite3_column_blob(statement.handle, column)
        let count = unsafe Int(sqlite3_column_bytes(statement.handle, column))
        return try unsafe body(
            ByteView(
                lending: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)))
    }

    func bytes(_ column: Int32) -> [UInt8] { withBytes(column) { Array($0) } }
}
