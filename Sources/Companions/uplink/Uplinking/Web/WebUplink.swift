package import BusClient
import HTTP
import JSON
package import Settings
package import Systemd
import Time

/// Events to a server by HTTP, one request at a time, so that they arrive in order: each is
/// acknowledged when the server has answered that it has it.
@MainActor
package final class WebUplink: EventUplink {
    private let destination: WebDestination
    private let handlers: UplinkHandlers
    private let session: WebSession
    private let keys: [[UInt8]]
    private var feed: EventFeed?
    private var again: TimerSource?
    private var network: NetworkWatch?
    private var presence: DaemonPresence?
    /// Armed while there is nothing to do; nil: it stays.
    private var idle: TimerSource?
    private var delay = RetryDelay()
    private var line = StatusLine()
    /// What is wrong; nil: nothing.
    private var trouble: UplinkState?
    /// Not before this time; nil: as soon as there is something.
    private var notBefore: Uptime?
    /// The wait is about the network, and not about us.
    private var isPassing = false
    private var isBusy = false
    private var isStopping = false
    /// Events of one request: one, after the server has rejected several.
    private var most: Int
    /// Bytes of one request.
    private var limit = BatchLimit()
    /// Events that were left out since one was taken: where nothing is taken, no event is to blame.
    private var skipped = 0
    /// The last event that was refused after ``skipped`` others, and waits for another try.
    private var suspect: UInt64?
    /// Since something was taken.
    private var failures = 0
    /// What may have arrived, for its answer has not: it is sent again as it was, by its id and in its
    /// content. A receiver that has it under that id would take a part of it, or more than it, for
    /// something new.
    private var unsure: SendWindow.Batch?
    /// Answers in a row that broke off.
    private var breaks = 0
    /// By which the server's clock is ahead of ours: a box may not know the time.
    private var clockError = TimeSpan.zero
    /// Tokens or the time were wrong, and were renewed for the present attempt.
    private var isSecondTry = false

    /// Events that are left out one after the other without a pause.
    private static let mostSkipped = 16
    /// Failures with the same number of events in a request.
    private static let mostFailures = 3
    /// The same of what may have arrived: many times, before it is perhaps too much at once.
    private static let mostRepeats = 10

    /// - Parameter name: the well-known name of this destination on the bus.
    /// - Throws: ``BadValue`` for a credential that is not there, or ``SystemError``.
    package init(
        _ client: DaemonClient, name: String, _ settings: UplinkSettings,
        _ destination: WebDestination, _ credentials: Credentials, loop: EventLoop,
        _ handlers: UplinkHandlers
    ) throws {
        self.destination = destination
        self.handlers = handlers
        session = try WebSession(destination, credentials, loop: loop)
        keys = try destination.keys(credentials)
        switch destination.service {
        case .hook: most = destination.most
        case .table, .query: most = 1
        }
        again = try TimerSource(loop, accuracy: .milliseconds(250)) { [weak self] in self?.pump() }
        feed = try EventFeed(
            client, name: name, settings, isWoken: destination.idleSeconds != nil, loop: loop,
            handlers
        ) { [weak self] in self?.pump() }
        if destination.idleSeconds != nil {
            idle = try TimerSource(loop, accuracy: .seconds(1)) { [weak self] in self?.rest() }
        }
        network = try NetworkWatch(loop) { [weak self] in self?.hurry() }
        presence = try DaemonPresence(client.connection, loop: loop) { [weak self] _ in
            self?.tellStatus()
        }
    }

    package func stop() {
        isStopping = true
        session.cancel()
        feed?.tell()
        handlers.stopped()
    }

    /// The network is up again.
    private func hurry() {
        guard isPassing, notBefore != nil else { return }
        notBefore = nil
        pump()
    }

    /// Settles what has been acknowledged, sends what is due, and reads on.
    private func pump() {
        feed?.acknowledge()
        feed?.read()
        defer {
            watchIdle()
            tellStatus()
        }
        guard !isBusy, !isStopping else { return }
        if case .held = trouble { return }
        let now = EventLoop.uptime
        if let notBefore, now < notBefore {
            again?.arm(at: notBefore)
            return
        }
        notBefore = nil
        guard let batch = next(at: now) else { return }
        isBusy = true
        // What is under way is not sent twice; whether it is sent again is decided by its answer.
        feed?.window?.sent(batch, id: 1, at: now)
        post(batch)
    }

    /// What is sent now; an event that is too large is shortened first.
    private func next(at now: Uptime) -> SendWindow.Batch? {
        if let unsure, feed?.window?.holds(unsure) == true { return unsure }
        unsure = nil
        while let batch = feed?.window?.next(at: now, most: most, bytes: limit.bytes) {
            guard limit.isExceeded(by: batch) else { return batch }
            feed?.shorten(batch.numbers[0], "\(destination.address.host) takes less")
        }
        feed?.acknowledge()
        return nil
    }

    private func watchIdle() {
        guard let idle, let seconds = destination.idleSeconds else { return }
        if isBusy || feed?.isDry != true {
            idle.disarm()
        } else if !idle.isEnabled {
            idle.arm(at: EventLoop.uptime + .seconds(seconds))
        }
    }

    /// There was nothing to do for long: the bus starts us for the next event.
    private func rest() {
        guard !isBusy, !isStopping, feed?.isDry == true else { return }
        // The daemon would bring again and again what is not for this destination.
        if feed?.tellSkipped() == true { return pump() }
        stop()
    }

    private func post(_ batch: SendWindow.Batch) {
        let request: HTTPRequest
        switch destination.service {
        case .hook(let box, _):
            request = HookRequest.make(
                batch, to: destination.address, box, log: feed?.log(of: batch.numbers[0]) ?? "",
                isBatched: destination.isBatched, keys: keys, time: serverTime)
        case .table(let table):
            guard let address = try? destination.address.appending(path: table.entitySet) else {
                return hold("EntitySet= makes no address")
            }
            var post = HTTPRequest(address)
            post.fields = table.fields
            post.body = batch.bodies[0]
            request = post
        case .query:
            // Reading has percent-encoded it.
            let query = String(decoding: batch.bodies[0], as: UTF8.self)
            let mark = destination.address.text.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
            guard let address = try? WebAddress(destination.address.text + mark + query) else {
                return hold("Query= makes no address")
            }
            request = HTTPRequest(address)
        }
        var isGuarded = false
        if case .table = destination.service { isGuarded = true }
        session.send(request, isGuarded: isGuarded) { [weak self] outcome in
            self?.handle(outcome, batch)
        }
    }

    private func handle(_ outcome: WebSession.Outcome, _ batch: SendWindow.Batch) {
        guard !isStopping else { return }
        switch outcome {
        case .failure(.unanswered(let error)):
            // It may break off because it has had enough.
            breaks = error.kind == .broken ? breaks + 1 : 0
            limit.suspect(batch, after: breaks)
            let isRefusal = error.isRefusal
            if !isRefusal, error.kind != .unreachable { unsure = batch }
            fail(
                isRefusal ? .refused(error.reason) : .noNetwork(error.reason), .passing,
                isPassing: !isRefusal)
        case .failure(.denied(let why)): fail(.denied(why), .denial)
        case .success(let answer):
            let wasWrong = correctClock(answer)
            handle(answer, batch, wasWrong)
        }
    }

    private func handle(_ answer: HTTPResponse, _ batch: SendWindow.Batch, _ wasWrong: Bool) {
        let why = "\(answer.status) from \(destination.address.host)"
        switch WebVerdict(answer, now: serverTime) {
        case .taken: succeed()
        case .later(let wait):
            // A gateway that has waited for the server in vain does not know either.
            if answer.status >= 500, answer.status != 503 { unsure = batch }
            fail(.refused(why), .passing, asked: wait)
        case .gone: hold(why)
        case .tooLarge:
            unsure = nil
            limit.refuse(batch)
            release()
        case .needsToken where !isSecondTry: tryAgain(batch)
        case .denied where !isSecondTry && (wasWrong || session.hasAccessToken): tryAgain(batch)
        case .rejected where !isSecondTry && wasWrong: tryAgain(batch)
        case .needsToken: fail(.denied(why), .denial)
        // Servers say 403 of a second entity with the same key, too.
        case .denied where answer.status == 403:
            find(batch) { [weak self] in self?.fail(.denied(why), .denial) }
        case .denied: fail(.denied(why), .denial)
        case .rejected: find(batch) { [weak self] in self?.reject(batch, why) }
        }
    }

    /// At once, with new tokens and the right time.
    private func tryAgain(_ batch: SendWindow.Batch) {
        isSecondTry = true
        session.forgetTokens()
        post(batch)
    }

    /// An entity that cannot be made may be there already: then its event has arrived.
    /// - Parameter otherwise: called if it is not.
    private func find(
        _ batch: SendWindow.Batch, otherwise: @escaping @MainActor () -> Void
    ) {
        guard case .table(let table) = destination.service,
            let path = table.path(of: batch.bodies[0]),
            let address = try? destination.address.appending(path: path)
        else { return otherwise() }
        var request = HTTPRequest(address)
        request.fields = [("Accept", "application/json")]
        session.send(request, isGuarded: false) { [weak self] outcome in
            guard let self, !isStopping else { return }
            switch outcome {
            case .success(let answer) where answer.status == 200: succeed()
            case .success(let answer)
            where (400..<500).contains(answer.status) && ![408, 425, 429].contains(answer.status):
                otherwise()
            // Nothing is known of the event.
            case .success(let answer):
                fail(.refused("\(answer.status) from \(destination.address.host)"), .passing)
            case .failure(.unanswered(let error)): fail(.noNetwork(error.reason), .passing)
            case .failure(.denied(let why)): fail(.denied(why), .denial)
            }
        }
    }

    private func reject(_ batch: SendWindow.Batch, _ why: String) {
        unsure = nil
        guard batch.numbers.count == 1 else {
            // Which of them it is, is found out by sending them one by one.
            most = 1
            return release()
        }
        let number = batch.numbers[0]
        guard destination.rejection == .skip, skipped < Self.mostSkipped || suspect == number else {
            suspect = number
            return fail(.refused("\(why): event \(number)"), .denial)
        }
        handlers.log(.rejected, "event \(number) was left out: \(why)")
        skipped += 1
        feed?.window?.arrived(1)
        // The pauses of a destination that takes nothing become longer and longer.
        if skipped <= Self.mostSkipped { trouble = nil }
        release()
    }

    private func succeed() {
        feed?.window?.arrived(1)
        skipped = 0
        failures = 0
        breaks = 0
        unsure = nil
        suspect = nil
        trouble = nil
        delay.succeed()
        if case .hook = destination.service { most = min(most * 2, destination.most) }
        release()
    }

    private func fail(
        _ state: UplinkState, _ failure: RetryDelay.Failure, asked wait: TimeSpan? = nil,
        isPassing: Bool = false
    ) {
        trouble = state
        self.isPassing = isPassing
        failures += 1
        // Whatever it says: perhaps it takes fewer at once.
        if failures >= (unsure == nil ? Self.mostFailures : Self.mostRepeats) {
            most = max(1, most / 2)
            unsure = nil
        }
        if failure == .denial { session.forgetTokens() }
        let random = Double.random(in: 0...1)
        let own = delay.next(after: failure, random: random)
        notBefore = EventLoop.uptime + (wait.map { RetryDelay.asked($0, random: random) } ?? own)
        release()
    }

    private func hold(_ why: String) {
        trouble = .held(why)
        release()
    }

    /// The request is over; what was not taken is sent again, in order.
    private func release() {
        isBusy = false
        isSecondTry = false
        feed?.window?.begin()
        pump()
    }

    private var serverTime: UTCTime {
        UTCTime(nanoseconds: EventLoop.wallClock.nanoseconds) + clockError
    }

    /// Returns whether the time that we have told was far off.
    private func correctClock(_ answer: HTTPResponse) -> Bool {
        guard let time = answer.field("date").flatMap(HTTPDate.time) else { return false }
        let error = time - UTCTime(nanoseconds: EventLoop.wallClock.nanoseconds)
        defer { clockError = error }
        return abs((error - clockError).wholeSeconds) > 60
    }

    private func tellStatus() {
        let waiting = feed?.window?.waiting ?? 0
        let absence = presence.flatMap { UplinkState($0.state) }
        let state = trouble ?? absence ?? (waiting > 0 ? .draining : .idle)
        guard let change = line.change(to: state, until: notBefore, feed?.window) else { return }
        handlers.status(change.text)
        if change.isNews { handlers.log(state.isTrouble ? .trouble : nil, state.text) }
    }
}

extension EntityTable {
    /// Header fields of a POST.
    var fields: [(name: String, value: String)] {
        let json = [("Content-Type", "application/json"), ("Accept", "application/json")]
        switch version {
        case .two:
            return json + [("DataServiceVersion", "2.0"), ("MaxDataServiceVersion", "2.0")]
        case .four:
            let versions = [("OData-Version", "4.0"), ("OData-MaxVersion", "4.01")]
            return json + versions + [("Prefer", "return=minimal")]
        }
    }
}
