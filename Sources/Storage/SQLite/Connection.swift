import Glibc

// Unsafe: clock_gettime(2) fills a struct of ours.

/// A database that mends itself: after a failure that a new connection may not have (a file that
/// was replaced, a device that came back, a damaged file), the next use opens a new one first.
final class Connection {
    let path: String
    private let format: DatabaseFormat
    private var database: Database
    /// Called with every new connection, before its first use.
    private let prepare: (Database) throws -> Void
    /// Why the present connection is not to be trusted.
    private var suspicion: StoreError?
    /// What is used while the file itself cannot be.
    private var fallback: FallbackDatabase?
    /// How many connections there have been.
    private(set) var openings = 1
    /// When the file was last set aside while in use, s of CLOCK_BOOTTIME.
    private var setAsideAt: Int?
    /// The file has been made by this connection: there was none, or none that could be used.
    private(set) var isNew = false
    /// What had to be moved out of the way, oldest first.
    private(set) var setAside: [QuarantinedFile] = []
    /// The greatest number given in a file that was set aside at the start.
    private(set) var lastNumber: UInt64?

    /// - Parameters:
    ///   - writable: what stands in for the file may be written as long as it is in memory.
    ///   - condemned: why the file that is there is to be set aside without a look.
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

    /// The file itself, as it was when it could not be opened for writing.
    var isReadOnly: Bool { fallback.map { !$0.isInMemory } ?? false }

    /// Tries to open the file itself, where it is not in use.
    func mend() {
        if suspicion != nil || database.hasMoved { reopen() }
    }

    /// - Parameter mending: whether to look whether there is something to ``mend()``; not where that
    ///   has been done just now.
    func use<Result>(
        mending: Bool = true, _ body: (Database) throws -> Result
    ) throws -> Result {
        if mending { mend() }
        do {
            return try body(database)
        } catch let error as StoreError {
            switch error.kind {
            case .readOnly, .inputOutput, .corrupt, .cannotOpen:
                // Why there is a stand-in remains the reason.
                if fallback == nil { suspicion = error }
            case .diskFull, .busy, .other: break
            }
            throw error
        }
    }

    /// As ``use(_:)``, for what must be known at the start: a file in which damage shows only now is
    /// set aside by the second try.
    func useAtStart<Result>(_ body: (Database) throws -> Result) throws -> Result {
        do { return try use(body) } catch { return try use(body) }
    }

    /// A second connection to the same file; of a database in memory there is but one.
    func another() throws -> Database {
        mend()
        if let fallback, fallback.isInMemory { return fallback.database }
        return try format.connect(path)
    }

    /// The least time between two files set aside while in use, s.
    private static let pause = 3_600

    private static var seconds: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return time.tv_sec
    }

    /// The old connection stays until the new one is good: on a file system that has become
    /// read-only it still answers questions.
    private func reopen() {
        let condemned = suspicion.flatMap {
            fallback == nil && $0.kind == .corrupt ? "damaged (\($0.message))" : nil
        }
        // A file that was made just now and is damaged again is not what is wrong: it stays, and
        // what is asked of it fails, until some time has passed.
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
            // What was taken in meanwhile is not to be told anew.
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
    /// The file may be good, and its disk better another time.
    fileprivate var mayPass: Bool {
        switch self {
        case .diskFull, .readOnly, .inputOutput, .cannotOpen: true
        case .busy, .corrupt, .other: false
        }
    }
}
