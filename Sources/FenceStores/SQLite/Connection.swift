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
    /// How many connections there have been.
    private(set) var openings = 1
    /// What had to be moved out of the way, oldest first.
    private(set) var setAside: [SetAsideFile] = []

    init(
        path: String, format: DatabaseFormat, prepare: @escaping (Database) throws -> Void
    ) throws {
        self.path = path
        self.format = format
        self.prepare = prepare
        let opened = try format.open(path)
        try prepare(opened.database)
        database = opened.database
        if let file = opened.setAside { setAside.append(file) }
    }

    func use<Result>(_ body: (Database) throws -> Result) throws -> Result {
        if suspicion != nil || database.hasMoved { reopen() }
        do {
            return try body(database)
        } catch let error as StoreError {
            switch error.kind {
            case .readOnly, .inputOutput, .corrupt, .cannotOpen: suspicion = error
            case .diskFull, .busy, .other: break
            }
            throw error
        }
    }

    /// A second connection to the same file.
    func another() throws -> Database { try format.connect(path) }

    /// The old connection stays until the new one is good: on a file system that has become
    /// read-only it still answers questions.
    private func reopen() {
        let condemned = suspicion.flatMap {
            $0.kind == .corrupt ? "damaged (\($0.message))" : nil
        }
        guard let opened = try? format.open(path, condemned: condemned) else { return }
        if let file = opened.setAside { setAside.append(file) }
        guard (try? prepare(opened.database)) != nil else { return }
        database = opened.database
        openings += 1
        suspicion = nil
    }
}
