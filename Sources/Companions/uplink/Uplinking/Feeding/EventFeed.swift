package import BusClient
import Geofence1
import Model
package import Systemd
import Time

/// The daemon's side of an uplink: reads the log from where the destination has it, into a window,
/// and acknowledges what the destination has.
@MainActor
package final class EventFeed {
    /// Between the daemon's log and the destination; nil until the daemon has told the position.
    package var window: SendWindow?
    /// The id of the log to which the last numbers belong that were read; empty from a daemon without
    /// `log-id`.
    package private(set) var log = ""
    /// The logs of what was read, each from a number on: several where a backup was restored elsewhere.
    private var logs: [(first: UInt64, id: String)] = []
    private let client: DaemonClient
    private let name: String
    private let filter: UplinkFilter
    private let format: EventFormat
    private let handlers: UplinkHandlers
    private let changed: @MainActor () -> Void
    private var endpoint: ConsumerEndpoint?
    private var hint: BusSlot?
    private var acknowledgement: TimerSource?
    /// The last number that was sent, or will be.
    private var previous: UInt64 = 0
    private var isReading = false
    /// Something may have happened since the last page was read.
    private var hasNews = false
    private var acknowledged: UInt64 = 0
    /// When the daemon may be told again.
    private var quiet = Uptime.boot

    /// Numbers that are not for this destination before it is told so.
    private static let mostSkipped: UInt64 = 1000
    /// Numbers after which the daemon is told at once.
    private static let portion: UInt64 = 64

    /// - Parameters:
    ///   - name: the well-known name that this destination has on the bus.
    ///   - isWoken: whether the bus starts the program for events.
    ///   - changed: called when the window has something new, or has become another one.
    package init(
        _ client: DaemonClient, name: String, _ settings: UplinkSettings, isWoken: Bool,
        loop: EventLoop, _ handlers: UplinkHandlers, changed: @escaping @MainActor () -> Void
    ) throws(SystemError) {
        self.client = client
        self.name = name
        filter = settings.filter
        format = settings.format
        self.handlers = handlers
        self.changed = changed
        acknowledgement = try TimerSource(loop, accuracy: .milliseconds(250)) { [weak self] in
            self?.tell()
        }
        hint = try client.onTransition { [weak self] in self?.news() }
        endpoint = try ConsumerEndpoint(
            client, name: name, kinds: nil, isWoken: isWoken,
            after: settings.beginning == .oldest ? 0 : nil, loop: loop,
            .init(
                // The events are read below, a delivery says only that there are some: what it
                // brings may have been filtered, and it comes again with longer and longer pauses.
                deliver: { [weak self] _, _ in self?.news() },
                registered: { [weak self] in self?.findPosition() },
                log: { handlers.log(nil, $0) }, failed: handlers.failed))
    }

    /// Reads on if there is room for more, and something to read.
    package func read() {
        guard let window, window.room > 0, hasNews, !isReading else { return }
        isReading = true
        hasNews = false
        let limit = UInt32(window.room)
        let after = window.read
        begin("read events") { () throws(ClientError) in
            try client.beginEvents(after: after, limit: limit) { [weak self] answer in
                self?.handle(answer, after: after, limit: limit)
            }
        }
    }

    /// Tells the daemon what the destination has: at most once a second, or at once for many.
    package func acknowledge() {
        guard window?.advance() != nil else { return }
        let now = EventLoop.uptime
        if now >= quiet || (window?.position ?? 0) - acknowledged >= Self.portion {
            tell()
        } else {
            acknowledgement?.arm(at: quiet)
        }
    }

    /// Tells the daemon now, before the program ends.
    package func tell() {
        guard let position = window?.position, position > acknowledged else { return }
        acknowledged = position
        quiet = EventLoop.uptime + .seconds(1)
        acknowledgement?.disarm()
        endpoint?.acknowledge(position)
    }

    /// The destination has what the acknowledgement names.
    package func take(_ acknowledgement: BackendAck) {
        for (index, part) in logs.enumerated() where part.id == acknowledgement.log {
            let end = index + 1 < logs.count ? logs[index + 1].first : .max
            window?.acknowledge(
                acknowledgement.ranges.compactMap { range in
                    guard range.upperBound >= part.first, range.lowerBound < end else { return nil }
                    return max(range.lowerBound, part.first)...min(range.upperBound, end - 1)
                })
        }
    }

    /// The log that a number belongs to which was read.
    package func log(of number: UInt64) -> String {
        logs.last { $0.first <= number }?.id ?? log
    }

    private func news() {
        hasNews = true
        changed()
    }

    private func findPosition() {
        begin("read the position") { () throws(ClientError) in
            try client.beginPosition(of: name) { [weak self] answer in
                guard let self else { return }
                switch answer {
                case .success(let position): learnLog(position)
                case .failure(let error): handlers.log(nil, "cannot read the position: \(error)")
                }
            }
        }
    }

    /// A gap is reported with the id of its log, which may no longer have any event.
    private func learnLog(_ position: UInt64?) {
        do throws(ClientError) {
            try client.beginProperties(timeout: .seconds(5)) { [weak self] answer in
                let properties = try? answer.get()
                self?.begin(at: position, properties.map { DaemonStatus(properties: $0) })
            }
        } catch {
            handlers.log(nil, "cannot read the id of the log: \(error)")
            begin(at: position, nil)
        }
    }

    private func begin(at position: UInt64?, _ daemon: DaemonStatus?) {
        isReading = false
        acknowledged = position ?? 0
        if goesOn(at: position, daemon) {
            // What it had heard of it may be less.
            tell()
        } else {
            window = SendWindow(position: acknowledged, namesHoles: format.namesHoles)
            logs = []
            previous = acknowledged
            if let daemon { log = daemon[.logID] }
        }
        news()
    }

    /// Whether a daemon that has started again has the log that was read before: then what is under way
    /// is what it was, and what may have arrived is sent again as it was.
    private func goesOn(at position: UInt64?, _ daemon: DaemonStatus?) -> Bool {
        guard let window, let position, let daemon, !log.isEmpty else { return false }
        return daemon[.logID] == log && daemon[.lastSeq] >= window.read
            && position <= window.position
    }

    private func handle(_ answer: Result<EventLogPage, ClientError>, after: UInt64, limit: UInt32) {
        isReading = false
        guard var window, window.read == after else { return changed() }
        switch answer {
        case .failure(let error):
            // With the next event, or the daemon's next delivery, it is tried again.
            handlers.log(nil, "cannot read events: \(error)")
            return
        case .success(let page):
            add(page, to: &window)
            self.window = window
            // A full page, or the end of a part of the log: there may be more.
            if page.next > after { hasNews = true }
        }
        changed()
    }

    private func add(_ page: EventLogPage, to window: inout SendWindow) {
        if let log = page.log { self.log = log }
        if logs.last?.id != log {
            // Of an empty page before this one.
            logs.removeAll { $0.first > window.read }
            logs.append((window.read + 1, log))
        }
        if page.hasGap {
            let last = page.events.first.map { $0.seq - 1 } ?? page.next
            if last > window.read {
                handlers.log(.lost, "events \(window.read + 1) to \(last) were lost unsent")
                window.add(last, format.body(of: .gap, to: last, log: log, previous: previous))
                previous = last
            }
        }
        for event in page.events where event.seq > window.read {
            guard filter.admits(event),
                let body = format.body(of: event, log: log, previous: previous, filter)
            else {
                window.add(event.seq, nil)
                continue
            }
            window.add(event.seq, body)
            previous = event.seq
        }
        // Events of a kind that this version does not know.
        if page.next > window.read { window.add(page.next, nil) }
        if window.skipped >= Self.mostSkipped { tellSkipped(in: &window) }
    }

    /// The destination takes nothing as long as this event: it is sent without what it can do without,
    /// then as its number alone, and then left out, so that it is not in the way of the others.
    package func shorten(_ number: UInt64, _ why: String) {
        guard let body = window?.body(of: number) else { return }
        let shorter = format.shorter(body)
        window?.replace(number, shorter)
        let what = shorter.map { "sent with \($0.count) bytes instead of \(body.count)" }
        handlers.log(.rejected, "event \(number) was \(what ?? "left out"): \(why)")
    }

    /// Says now what is otherwise said after many: then the daemon has nothing left to bring.
    /// - Returns: whether there was something to say.
    package func tellSkipped() -> Bool {
        guard var window, window.skipped > 0 else { return false }
        tellSkipped(in: &window)
        self.window = window
        return window.skipped == 0
    }

    private func tellSkipped(in window: inout SendWindow) {
        let body = format.body(of: .skip, to: window.read, log: log, previous: previous)
        guard let body else { return }
        window.mark(body)
        previous = window.read
    }

    /// As far as is known, the log has nothing that was not read.
    package var hasReadAll: Bool { window != nil && !hasNews && !isReading }

    /// Everything that the log has was read, and is acknowledged or not for this destination.
    package var isDry: Bool { window?.waiting == 0 && hasReadAll }

    /// Events behind ``SendWindow/position``, of a log whose last number that is; those that are not
    /// for this destination are counted until they were read.
    package func queue(in last: UInt64) -> Int {
        guard let window, !isDry else { return 0 }
        return max(window.waiting, Int(clamping: last - min(last, window.position)))
    }

    private func begin(_ what: String, _ call: () throws(ClientError) -> Void) {
        do throws(ClientError) { try call() } catch {
            isReading = false
            handlers.log(nil, "cannot \(what): \(error)")
        }
    }
}
