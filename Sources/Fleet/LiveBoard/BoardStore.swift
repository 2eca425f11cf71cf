import Ingesting
package import PostgreSQL
package import Systemd
import Time

/// The database of a board: one connection, which asks as the role of who looks, and listens for what
/// is new. It is made again when it was lost.
@MainActor
package final class BoardStore {
    /// Why there is no answer.
    package enum Refusal: Error, Equatable {
        /// There is no such role, or it may not read as it.
        case denied
        /// There is no database.
        case absent
        /// More is asked than it can answer.
        case busy
        /// What the database says.
        case failed(DatabaseError)
    }

    /// What is asked for one who looks.
    private struct Question {
        var role: String?
        var sql: String
        var parameters: [String?]
        /// It was asked before, and a shard was lost meanwhile.
        var isRepeated = false
        var reply: @MainActor (Result<Rows, Refusal>) -> Void
    }

    /// Rises when there may be something new: after a notification, and when the database is back.
    package private(set) var generation: UInt64 = 0
    /// Called when ``generation`` has risen.
    package var onChange: @MainActor () -> Void = {}
    private let absence: @MainActor (String?) -> Void
    private let address: String
    private let loop: EventLoop
    private let log: @MainActor (LogPriority, String) -> Void
    private var database: Database?
    private var delay = BackOff()
    private var retry: TimerSource?
    private var listeners: [ShardListener] = []
    private var queue: [Question] = []
    private var isRunning = false
    /// Shards of a database of reports that do not answer; each question is asked of the others.
    private var silent: Set<Int> = []

    /// Questions that wait.
    private static let most = 256
    /// Nothing is written; a question that takes long is given up; and compiling a statement takes
    /// longer than it.
    private static let session = """
        SET default_transaction_read_only = on; SET statement_timeout = '20s'; SET jit = off;
        LISTEN \(Announcer.channel)
        """
    /// Becomes a role, if there is one of that name, which is a reader of fleets, is bound to row
    /// security, and was granted to the role of the connection. The name is a parameter: whatever it
    /// contains, it is a name.
    private static let become = """
        SELECT set_config('role', r.rolname, false), set_config('fleet.without', $1, false)
        FROM pg_roles r
        WHERE r.rolname = $2 AND NOT r.rolsuper AND NOT r.rolbypassrls
            AND pg_has_role(r.oid, 'fleet_reader', 'member')
            AND pg_has_role(session_user, r.oid, 'member')
        """
    private static let becomeItself =
        "SELECT set_config('role', 'none', false), set_config('fleet.without', $1, false)"

    /// Connects.
    /// - Parameters:
    ///   - address: a conninfo string.
    ///   - shards: those of a database of reports, where what is new is heard.
    ///   - absence: called when there is no connection, with the reason, and with nil when there is one.
    package init(
        _ address: String, shards: [String] = [], _ loop: EventLoop,
        log: @escaping @MainActor (LogPriority, String) -> Void,
        absence: @escaping @MainActor (String?) -> Void = { _ in }
    ) throws(SystemError) {
        self.address = address
        self.absence = absence
        self.loop = loop
        self.log = log
        for shard in shards {
            listeners.append(try ShardListener(shard, loop) { [weak self] in self?.changed() })
        }
        retry = try TimerSource(loop) { [weak self] in self?.connect() }
        connect()
    }

    /// Whether there is a connection.
    package var isConnected: Bool { database != nil }

    /// Asks, with the rights of a role; `reply` is called from the loop, or at once.
    /// - Parameter role: nil for that of the connection.
    package func ask(
        as role: String?, _ sql: String, _ parameters: [String?] = [],
        reply: @escaping @MainActor (Result<Rows, Refusal>) -> Void
    ) {
        guard database != nil else { return reply(.failure(.absent)) }
        guard queue.count < Self.most else { return reply(.failure(.busy)) }
        queue.append(Question(role: role, sql: sql, parameters: parameters, reply: reply))
        run()
    }

    private func run() {
        guard !isRunning, !queue.isEmpty else { return }
        let question = queue.removeFirst()
        isRunning = true
        let without = "{\(silent.sorted().map(String.init).joined(separator: ","))}"
        let (sql, parameters) =
            question.role.map { (Self.become, [without, $0]) } ?? (Self.becomeItself, [without])
        begin(sql, parameters) { [weak self] answer in
            switch answer {
            case .success(let rows) where rows.values.isEmpty:
                self?.finish(question, .failure(.denied))
            case .success:
                self?.begin(question.sql, question.parameters) { [weak self] answer in
                    self?.finish(question, answer)
                }
            case .failure(let refusal): self?.finish(question, .failure(refusal))
            }
        }
    }

    private func begin(
        _ sql: String, _ parameters: [String?],
        reply: @escaping @MainActor (Result<Rows, Refusal>) -> Void
    ) {
        guard let database else { return reply(.failure(.absent)) }
        let whenAnswered: @MainActor (Result<Rows, DatabaseError>) -> Void = { [weak self] answer in
            switch answer {
            case .success(let rows): reply(.success(rows))
            case .failure(let error):
                if error.state.isEmpty { self?.lose("\(error)") }
                reply(.failure(error.state.isEmpty ? .absent : .failed(error)))
            }
        }
        do throws(DatabaseError) {
            try database.begin(sql, parameters, reply: whenAnswered)
        } catch { whenAnswered(.failure(error)) }
    }

    private func finish(_ question: Question, _ answer: Result<Rows, Refusal>) {
        isRunning = false
        if case .failure(.failed(let error)) = answer, isWorthRepeating(question, error) {
            var question = question
            question.isRepeated = true
            queue.insert(question, at: 0)
        } else {
            question.reply(answer)
        }
        run()
    }

    /// A shard does not answer: the others are asked without it.
    private func isWorthRepeating(_ question: Question, _ error: DatabaseError) -> Bool {
        if let shard = Federation.silentShard(error), silent.insert(shard).inserted {
            log(.warning, "shard_\(shard) is left out: \(error.message)")
            return true
        }
        // A connection that was there is lost without the name of its shard.
        return error.state.hasPrefix("08") && !question.isRepeated
    }

    /// Asks the shards again that did not answer.
    package func askSilent() { silent = [] }

    private func changed() {
        generation += 1
        onChange()
    }

    private func lose(_ why: String) {
        guard database != nil else { return }
        database = nil
        miss(why)
    }

    private func miss(_ why: String) {
        log(.warning, "no database: \(why)")
        absence(why)
        delay.fail(at: EventLoop.uptime)
        retry?.arm(at: delay.until ?? EventLoop.uptime)
    }

    private func connect() {
        do {
            let made = try Database(address, program: "geofenced-board")
            try made.runAll(Self.session)
            made.onNotification = { [weak self] in self?.changed() }
            made.onLoss = { [weak self] in self?.lose("the server has closed the connection") }
            try made.attach(to: loop)
            database = made
            delay.succeed()
            log(.info, "connected to the database")
            absence(nil)
            changed()
        } catch { miss("\(error)") }
    }
}
