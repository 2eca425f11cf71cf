import CSQLite

/// One connection to one SQLite file. Prepared statements are kept for as long as it lives.
final class Database {
    let path: String
    /// Where the file is.
    var directory: String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }
    private let handle: OpaquePointer
    /// By their SQL. Bounded: all SQL of this target is written in its source.
    private var statements: [String: Statement] = [:]

    /// - Parameter creating: make the file where there is none.
    init(path: String, creating: Bool = true) throws(StoreError) {
        var opened: OpaquePointer?
        // NOMUTEX: everything is on one thread, the loop's.
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
            | (creating ? SQLITE_OPEN_CREATE : 0)
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            // "Whether or not an error occurs when it is opened, resources associated with the
            // database connection handle should be released by passing it to sqlite3_close()."
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close(opened)
            throw StoreError(code: code, message: message, path: path)
        }
        self.path = path
        handle = opened
        // The only writer that holds its lock for long is an import, which is asked for by name
        // before anybody waits; this is for a shell that looks on. Well below the watchdog.
        sqlite3_busy_timeout(handle, 1_000)
        // The file may have been made by somebody else: no schema of his may harm us.
        _ = csqlite_set_defensive(handle)
    }

    deinit {
        statements.removeAll()
        if hasMoved {
            // Closing would delete, by its name, the log of the file that now has our path.
            var persist: Int32 = 1
            sqlite3_file_control(handle, nil, SQLITE_FCNTL_PERSIST_WAL, &persist)
        }
        let code = sqlite3_close(handle)
        assert(code == SQLITE_OK, "a statement outlived its connection to \(path)")
    }

    /// Runs one statement that gives no rows of interest.
    func run(_ sql: String, _ values: SQLiteValue...) throws(StoreError) {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {}
    }

    /// Runs one statement whose values are pairs of a text and a number, which costs no allocation
    /// per value.
    /// - Parameters:
    ///   - text: the texts, one behind the other.
    ///   - ends: where each of them ends.
    func run(
        _ sql: String, text: [UInt8], ends: [Int], numbers: ArraySlice<Int64>
    ) throws {
        let statement = try statement(sql)
        // Before the reset the statement points into the text.
        try text.withUnsafeBufferPointer { text in
            defer { statement.reset() }
            try statement.bind(text, ends: ends, numbers: numbers)
            while try statement.step() {}
        }
    }

    /// Calls `each` with every row until it returns false.
    func rows(
        _ sql: String, _ values: SQLiteValue..., each: (borrowing Row) throws -> Bool
    ) throws {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {
            guard try each(Row(statement)) else { return }
        }
    }

    /// The first row, read by `read`; nil where there is none.
    func first<Value>(
        _ sql: String, _ values: SQLiteValue..., read: (borrowing Row) throws -> Value
    ) throws -> Value? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? read(Row(statement)) : nil
    }

    /// Runs statements separated by semicolons, without values: pragmas and schemas.
    func script(_ sql: String) throws(StoreError) {
        try check(sqlite3_exec(handle, sql, nil, nil, nil), sql)
    }

    /// The integer that a pragma answers with.
    func pragma(_ name: String) throws -> Int64 {
        try first("PRAGMA \(name)") { $0.integer(0) } ?? 0
    }

    /// All or nothing: what `body` wrote is durable when this returns, undone when it throws.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try begin()
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            rollback()
            throw error
        }
    }

    /// IMMEDIATE: a transaction that would find the lock taken only at its first write would have
    /// to be started again.
    func begin() throws(StoreError) { try run("BEGIN IMMEDIATE") }

    func commit() throws(StoreError) { try run("COMMIT") }

    /// "If the transaction has already been rolled back automatically by the error response, then
    /// the ROLLBACK command will fail with an error, but no harm is caused by this."
    /// (sqlite.org/lang_transaction.html)
    func rollback() {
        guard sqlite3_get_autocommit(handle) == 0 else { return }
        _ = sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    }

    /// The row that the last INSERT made.
    var lastInserted: Int64 { sqlite3_last_insert_rowid(handle) }

    /// The file at our path is not the one that is open, or there is none: what is written would be
    /// lost. SQLite itself looks only where it opens a rollback journal.
    var hasMoved: Bool {
        var moved: Int32 = 0
        let code = sqlite3_file_control(handle, nil, SQLITE_FCNTL_HAS_MOVED, &moved)
        return code == SQLITE_OK && moved != 0
    }

    /// Hands cached pages back to the allocator.
    func releaseMemory() { sqlite3_db_release_memory(handle) }

    /// Makes an R*Tree query function known under `name`.
    func addRTreeQuery(
        _ name: String,
        _ function: @convention(c) (UnsafeMutablePointer<sqlite3_rtree_query_info>?) -> Int32
    ) throws(StoreError) {
        try check(sqlite3_rtree_query_callback(handle, name, function, nil, nil), name)
    }

    private func statement(_ sql: String) throws(StoreError) -> Statement {
        if let statement = statements[sql] {
            precondition(!statement.isRunning, "used within itself: \(sql)")
            return statement
        }
        var prepared: OpaquePointer?
        // PERSISTENT: "a hint to the query planner that the prepared statement will be retained
        // for a long time and probably reused many times".
        let code = sqlite3_prepare_v3(
            handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        try check(code, sql)
        guard let prepared else {
            throw StoreError(code: SQLITE_MISUSE, message: "empty", sql: sql, path: path)
        }
        let statement = Statement(prepared, sql: sql, path: path)
        statements[sql] = statement
        return statement
    }

    private func check(_ code: Int32, _ sql: String) throws(StoreError) {
        guard code != SQLITE_OK else { return }
        throw StoreError(
            code: code, message: String(cString: sqlite3_errmsg(handle)), sql: sql, path: path)
    }
}
