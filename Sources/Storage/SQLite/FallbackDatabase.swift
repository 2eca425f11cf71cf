import Glibc

// Unsafe: stat(2) fills a struct of ours.

// What is used while the file itself is unavailable: the disk was full or read-only before the
// daemon started, or there is no directory. It is used until the file can be opened normally.

/// A database in place of one that cannot be opened.
struct FallbackDatabase {
    var database: Database
    /// It is in memory and began empty; otherwise it is the file, read-only.
    var isInMemory: Bool
}

extension DatabaseFormat {
    /// Most bytes of a database in memory.
    private static let memorySize = 64 << 20

    /// The file as it is, read-only, or an empty database in memory.
    func fallback(for path: String, writable: Bool) throws -> FallbackDatabase {
        if let database = try? readable(path) {
            return FallbackDatabase(database: database, isInMemory: false)
        }
        let database = try Database(path: path, .memory)
        // As in the file: pages of another size cannot be copied to it.
        try database.script("PRAGMA page_size=\(pageSize)")
        try create(database)
        try database.script(
            """
            PRAGMA max_page_count=\(Self.memorySize / pageSize);
            PRAGMA query_only=\(writable ? "OFF" : "ON")
            """)
        return FallbackDatabase(database: database, isInMemory: true)
    }

    /// If a log could not be opened for lack of space for its index, its content is copied into the
    /// file first, which needs less. If even that fails, the file is read without it.
    private func readable(_ path: String) throws -> Database {
        var status = stat()
        if unsafe stat(path + "-wal", &status) == 0, status.st_size > 0 {
            try? Self.bringIn(path)
        }
        let database = try Database(path: path, .immutable)
        let version = Int(try database.pragma("user_version"))
        guard try database.pragma("application_id") == Int64(applicationID),
            version >= current, canUse(version)
        else {
            throw StoreError(code: 0, message: "not a current file of geofenced", path: path)
        }
        _ = try disarm(database, version: version)
        _ = try probe(database)
        return database
    }

    /// "If … the locking mode is EXCLUSIVE prior to the first WAL-mode database access, then … the
    /// wal-index is stored in heap memory" (sqlite.org/wal.html#use_of_wal_without_shared_memory)
    private static func bringIn(_ path: String) throws {
        let database = try Database(path: path, .existing)
        try database.script("PRAGMA locking_mode=EXCLUSIVE; PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
