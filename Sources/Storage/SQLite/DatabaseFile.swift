import CSQLite
import Files
import Glibc

// Unsafe: system calls take a path or a structure of ours.

/// A file that is not a usable database of ours, and was moved away.
package struct QuarantinedFile: Hashable, Sendable, CustomStringConvertible {
    /// Its original path.
    package var path: String
    /// Its present path.
    package var movedTo: String
    /// Why it could not be used, a phrase without a full stop.
    package var reason: String

    package var description: String { "\(path): \(reason); set aside as \(movedTo)" }
}

/// A file that can be used.
struct OpenedFile {
    var database: Database
    /// It has been created just now.
    var isNew: Bool
    /// Numbers in it were not plausible, and were derived anew.
    var isRepaired = false
    /// The file that was in its place.
    var setAside: QuarantinedFile?
    /// The greatest number given in that file, as far as it can be read.
    var lastNumber: UInt64?
    /// SQLite has met something in a part of the file that it cannot be; the rest can be used.
    var suspect: StoreError?
    /// What is defined in the file, and not by us, in words: triggers, views and indexes, which were
    /// removed, and tables.
    var foreign: [String] = []
}

/// What identifies an SQLite file as ours, and what a new one is made by.
struct DatabaseFormat: Sendable {
    /// "The application_id PRAGMA is used to query or set the 32-bit signed big-endian
    /// 'Application ID' integer located at offset 68 into the database header."
    let applicationID: Int32
    /// Of the version below.
    let schema: StoreSchema
    /// The first that can be used: that of the schema, which is not edited once it has been released.
    let version: Int
    /// From one version to the next, in order, beginning with that of the schema. Never edit one that has
    /// been released.
    var migrations: [Migration] = []
    /// Later versions only add to it: columns that have neither a constraint nor an expression, tables,
    /// and indexes of columns. So a file of a later version can be used as one of ours, and what we
    /// write into it is as good there: see `2026-11-24-older-programs-read-on.md`.
    var isAdditive = false

    /// The version of a file that this program makes.
    var current: Int { version + migrations.count }

    /// Whether a file of that version can be used; an older one once it is migrated.
    func canUse(_ version: Int) -> Bool {
        version >= self.version && (version <= current || isAdditive)
    }

    /// One step to the next version, in one transaction.
    struct Migration: ExpressibleByStringLiteral, Sendable {
        var sql: String
        /// What SQL cannot express, run after it.
        var program: (@Sendable (Database) throws -> Void)?

        init(sql: String, program: @escaping @Sendable (Database) throws -> Void) {
            self.sql = sql
            self.program = program
        }

        init(stringLiteral sql: String) { self.sql = sql }
    }

    /// Cheap queries on every table without which the file is of no use.
    let probe: String
    /// Cheap queries on the other tables, each of which can be used as far as it can be read.
    var survey = ""
    /// 1 if the essential numbers are plausible.
    let sanity: SQL
    /// Derives numbers anew that cannot be, and follow from others.
    var repair: Migration
    /// The greatest number given, queried from a file that cannot be used as a whole.
    let lastNumber: SQL?
    /// Page size of a newly created file, bytes.
    let pageSize: Int
    /// Size of the write-ahead log at which it is copied into the file, bytes.
    let walLimit: Int

    /// Opens the file as a current one: creates, migrates or quarantines it.
    /// - Parameters:
    ///   - condemned: why the existing file is to be quarantined unopened.
    ///   - mayReplace: whether a file may be quarantined at all.
    /// - Throws: if no file can be created at that place.
    func open(
        _ path: String, condemned: String? = nil, mayReplace: Bool = true
    ) throws -> OpenedFile {
        guard mayReplace else { return try openAsIs(path) }
        do {
            if let condemned { throw UnusableFile(reason: condemned) }
            return try openAsIs(path)
        } catch let unusable as UnusableFile {
            return try replacing(path, unusable.reason)
        } catch let error as StoreError where error.kind == .corrupt {
            return try replacing(path, "damaged (\(error.message))")
        }
    }

    /// Another connection to a file that ``open(_:)`` has migrated.
    func connect(_ path: String) throws -> Database {
        let database = try Database(path: path, .existing)
        try configure(database)
        return database
    }

