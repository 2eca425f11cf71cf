import Bytes
import Ingesting
import PostgreSQL
import Systemd
import Time

/// The connection that always answers at once: it hears what is new, knows who may look, and has questions
/// given up. It is asked nothing for anybody.
@MainActor
final class BoardControl {
    /// Called when another session says that something is new.
    var onNews: @MainActor () -> Void = {}
    /// Called when it was lost.
    var onLoss: @MainActor (String) -> Void = { _ in }
    private let database: Database
    private var isAsking = false
    /// Who waits to know whether a role may look.
    private var roles: [ExactText: [@MainActor (Result<Bool, BoardQuestion.Refusal>) -> Void]] = [:]
    /// Processes of the server that are to give up.
    private var givingUp: [(backend: String, done: @MainActor () -> Void)] = []

    /// Of a row `r` of `pg_roles`: a reader of fleets that is bound to row security and was granted to the
    /// role of the connection, which inherits nothing itself.
    static let mayLook = """
        NOT r.rolsuper AND NOT r.rolbypassrls AND pg_has_role(r.oid, 'fleet_reader', 'usage')
            AND pg_has_role(session_user, r.oid, 'member')
        """
    /// Names in one question.
    private static let most = 64

    init(_ address: String, _ loop: EventLoop) throws {
        database = try Database(address, program: "geofenced-board")
        try database.runAll(
            "SET default_transaction_read_only = on; SET statement_timeout = '5s';"
                + " LISTEN \(Announcer.channel)")
        database.onNotification = { [weak self] in self?.onNews() }
        database.onLoss = { [weak self] in self?.onLoss("the server has closed the connection") }
        try database.attach(to: loop)
    }

    /// Whether a role may look.
    func check(
        _ role: ExactText, reply: @escaping @MainActor (Result<Bool, BoardQuestion.Refusal>) -> Void
    ) {
        roles[role, default: []].append(reply)
        ask()
    }

    /// What a process of the server does is given up. That may be over already; what it does after `done`
    /// was called is not meant.
    func giveUp(_ backend: String, done: @escaping @MainActor () -> Void) {
        givingUp.append((backend, done))
        ask()
    }

    private func ask() {
        guard !isAsking else { return }
        if !givingUp.isEmpty {
            let now = givingUp
            givingUp = []
            begin(
                "SELECT pg_cancel_backend(pid) FROM unnest($1::int[]) AS p (pid)",
                now.map(\.backend)
            ) { _ in for each in now { each.done() } }
        } else if !roles.isEmpty {
            let now = Dictionary(uniqueKeysWithValues: roles.prefix(Self.most).map { $0 })
            for role in now.keys { roles[role] = nil }
            begin(
                """
                SELECT r.rolname FROM pg_roles r
                WHERE r.rolname = ANY ($1::text[] COLLATE "C") AND \(Self.mayLook)
                """, now.keys.map(\.text)
            ) { answer in
                let known = answer.map { rows in
                    Set(rows.values.compactMap { $0.first.flatMap(\.self).map(ExactText.init) })
                }
                for (role, replies) in now {
                    for reply in replies { reply(known.map { $0.contains(role) }) }
                }
            }
        }
    }

    private func begin(
        _ sql: String, _ elements: [String],
        reply: @escaping @MainActor (Result<Rows, BoardQuestion.Refusal>) -> Void
    ) {
        isAsking = true
        var array = ArrayText()
        for element in elements { array.append(element) }
        let whenAnswered: @MainActor (Result<Rows, DatabaseError>) -> Void = { [weak self] answer in
            self?.isAsking = false
            reply(answer.mapError { $0.state.isEmpty ? .absent : .failed($0) })
            if case .failure(let error) = answer, error.state.isEmpty { self?.onLoss("\(error)") }
            self?.ask()
        }
        do throws(DatabaseError) {
            try database.begin(sql, [array.text], reply: whenAnswered)
        } catch { whenAnswered(.failure(error)) }
    }
}
