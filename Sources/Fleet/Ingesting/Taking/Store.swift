package import PostgreSQL
package import Systemd
import Time

/// The database of an ingest: one batch at a time, made again when it was lost.
@MainActor
package final class Store {
    /// How a batch ended.
    package enum Outcome {
        /// These are in the database, durably.
        case stored(Batch)
        /// This row is what the database refuses, for this reason.
        case refused(Batch.Row, String)
        /// Nothing is known of these: they come again.
        case unknown(Batch)
    }

    private let address: String
    private let loop: EventLoop
    private let log: @MainActor (LogPriority, String) -> Void
    private var database: Database?
    /// Why nothing is stored: there is no connection, or the last statement failed; nil while it works.
    package private(set) var trouble: String? {
        didSet { if trouble != oldValue { onChange() } }
    }
    /// Called when ``trouble`` has changed.
    package var onChange: @MainActor () -> Void = {}
    /// Boxes that wait are to be served again within half a minute of the database's return, with
    /// what they then have to send: less than the 5 s after which an intake asks again.
    private var delay = BackOff(limit: .seconds(4))
    /// Batches that wait for their turn, and what to do when each has ended.
    private var queue: [Statement] = []
    private var isRunning = false

    /// What waits for a lock for longer is given up: a box that somebody has locked by hand, or a day that is
    /// being archived, keeps nobody else waiting for as long as it likes.
    private static let session = "SET lock_timeout = '5s'"

    private enum Statement {
        case store(Batch, @MainActor (Outcome) -> Void)
        case other(String, [String?], @MainActor (Rows?) -> Void)
    }

    /// - Parameter address: a conninfo string.
    package init(
        _ address: String, loop: EventLoop,
        log: @escaping @MainActor (LogPriority, String) -> Void
    ) {
        self.address = address
        self.loop = loop
        self.log = log
    }

    /// Statements that wait or run.
    package var waiting: Int { queue.count + (isRunning ? 1 : 0) }

    /// Stores a batch; `reply` is called for it, or for each of its parts.
    package func store(_ batch: Batch, reply: @escaping @MainActor (Outcome) -> Void) {
        queue.append(.store(batch, reply))
        run()
    }

    /// Runs another statement; nil when it failed, which is logged.
    package func run(
        _ sql: String, _ parameters: [String?], reply: @escaping @MainActor (Rows?) -> Void
    ) {
        queue.append(.other(sql, parameters, reply))
        run()
    }

    private func run() {
        guard !isRunning, !queue.isEmpty else { return }
        guard let database = connection() else { return giveUp() }
        let statement = queue.removeFirst()
        let reply: @MainActor (Result<Rows, DatabaseError>) -> Void = { [weak self] answer in
            self?.isRunning = false
            self?.finish(statement, answer)
            self?.run()
        }
        isRunning = true
        do throws(DatabaseError) {
            switch statement {
            case .store(let batch, _):
                try database.begin(Batch.sql, binary: batch.parameters, reply: reply)
            case .other(let sql, let parameters, _):
                try database.begin(sql, parameters, reply: reply)
            }
        } catch {
            isRunning = false
            finish(statement, .failure(error))
            // It is lost: what waits is given back, or asked of a new connection.
            run()
        }
    }

    private func finish(_ statement: Statement, _ answer: Result<Rows, DatabaseError>) {
        switch answer {
        case .success: trouble = nil
        case .failure(let error) where error.state.isEmpty: lose("\(error)")
        case .failure(let error) where !error.isAboutData: trouble = "the database: \(error)"
        case .failure: break
        }
        switch (statement, answer) {
        case (.store(let batch, let reply), .success): reply(.stored(batch))
        case (.store(let batch, let reply), .failure(let error)) where error.isAboutData:
            guard let (first, second) = batch.halves else {
                return reply(.refused(batch.rows[0], "\(error)"))
            }
            queue.insert(contentsOf: [.store(first, reply), .store(second, reply)], at: 0)
        case (.store(let batch, let reply), .failure(let error)):
            log(.warning, "\(batch.rows.count) events were not stored: \(error)")
            reply(.unknown(batch))
        case (.other(_, _, let reply), .success(let rows)): reply(rows)
        case (.other(_, _, let reply), .failure(let error)):
            log(.warning, "\(error)")
            reply(nil)
        }
    }

    /// What waits is answered: boxes send it again.
    private func giveUp() {
        let statements = queue
        queue = []
        for statement in statements {
            switch statement {
            case .store(let batch, let reply): reply(.unknown(batch))
            case .other(_, _, let reply): reply(nil)
            }
        }
    }

    private func lose(_ why: String) {
        database = nil
        trouble = "no database: \(why)"
        delay.fail(at: EventLoop.uptime)
        log(.warning, "no database: \(why)")
    }

    private func connection() -> Database? {
        if let database { return database }
        guard !delay.holds(at: EventLoop.uptime) else { return nil }
        do {
            let database = try Database(address, program: "geofenced-ingest")
            try database.runAll(Self.session)
            try database.attach(to: loop)
            self.database = database
            trouble = nil
            delay.succeed()
            log(.info, "connected to the database")
        } catch { lose("\(error)") }
        return database
    }
}
