import Bytes
import Ingesting
package import PostgreSQL
package import Systemd
import Time

/// The database of a board: who may look, what is new, and what those ask who look, each with the rights
/// of his role. The connections are made again when they were lost.
@MainActor
package final class BoardStore {
    /// Why there is no answer.
    package typealias Refusal = BoardQuestion.Refusal

    /// Rises when there may be something new, once a second at most: after a notification, and when the
    /// database is back.
    package private(set) var generation: UInt64 = 0
    /// Called when ``generation`` has risen.
    package var onChange: @MainActor () -> Void = {}
    private let absence: @MainActor (String?) -> Void
    private let address: String
    private let loop: EventLoop
    private let log: @MainActor (LogPriority, String) -> Void
    private var control: BoardControl?
    private var lines: [BoardLine] = []
    private var queue = BoardQueue()
    private var delay = BackOff()
    private var retry: TimerSource?
    private var listeners: [ShardListener] = []
    /// Shards of a database of reports that do not answer; each question is asked of the others.
    private var silent: Set<Int> = []
    /// Roles that may look, and until when that is believed.
    private var known: [ExactText: Uptime] = [:]
    /// When ``generation`` may rise again, and what makes it.
    private var changeable = Uptime.boot
    private var later: TimerSource?
    /// Looks after those that wait.
    private var watch: TimerSource?
    /// When another line may be tried after one could not be made.
    private var openable = Uptime.boot
    private var toldBusy: Uptime?

    /// Connections that answer.
    private static let most = 6
    private static let interval = TimeSpan.milliseconds(200)
    /// Between two changes that are told. What comes in between is told within a second, too.
    private static let pause = TimeSpan.milliseconds(900)
    private static let minute = TimeSpan.seconds(60)

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
        later = try TimerSource(loop) { [weak self] in self?.changed() }
        watch = try TimerSource(loop) { [weak self] in self?.lookAfter() }
        connect()
    }

    /// Whether there is a database.
    package var isConnected: Bool { control != nil }

    /// Tells whether a role may look, from the loop or at once; nil if it may.
    /// - Parameter role: nil for that of the connection.
    package func admit(
        _ role: String?, reply: @escaping @MainActor (Refusal?) -> Void
    ) {
        guard let role = role.map(ExactText.init) else { return reply(nil) }
        if let until = known[role], until > EventLoop.uptime { return reply(nil) }
        guard let control else { return reply(.absent) }
        control.check(role) { [weak self] answer in
            switch answer {
            case .success(let mayLook):
                self?.known[role] = mayLook ? EventLoop.uptime + Self.minute : nil
                reply(mayLook ? nil : .denied)
            case .failure(let refusal): reply(refusal)
            }
        }
    }

    /// Asks, with the rights of a role; `reply` is called from the loop, or at once.
    /// - Parameter role: nil for that of the connection.
    @discardableResult
    package func ask(
        as role: String?, _ text: BoardQuestion.Text,
        reply: @escaping @MainActor (Result<Rows, Refusal>) -> Void
    ) -> BoardQuestion {
        let now = EventLoop.uptime
        let question = BoardQuestion(
            role.map(ExactText.init), text, at: now,
            whenTakenBack: { [weak self] in self?.takenBack($0) }, reply: reply)
        if control == nil {
            question.answer(.failure(.absent))
        } else if !queue.add(question) {
            tellBusy(question)
            question.answer(.failure(.busy))
        }
        run()
        return question
    }

    // MARK: Questions

    private func run() {
        while control != nil, queue.hasWaiting, hasFreeLine(),
            let question = queue.next(EventLoop.uptime)
        {
            let free = lines.filter(\.isFree)
            let line = free.first { $0.hasBeen(question.role) } ?? free[0]
            line.ask(question, without: silent.sorted()) { [weak self, weak line] answer in
                self?.finish(question, answer)
                if let line, line.isFree { self?.freed(line) }
            }
        }
        if queue.hasWaiting, watch?.isEnabled == false {
            watch?.arm(at: EventLoop.uptime + Self.interval)
        }
    }

    /// Makes one if none is free, and there may be more.
    private func hasFreeLine() -> Bool {
        if lines.contains(where: \.isFree) { return true }
        guard lines.count < Self.most, openable <= EventLoop.uptime else { return false }
        do {
            let made = try BoardLine(address, loop)
            made.onLoss = { [weak self, weak made] _ in
                self?.lines.removeAll { $0 === made }
                self?.run()
            }
            lines.append(made)
            return true
        } catch {
            log(.warning, "no further connection to the database: \(error)")
            openable = EventLoop.uptime + .seconds(5)
            return false
        }
    }

    private func freed(_ line: BoardLine) {
        if line.isWorn { lines.removeAll { $0 === line } }
        run()
    }

    private func finish(_ question: BoardQuestion, _ answer: Result<Rows, Refusal>) {
        queue.remove(question, EventLoop.uptime)
        if case .failure(.failed(let error)) = answer, !question.isOver,
            isWorthRepeating(question, error)
        {
            question.isRepeated = true
            question.begun = nil
            _ = queue.add(question, isFirst: true)
        } else {
            question.answer(answer)
        }
    }

    /// It is of no use to anybody.
    private func takenBack(_ question: BoardQuestion) {
        guard let line = lines.first(where: { $0.question === question }) else {
            return queue.remove(question, EventLoop.uptime)
        }
        guard !line.isGivingUp, let control else { return }
        line.isGivingUp = true
        control.giveUp(line.backend) { [weak self, weak line] in
            line?.isGivingUp = false
            if let line, line.isFree { self?.freed(line) }
        }
    }

    /// Nobody waits for long: neither for others nor for himself.
    private func lookAfter() {
        let now = EventLoop.uptime
        for question in queue.expired(now) {
            tellBusy(question)
            question.giveWay()
        }
        if !hasFreeLine(), let loser = queue.loser(now) {
            tellBusy(loser)
            loser.giveWay()
        }
        run()
    }

    private func tellBusy(_ question: BoardQuestion) {
        let now = EventLoop.uptime
        guard toldBusy.map({ $0 + Self.minute <= now }) != false else { return }
        toldBusy = now
        let name = question.role.map { "\"\($0.text.printable)\"" } ?? "the role of the connection"
        log(.warning, "busy: more is asked than the database answers, most by \(name)")
    }

    /// A shard does not answer: the others are asked without it.
    private func isWorthRepeating(_ question: BoardQuestion, _ error: DatabaseError) -> Bool {
        if let shard = Federation.silentShard(error) {
            // It may be left out since this was asked.
            guard silent.insert(shard).inserted else { return !question.isRepeated }
            log(.warning, "shard_\(shard) is left out: \(error.message)")
            return true
        }
        // A connection that was there is lost without the name of its shard.
        return error.state.hasPrefix("08") && !question.isRepeated
    }

    /// Once a minute: asks the shards again that did not answer, and gives back what is not used.
    package func askSilent() {
        silent = []
        let now = EventLoop.uptime
        known = known.filter { $0.value > now }
        lines.removeAll { $0.isFree && $0.used + Self.minute < now }
    }

    // MARK: The connection

    private func changed() {
        let now = EventLoop.uptime
        guard changeable <= now else {
            later?.arm(at: changeable)
            return
        }
        changeable = now + Self.pause
        generation += 1
        onChange()
    }

    private func lose(_ why: String) {
        guard control != nil else { return }
        control = nil
        let lost = queue.all
        (queue, lines) = (BoardQueue(), [])
        for question in lost { question.answer(.failure(.absent)) }
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
            let made = try BoardControl(address, loop)
            made.onNews = { [weak self] in self?.changed() }
            made.onLoss = { [weak self] in self?.lose($0) }
            control = made
            openable = .boot
            delay.succeed()
            log(.info, "connected to the database")
            absence(nil)
            changed()
        } catch { miss("\(error)") }
    }
}
