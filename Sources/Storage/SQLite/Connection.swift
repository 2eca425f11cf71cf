import Glibc

// Unsafe: clock_gettime(2) fills a struct of ours.

/// A database that recovers by itself: after a failure that a new connection may not have (a file
/// that was replaced, a device that came back), the next use opens a new one first.
///
/// A file in which SQLite meets something that it cannot be is suspect: it stays in use as far as it
/// can be read, until ``condemn(_:)`` or ``absolve()`` says what a check of all of it has found.
final class Connection {
    let path: String
    private let format: DatabaseFormat
    private var database: Database
    /// Called with every new connection, before its first use.
    private let prepare: (Database) throws -> Void
    /// Why the present connection is not to be trusted.
    private var suspicion: StoreError?
    /// What SQLite has met in the file, while nobody knows yet whether the file is damaged.
    private(set) var suspect: StoreError?
    /// Called when the file becomes ``suspect``, from within the use.
    var onSuspect: () -> Void = {}
    /// Why the file is to be quarantined; nil unless it was found to be damaged.
    private var verdict: String?
    /// What is used while the file itself is unavailable.
    private var fallback: FallbackDatabase?
    /// How many connections have been opened.
    private(set) var openings = 1
    /// When a file was last quarantined while in use, s of CLOCK_BOOTTIME.
    private var setAsideAt: Int?
    /// This connection has created the file: there was none, or none that could be used.
    private(set) var isNew = false
    /// Numbers in it could not be, and were derived anew when it was first opened.
    private(set) var isRepaired = false
    /// Quarantined files, oldest first.
    private(set) var setAside: [QuarantinedFile] = []
    /// What was found in the file and is not ours, in words, until it is reported.
    var foreign: [String] = []
    /// The greatest number given in a file that was quarantined at the start.
    private(set) var lastNumber: UInt64?

    /// - Parameter writable: whether the fallback may be written while it is in memory.
    init(
        path: String, format: DatabaseFormat, writable: Bool,
        prepare: @escaping (Database) throws -> Void
    ) throws {
        self.path = path
        self.format = format
        self.prepare = prepare
        do {
            let opened = try format.open(path)
            database = opened.database
            lastNumber = opened.lastNumber
            isNew = opened.isNew
            isRepaired = opened.isRepaired
            suspect = opened.suspect
            foreign = opened.foreign
            if let file = opened.setAside { setAside.append(file) }
        } catch let error as StoreError where error.kind.mayPass {
            let fallback = try format.fallback(for: path, writable: writable)
            database = fallback.database
            self.fallback = fallback
            suspicion = error
        }
        try prepare(database)
    }

    /// Why the file itself is not in use; nil when it is.
    var absence: StoreError? { fallback == nil ? nil : suspicion }

    /// The file itself is in use, as it was when it could not be opened for writing.
    var isReadOnly: Bool { fallback.map { !$0.isInMemory } ?? false }

    /// Tries to open the file itself, if it is not in use.
    func mend() {
        if suspicion != nil || mayQuarantine || database.hasMoved { reopen() }
    }

    /// A check of the whole file, which is ``suspect``, has found it damaged: the next use
    /// quarantines it.
    func condemn(_ reason: String) {
        guard suspect != nil, !database.hasMoved else { return absolve() }
        verdict = reason
    }

    /// The file is not damaged, or is another one by now: the next use opens it again.
    func absolve() {
        guard let error = suspect else { return }
        suspect = nil
        suspicion = error
    }

    /// - Parameter mending: whether to call ``mend()`` first; not needed if that has been done just
    ///   now.
    func use<Result>(
        mending: Bool = true, _ body: (Database) throws -> Result
    ) throws -> Result {
        if mending { mend() }
        do {
            return try body(database)
        } catch {
            note(error)
            throw error
        }
    }

    /// What using the file has led to, by this connection or by ``another()``.
    func note(_ error: any Error) {
        // The reason for the fallback remains the reason.
        guard let error = error as? StoreError, fallback == nil else { return }
        switch error.kind {
        case .readOnly, .inputOutput, .cannotOpen: suspicion = error
        case .corrupt:
            guard suspect == nil else { return }
            suspect = error
            onSuspect()
        case .diskFull, .busy, .other: break
        }
    }

    /// Like ``use(_:)``, for what must be known at the start: a file in which SQLite cannot read it
    /// is of no use, and is quarantined.
    func useAtStart<Result>(_ body: (Database) throws -> Result) throws -> Result {
        do { return try use(body) } catch let error as StoreError where error.kind == .corrupt {
            condemn("damaged (\(error.message))")
            return try use(body)
        } catch { return try use(body) }
    }

    /// A second connection to the same file; a database in memory has only one.
    func another() throws -> Database {
        mend()
        if let fallback, fallback.isInMemory { return fallback.database }
        return try format.connect(path)
    }

    /// The least time between two quarantined files while in use, s.
    private static let pause = 3_600

    private static var seconds: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return time.tv_sec
    }

    /// The old connection stays until the new one is good: on a file system that has become
    /// read-only it still answers queries.
    private func reopen() {
        guard
            let opened = try? format.open(
                path, condemned: mayQuarantine ? verdict : nil, mayReplace: mayReplace)
        else { return }
        if let file = opened.setAside {
            setAside.append(file)
            setAsideAt = Self.seconds
        }
        guard (try? prepare(opened.database)) != nil else { return }
        if let fallback, fallback.isInMemory, opened.isNew {
            // What was stored meanwhile must not count as new again.
            guard (try? opened.database.copy(fallback.database)) != nil else { return }
        }
        database = opened.database
        isNew = opened.isNew
        openings += 1
        suspicion = nil
        suspect = opened.suspect
        foreign += opened.foreign
        verdict = nil
        fallback = nil
        if suspect != nil { onSuspect() }
    }

    /// A file that was created just now and is damaged again is not the cause: it stays, and is used
    /// as far as it can be read, until some time has passed.
    private var mayReplace: Bool {
        setAsideAt.map { Self.seconds - $0 >= Self.pause } ?? true
    }

    private var mayQuarantine: Bool { verdict != nil && mayReplace }
}
