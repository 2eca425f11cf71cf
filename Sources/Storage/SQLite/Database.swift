import CSQLite

// Unsafe: owns the connection to the file, closed once; SQLite's messages are copied at once.

/// One connection to one SQLite file. Prepared statements are kept as long as it lives.
@safe final class Database {
    let path: String
    /// The directory of the file.
    var directory: String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }
    private let handle: OpaquePointer
    /// Bounded: all SQL of this target is written in its source.
    private var statements: [Statement] = []
    /// Of ``statements``, in the same order: there are so few that a linear search is fastest.
    private var prepared: [SQL] = []

    /// How a file is opened.
    enum Access {
        /// Created if it does not exist.
        case creating
        case existing
        /// Nothing is created beside it, no lock is taken, its log is not read.
        case immutable
        /// No file at all: a database in memory in its place.
        case memory
    }

    init(path: String, _ access: Access = .creating) throws(StoreError) {
        var opened: OpaquePointer?
        // NOMUTEX: everything is on one thread, the loop's.
        let (name, flags) =
            switch access {
            case .creating: (path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
            case .existing: (path, SQLITE_OPEN_READWRITE)
            case .immutable: (Self.immutable(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
            case .memory: (":memory:", SQLITE_OPEN_READWRITE)
            }
        let code = unsafe sqlite3_open_v2(
            name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            // "Whether or not an error occurs when it is opened, resources associated with the
            // database connection handle should be released by passing it to sqlite3_close()."
            let message =
                unsafe opened.map { unsafe String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            unsafe sqlite3_close(opened)
            throw StoreError(code: code, message: message, path: path)
        }
        self.path = path
        unsafe handle = unsafe opened
        // The only writer that holds its lock for long is an import, which is detected before
        // anybody waits; this is for a shell that reads the file. Well below the watchdog's
        // timeout.
        unsafe sqlite3_busy_timeout(handle, 1_000)
        // The file may have been made by somebody else: its schema must not harm us. We have no
        // triggers, views and foreign keys.
        let distrust = unsafe csqlite_distrust_schema(handle)
        precondition(distrust == SQLITE_OK, "SQLite without defences: \(distrust)")
    }

    /// "The immutable query parameter … indicates that the database file is stored on read-only
    /// media. When immutable is set, SQLite assumes that the database file cannot be changed …
    /// and so the database is opened read-only and all locking and change detection is disabled."
    /// (sqlite.org/uri.html, which also says what must be escaped)
    private static func immutable(_ path: String) -> String {
        var uri = "file:"
        for character in path.unicodeScalars {
            switch character {
            case "%": uri += "%25"
            case "?": uri += "%3f"
            case "#": uri += "%23"
            default: uri.unicodeScalars.append(character)
            }
        }
        return uri + "?immutable=1"
    }

    /// Closing leaves the log as it is: somebody may want to examine a quarantined file.
    func keepLog() { _ = unsafe csqlite_set_no_checkpoint_on_close(handle) }

    /// Replaces this database by a copy of `other`, as one transaction.
    func copy(_ other: Database) throws(StoreError) {
        guard let backup = unsafe sqlite3_backup_init(handle, "main", other.handle, "main") else {
            throw unsafe StoreError(
                code: sqlite3_extended_errcode(handle),
                message: String(cString: sqlite3_errmsg(handle)), path: path)
        }
        _ = unsafe sqlite3_backup_step(backup, -1)
        try unsafe check(sqlite3_backup_finish(backup), "backup")
    }

    deinit {
        statements.removeAll()
        if hasMoved {
            // Closing would delete, by its name, the log of the file that now has our path.
            var persist: Int32 = 1
            unsafe sqlite3_file_control(handle, nil, SQLITE_FCNTL_PERSIST_WAL, &persist)
        }
        let code = unsafe sqlite3_close(handle)
        assert(code == SQLITE_OK, "a statement outlived its connection to \(path)")
    }

    /// Runs one statement and ignores its rows.
    func run(_ sql: SQL, _ values: SQLiteValue...) throws(StoreError) {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {}
    }

    /// Runs one statement whose values are pairs of a text and a number, without an allocation per
    /// value.
    /// - Parameters:
    ///   - text: the texts, concatenated.
    ///   - ends: where each of them ends.
    func run(
        _ sql: SQL, text: [UInt8], ends: [Int], numbers: ArraySlice<Int64>
    ) throws {
        let statement = try statement(sql)
        // The statement points into the text until the reset.
        try unsafe text.withUnsafeBufferPointer { text in
            defer { statement.reset() }
            try unsafe statement.bind(text, ends: ends, numbers: numbers)
            while try statement.step() {}
        }
    }

    /// Calls `each` with every row until it returns false.
    func rows(
        _ sql: SQL, _ values: SQLiteValue..., each: (borrowing Row) throws -> Bool
    ) throws {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {
            guard try each(Row(statement)) else { return }
        }
    }

    /// The first row, read by `read`; nil if there are no rows.
    func first<Value>(
        _ sql: SQL, _ values: SQLiteValue..., read: (borrowing Row) throws -> Value
    ) throws -> Value? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? read(Row(statement)) : nil
    }

    /// Runs statements separated by semicolons, without values: pragmas and schemas.
    func script(_ sql: String) throws(StoreError) {
        try unsafe check(sqlite3_exec(handle, sql, nil, nil, nil), sql)
    }

    /// For a process that reads all of the file beside one that uses it: changes nothing, and takes
    /// the memory of a few pages.
    func prepareForReadingAll() throws(StoreError) {
        try script("PRAGMA query_only=ON; PRAGMA mmap_size=0; PRAGMA cache_size=-1024")
    }

    /// The integer result of a pragma. Prepared again at each call, which SQLite would do in any
    /// case.
    func pragma(_ name: String) throws(StoreError) -> Int64 {
        let statement = try unsafe prepare("PRAGMA \(name)")
        return try statement.step() ? Row(statement).integer(0) : 0
    }

    /// All or nothing: what `body` wrote is durable when this returns, and rolled back when it
    /// throws.
    /// - Parameter undone: rolls back in any case, for a dry run.
    func transaction<Result>(
        undone: Bool = false, _ body: () throws -> Result
    ) throws -> Result {
        try begin()
        do {
            let result = try body()
            if undone { rollback() } else { try commit() }
            return result
        } catch {
            rollback()
            throw error
        }
    }

    /// IMMEDIATE: a transaction that found the lock taken only at its first write would have to be
    /// started again.
    func begin() throws(StoreError) { try run("BEGIN IMMEDIATE") }

    func commit() throws(StoreError) { try run("COMMIT") }

    /// "If the transaction has already been rolled back automatically by the error response, then
    /// the ROLLBACK command will fail with an error, but no harm is caused by this."
    /// (sqlite.org/lang_transaction.html)
    func rollback() {
        guard unsafe sqlite3_get_autocommit(handle) == 0 else { return }
        _ = unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
    }

    /// The row that the last INSERT made.
    var lastInserted: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// The file at our path is not the open one, or does not exist: writes would be lost. SQLite
    /// itself checks only when it opens a rollback journal.
    var hasMoved: Bool {
        var moved: Int32 = 0
        let code = unsafe sqlite3_file_control(handle, nil, SQLITE_FCNTL_HAS_MOVED, &moved)
        return code == SQLITE_OK && moved != 0
    }

    /// Returns cached pages to the allocator.
    func releaseMemory() { unsafe sqlite3_db_release_memory(handle) }

    /// Registers an R*Tree query function under `name`.
    func addRTreeQuery(
        _ name: String,
        _ function: @convention(c) (UnsafeMutablePointer<sqlite3_rtree_query_info>?) -> Int32
    ) throws(StoreError) {
        try unsafe check(sqlite3_rtree_query_callback(handle, name, function, nil, nil), name)
    }

    private func statement(_ sql: SQL) throws(StoreError) -> Statement {
        if let index = prepared.firstIndex(of: sql) {
            let statement = statements[index]
            precondition(!statement.isRunning, "used within itself: \(sql)")
            return statement
        }
        let statement = try unsafe prepare(sql.cString)
        prepared.append(sql)
        statements.append(statement)
        return statement
    }

    private func prepare(_ sql: UnsafePointer<CChar>) throws(StoreError) -> Statement {
        var prepared: OpaquePointer?
        // PERSISTENT: "a hint to the query planner that the prepared statement will be retained
        // for a long time and probably reused many times".
        let code = unsafe sqlite3_prepare_v3(
            handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        if code == SQLITE_OK, let prepared = unsafe prepared {
            return unsafe Statement(prepared, path: path)
        }
        throw unsafe StoreError(
            code: code == SQLITE_OK ? SQLITE_MISUSE : code,
            message: code == SQLITE_OK ? "empty" : String(cString: sqlite3_errmsg(handle)),
            sql: String(cString: sql), path: path)
    }

    private func check(_ code: Int32, _ sql: String) throws(StoreError) {
        guard code != SQLITE_OK else { return }
        throw unsafe StoreError(
            code: code, message: String(cString: sqlite3_errmsg(handle)), sql: sql, path: path)
    }
}