    private func replacing(
        _ path: String, _ reason: String
    ) throws -> OpenedFile {
        let setAside = QuarantinedFile(path: path, movedTo: try moveAway(path), reason: reason)
        var opened: OpenedFile
        do { opened = try openAsIs(path) } catch {
            // On a full disk, say: it is set aside, and that is said, when there can be another.
            moveBack(setAside.movedTo, to: path)
            throw error
        }
        opened.setAside = setAside
        opened.lastNumber = try? salvage(setAside.movedTo)
        // The index of its log, which is made again whenever somebody looks at it.
        _ = unsafe unlink(setAside.movedTo + "-shm")
        return opened
    }

    private func salvage(_ path: String) throws -> UInt64? {
        guard let lastNumber else { return nil }
        let database = try Database(path: path, .existing)
        database.keepLog()
        guard try database.pragma("application_id") == Int64(applicationID) else { return nil }
        return try database.first(lastNumber) { $0.number(0) }
    }

    private func openAsIs(_ path: String) throws -> OpenedFile {
        let database = try Database(path: path)
        let version: Int
        let isNew: Bool
        do {
            version = Int(try database.pragma("user_version"))
            isNew = try isUnwritten(database)
        } catch let error as StoreError where error.code == SQLITE_ERROR {
            throw UnusableFile(reason: "damaged (\(error.message))")
        }
        if isNew {
            // Must come first: "auto-vacuuming must be turned on before any tables are created".
            try database.script("PRAGMA page_size=\(pageSize); PRAGMA auto_vacuum=INCREMENTAL")
        } else if try database.pragma("application_id") != Int64(applicationID) {
            throw UnusableFile(reason: "not a file of geofenced")
        } else if !canUse(version) {
            throw UnusableFile(
                reason: "schema version \(version), this program knows \(known)")
        }
        let foreign = isNew ? [] : try disarm(database, version: version)
        try configure(database)
        do {
            if isNew { try create(database) } else { try migrate(database, from: version) }
        } catch let error as StoreError where error.code == SQLITE_ERROR && !isNew {
            // Something in it is in the way.
            throw UnusableFile(reason: "not as a file of version \(version) is (\(error.message))")
        }
        var opened = OpenedFile(database: database, isNew: isNew, foreign: foreign)
        if !isNew {
            opened.isRepaired = repaired(database)
            opened.suspect = try check(database)
        }
        return opened
    }

