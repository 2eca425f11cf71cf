import Glibc

// Unsafe: clock_gettime(2) fills a struct of ours.

/// A database that recovers by itself: after a failure that a new connection may not have (a file
/// that was replaced, a device that came back, a damaged file), the next use opens a new one first.
final class Connection {
    let path: String
    private let format: DatabaseFormat
    private var database: Database
    /// Called with every new connection, before its first use.
    private let prepare: (Database) throws -> Void
    /// Why the present connection is not to be trusted.
    private var suspicion: StoreError?
    /// What is used while the file itself is unavailable.
    private var fallback: FallbackDatabase?
    /// How many connections have been opened.
    private(set) var openings = 1
    /// When a file was last quarantined while in use, s of CLOCK_BOOTTIME.
    private var setAsideAt: Int?
    /// This connection has created the file: there was none, or none that could be used.
    private(set) var isNew = false
    /// Quarantined files, oldest first.
    private(set) var setAside: [QuarantinedFile] = []
    /// The greatest number given in a file that was quarantined at the start.
    private(set) var lastNumber: UInt64?

    /// - Parameters:
    ///   - writable: whether the fallback may be written while it is in memory.
    ///   - condemned: why the existing file is to be quarantined unopened.
    init(
        path: String, format: DatabaseFormat, writable: Bool, condemned: String? = nil,
        prepare: @escaping (Database) throws -> Void
    ) throws {
        self.path = path
        self.format = format
        self.prepare = prepare
        do {
            let opened = try format.open(path, condemned: condemned)
            database = opened.database
            lastNumber = opened.lastNumber
            isNew = opened.isNew
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
        if suspicion != nil || database.hasMoved { reopen() }
    }

    /// - Parameter mending: whether to call ``mend()`` first; not needed if that has been done just
    ///   now.
    func use<Result>(
        mending: Bool = true, _ body: (Database) throws -> Result
    ) throws -> Result {
        if mending { mend() }
        do {
            return try body(database)
        } catch let error as StoreError {
            switch error.kind {
            case .readOnly, .inputOutput, .corrupt, .cannotOpen:
                // The reason for the fallback remains the reason.
                if fallback == nil { suspicion = error }
            case .diskFull, .busy, .other: break
            }
            throw error
        }
    }

    /// Like ``use(_:)``, for what must be known at the start: a file in which damage shows only now
    /// is quarantined by the second try.
    func useAtStart<Result>(_ body: (Database) throws -> Result) throws -> Result {
        do { return try use(body) } catch { return try use(body) }
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
        let condemned = suspicion.flatMap {
            fallback == nil && $0.kind == .corrupt ? "damaged (\($0.message))" : nil
        }
        // A file that was created just now and is damaged again is not the cause: it stays, and
        // queries on it fail, until some time has passed.
        let now = Self.seconds
        let mayReplace = setAsideAt.map { now - $0 >= Self.pause } ?? true
        guard
            let opened = try? format.open(path, condemned: condemned, mayReplace: mayReplace)
        else { return }
        if let file = opened.setAside {
            setAside.append(file)
            setAsideAt = now
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
        fallback = nil
    }
}

extension StoreError.Kind {
    /// The file may be good, and its disk may recover.
    fileprivate var mayPass: Bool {
        switch self {
        case .diskFull, .readOnly, .inputOutput, .cannotOpen: true
        case .busy, .corrupt, .other: false
        }
    }
}
