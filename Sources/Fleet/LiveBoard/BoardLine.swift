import Bytes
import Ingesting
import PostgreSQL
import Systemd
import Time

/// A connection to the database that answers one question after another, each as the role of who looks.
@MainActor
final class BoardLine {
    /// The number of its process at the server.
    let backend: String
    /// Called when it was lost.
    var onLoss: @MainActor (String) -> Void = { _ in }
    private let database: Database
    /// The one that it was given, until the database is done with it.
    private(set) var question: BoardQuestion?
    /// It was asked to give up, and has not said yet that it did.
    var isGivingUp = false
    /// When it last had something to do.
    private(set) var used = EventLoop.uptime
    private var roles: Set<ExactText?> = []

    /// Roles that it has been: of each a database of reports keeps a connection to each shard.
    private static let mostRoles = 8
    /// Connecting makes the loop wait, s.
    private static let patience = 2
    /// Nothing is written; a question that takes long is given up; and compiling a statement takes
    /// longer than it.
    private static let session = """
        SET default_transaction_read_only = on; SET statement_timeout = '20s'; SET jit = off
        """
    /// Becomes a role, if it may look. The name is a parameter: whatever it contains, it is a name.
    private static let become = """
        SELECT set_config('role', r.rolname, false), set_config('fleet.without', $1, false)
        FROM pg_roles r WHERE r.rolname = $2::text COLLATE "C" AND \(BoardControl.mayLook)
        """
    private static let becomeItself =
        "SELECT set_config('role', 'none', false), set_config('fleet.without', $1, false)"

    init(_ address: String, _ loop: EventLoop) throws {
        database = try Database(address, program: "geofenced-board", patience: Self.patience)
        try database.runAll(Self.session)
        let rows = try database.run("SELECT pg_backend_pid()")
        backend = (rows.values.first?.first ?? nil) ?? ""
        try database.attach(to: loop)
        database.onLoss = { [weak self] in self?.onLoss("the server has closed the connection") }
    }

    /// Whether it can be asked.
    var isFree: Bool { question == nil && !isGivingUp }

    /// Whether it has been enough roles.
    var isWorn: Bool { roles.count >= Self.mostRoles }

    /// Whether it has been this role.
    func hasBeen(_ role: ExactText?) -> Bool { roles.contains(role) }

    /// Asks; it is free again when `done` is called.
    /// - Parameter without: shards that are left out.
    func ask(
        _ question: BoardQuestion, without: [Int],
        done: @escaping @MainActor (Result<Rows, BoardQuestion.Refusal>) -> Void
    ) {
        self.question = question
        roles.insert(question.role)
        let numbers = "{\(without.map(String.init).joined(separator: ","))}"
        let (sql, parameters) =
            question.role.map { (Self.become, [numbers, $0.text]) } ?? (
                Self.becomeItself, [numbers]
            )
        begin(.init(sql: sql, parameters: parameters)) { [weak self] answer in
            switch answer {
            case .success(let rows) where rows.values.isEmpty:
                self?.finish(.failure(.denied), done)
            case .success where question.isOver: self?.finish(.failure(.busy), done)
            case .success:
                var text = question.text
                if text.each != nil { text.each = { question.take($0) } }
                self?.begin(text) { [weak self] answer in self?.finish(answer, done) }
            case .failure(let refusal): self?.finish(.failure(refusal), done)
            }
        }
    }

    private func begin(
        _ text: BoardQuestion.Text,
        reply: @escaping @MainActor (Result<Rows, BoardQuestion.Refusal>) -> Void
    ) {
        let whenAnswered: @MainActor (Result<Rows, DatabaseError>) -> Void = { [weak self] answer in
            switch answer {
            case .success(let rows): reply(.success(rows))
            case .failure(let error):
                reply(.failure(error.state.isEmpty ? .absent : .failed(error)))
                if error.state.isEmpty { self?.onLoss("\(error)") }
            }
        }
        do throws(DatabaseError) {
            try database.begin(
                text.sql, text.parameters, isBinary: text.isBinary, each: text.each,
                reply: whenAnswered)
        } catch { whenAnswered(.failure(error)) }
    }

    private func finish(
        _ answer: Result<Rows, BoardQuestion.Refusal>,
        _ done: @MainActor (Result<Rows, BoardQuestion.Refusal>) -> Void
    ) {
        question = nil
        used = EventLoop.uptime
        done(answer)
    }
}