    /// Just created, or left so by a process that was killed, or found the disk full, before it had
    /// created the first table.
    private func isUnwritten(_ database: Database) throws -> Bool {
        if try database.pragma("page_count") == 0 { return true }
        let marks = try database.pragma("application_id") | database.pragma("user_version")
        let tables = try database.first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) }
        return marks == 0 && tables == 0
    }

    /// Whether its numbers cannot be, and were derived anew. What cannot be is judged by the check.
    private func repaired(_ database: Database) -> Bool {
        guard (try? database.first(sanity) { $0.integer(0) }) == 0 else { return false }
        let done: Void? = try? database.transaction {
            try database.script(repair.sql)
            try repair.program?(database)
        }
        return done != nil
    }

    /// The versions that can be used, in words.
    var known: String { version == current ? "\(version)" : "\(version) to \(current)" }

    /// Fills an empty file.
    /// - Parameter end: the version to make; the current one unless given.
    func create(_ database: Database, version end: Int? = nil) throws {
        try step(database, to: version, Migration(stringLiteral: schema.sql))
        try migrate(database, from: version, to: end)
    }

    /// - Parameter end: the version to migrate to; the current one unless given.
    func migrate(_ database: Database, from version: Int, to end: Int? = nil) throws {
        for (number, migration) in zip((self.version + 1)..., migrations)
        where number > version && number <= end ?? .max {
            try step(database, to: number, migration)
        }
    }

    private func step(_ database: Database, to version: Int, _ migration: Migration) throws {
        try database.transaction {
            try database.script(migration.sql)
            try migration.program?(database)
            try database.script(
                """
                PRAGMA application_id=\(applicationID);
                PRAGMA user_version=\(version)
                """)
        }
    }

    private func configure(_ database: Database) throws {
        // FULL: in WAL mode NORMAL loses acknowledged transactions in a power cut.
        // No mmap: "An I/O error on a memory-mapped file cannot be caught and dealt with by
        // SQLite. Instead, the I/O error causes a signal" (sqlite.org/mmap.html).
        // cache_size in KiB when negative: resident memory is promised, and the kernel caches too.
        // secure_delete: Debian's library overwrites what is deleted; FAST does where it is free.
        // A file that was made by an older program has larger pages.
        let pages = Int64(walLimit) / max(try database.pragma("page_size"), 1)
        try database.script(
            """
            PRAGMA journal_mode=WAL;
            PRAGMA synchronous=FULL;
            PRAGMA mmap_size=0;
            PRAGMA cache_size=-1024;
            PRAGMA temp_store=MEMORY;
            PRAGMA secure_delete=FAST;
            PRAGMA wal_autocheckpoint=\(pages);
            PRAGMA journal_size_limit=\(4 * walLimit)
            """)
    }

    /// Cheap: a small file is checked completely, of a large one every table is touched and the
    /// length is compared with the header's.
    /// - Returns: what SQLite has met in a part of the file that it cannot be; nil for nothing.
    private func check(_ database: Database) throws -> StoreError? {
        let pages = try database.pragma("page_count")
        let pageSize = try database.pragma("page_size")
        // Copies the whole log into the file: only then its length is meaningful.
        do {
            try database.script("PRAGMA wal_checkpoint(TRUNCATE)")
        } catch {
            guard error.kind == .diskFull || error.kind == .readOnly else { throw error }
            // The log can still be read where it is.
            return try probe(database)
        }
        var status = stat()
        if unsafe stat(database.path, &status) == 0, Int64(status.st_size) < pages * pageSize {
            throw UnusableFile(reason: "truncated")
        }
        if pages * pageSize <= 8 << 20 {
            let verdict = try database.first("PRAGMA quick_check(1)") { $0.text(0) }
            guard verdict == "ok" else {
                throw UnusableFile(reason: "damaged (\(verdict ?? "no verdict"))")
            }
        }
        return try probe(database)
    }

    /// - Returns: what SQLite has met in a part of the file that it cannot be; nil for nothing.
    func probe(_ database: Database) throws -> StoreError? {
        if let failure = try failure(of: probe, database) { throw failure }
        let suspect = try failure(of: survey, database)
        if let suspect, suspect.kind != .corrupt { throw suspect }
        let isSane: Bool
        do {
            isSane = try database.first(sanity) { $0.integer(0) } == 1
        } catch let error as StoreError where error.code == SQLITE_ERROR {
            // A name that does not exist.
            isSane = false
        }
        guard isSane else { throw UnusableFile(reason: "damaged (its numbers cannot be)") }
        return suspect
    }

    /// - Throws: ``UnusableFile`` where a table is missing: the header is ours, the content is not.
    private func failure(of queries: String, _ database: Database) throws -> StoreError? {
        do throws(StoreError) {
            try database.script(queries)
            return nil
        } catch {
            guard error.code != SQLITE_ERROR else {
                throw UnusableFile(reason: "not complete (\(error.message))")
            }
            return error
        }
    }

    /// At most this number of files is kept; the first ones are what the owner may want.
    private static let mostSetAside = 8

    /// Moves the file and its write-ahead log to the first free name, or replaces the last one.
    private func moveAway(_ path: String) throws(StoreError) -> String {
        for number in 1...Self.mostSetAside {
            let target = "\(path).unusable-\(number)"
            var status = stat()
            let isFree = unsafe lstat(target, &status) != 0
            guard isFree || number == Self.mostSetAside else { continue }
            // An old log would be taken for that of the file that is moved here.
            _ = unsafe unlink(target + "-wal")
            do throws(Errno) { try Directory.move(path, to: target) } catch {
                throw StoreError(
                    code: SQLITE_CANTOPEN, message: "cannot be set aside: \(error)", path: path)
            }
            try? Directory.move(path + "-wal", to: target + "-wal")
            _ = unsafe unlink(path + "-shm")
            return target
        }
        throw StoreError(
            code: SQLITE_CANTOPEN, message: "cannot be set aside", path: path)
    }

    private func moveBack(_ target: String, to path: String) {
        for end in ["", "-wal", "-shm", "-journal"] { _ = unsafe unlink(path + end) }
        for end in ["", "-wal"] { try? Directory.move(target + end, to: path + end) }
    }
}

/// Valid for another program, or damaged.
struct UnusableFile: Error {
    var reason: String
}
