import BusClient
import Geofence1
import Model
import SharedLimits
import Systemd
import Time

/// The retained status of a box: all of it is said with each connection, each start of the daemon and
/// each change, and now and then while nothing changes.
@MainActor
final class StatusReports {
    /// What it is about, and where it goes.
    struct Link {
        /// What the uplink is doing.
        var state: () -> UplinkState
        /// Events that wait, of a log whose last number that is.
        var waiting: (UInt64) -> Int
        /// Bytes that the broker takes; nil: any.
        var longest: () -> Int?
        /// Sends it; false where that cannot be.
        var publish: ([UInt8]) -> Bool
    }

    private let client: DaemonClient
    private let version: String
    private let link: Link
    private var timer: TimerSource?
    private var slots: [BusSlot] = []
    private var sources: SourceWatch?
    private var isOn = false
    private var isAsking = false
    /// Something has changed since the daemon was asked last.
    private var hasNews = false
    /// Of this connection. Nil: not sent.
    private var published: PublishedStatus?
    /// When it is looked at next; nil: not planned.
    private var due: Uptime?
    private var since = SinceWhen()
    /// What the daemon said last.
    private var known: DaemonStatus?
    /// What it had last of the sets that geofenced-sync has given it; nil: it has not said.
    private var origins: [OriginSummary]?
    /// Since when a daemon that has its name does not answer.
    private var silent: Uptime?

    /// From a question without an answer to the next.
    private static let pause = TimeSpan.seconds(10)

    /// - Parameter version: of this program.
    init(
        _ client: DaemonClient, version: String, loop: EventLoop, _ link: Link
    ) throws(SystemError) {
        self.client = client
        self.version = version
        self.link = link
        timer = try TimerSource(loop, accuracy: .seconds(1)) { [weak self] in self?.publish() }
        slots = [
            try client.onChange(of: ["Degraded", "Generation", "LogId"]) { [weak self] in
                self?.isOld()
            },
            try client.onArrival { [weak self] in self?.isOld() },
        ]
        sources = SourceWatch(loop, directory: SourceStatus.directory) { [weak self] in
            self?.isOld()
        }
    }

    /// The connection is new, and may be written to.
    func begin() {
        isOn = true
        published = nil
        publish()
    }

    /// It cannot.
    func stop() {
        isOn = false
        due = nil
        timer?.disarm()
    }

    /// What was published says something that is no longer so.
    private func isOld() {
        hasNews = true
        published?.isOld = true
        changed()
    }

    /// The state of the uplink may have changed. Several changes at once are one status, an event that is
    /// acknowledged soon is none; and geofenced-sync tells of a set a little later than the daemon does.
    func changed() {
        let (word, now) = (link.state().word, EventLoop.uptime)
        since.note(word, at: now)
        guard isOn, let timer else { return }
        if let published, published.isTrue(of: word) {
            guard due != published.next else { return }
            due = published.next
        } else {
            let soon = now + PublishedStatus.delay
            guard due.map({ $0 > soon }) ?? true else { return }
            due = soon
        }
        if let due { timer.arm(at: due) }
    }

    private func publish() {
        due = nil
        guard isOn, !isAsking else { return }
        hasNews = false
        let state = link.state()
        guard state.absence == nil else { return tell(state) }
        isAsking = true
        do throws(ClientError) {
            try client.beginProperties(timeout: .seconds(5)) { [weak self] in self?.take($0) }
        } catch { take(.failure(error)) }
    }

    private func take(_ answer: Result<[String: BusValue], ClientError>) {
        let now = EventLoop.uptime
        switch answer {
        case .success(let properties):
            silent = nil
            let status = DaemonStatus(properties: properties)
            since.note(status[.degraded], at: now)
            known = status
            askOrigins()
        case .failure(let error):
            isAsking = false
            // One that is not there is looked into by ``DaemonPresence``.
            silent = error.isUnanswered ? silent ?? now : nil
            guard isOn else { return }
            if let silent, now - silent >= Self.pause {
                tell(.noDaemon(silent))
            }
            due = now + Self.pause
            timer?.arm(at: now + Self.pause)
        }
    }

    /// Whether a set is still as it was given, the daemon alone knows.
    private func askOrigins() {
        guard !SourceStatus.all(in: SourceStatus.directory).isEmpty else {
            return takeOrigins(nil)
        }
        do throws(ClientError) {
            try client.beginOrigins(timeout: .seconds(5)) { [weak self] in self?.takeOrigins($0) }
        } catch { takeOrigins(nil) }
    }

    private func takeOrigins(_ origins: [OriginSummary]?) {
        isAsking = false
        if let origins { self.origins = origins }
        if isOn { tell(link.state()) }
    }

    private func tell(_ state: UplinkState) {
        let now = EventLoop.uptime
        // It may have changed while the daemon answered.
        defer { changed() }
        let waiting = known.map { link.waiting($0[.lastSeq]) }
        guard published?.look(state.word, waiting: waiting ?? 0, at: now) ?? true else { return }
        since.note(state.word, at: now)
        var troubles: [String: UTCTime] = [:]
        for word in known?[.degraded] ?? [] { troubles[word] = since.of(word)?.byWallClock }
        var sources = self.sources?.tell() ?? []
        if let origins { sources = SourceStatus.compared(sources, with: origins) }
        let body = StatusBody(
            state: state.word, since: (state.absence ?? since.ofState ?? now).byWallClock,
            time: now.byWallClock, daemon: known, isThere: state.absence == nil, troubles: troubles,
            waiting: waiting, version: version, sources: sources)
        guard link.publish(body.bytes(most: min(SharedLimits.status, link.longest() ?? .max)))
        else {
            return
        }
        published = PublishedStatus(state.word, waiting: waiting ?? 0, at: now)
        published?.isOld = hasNews
    }
}
