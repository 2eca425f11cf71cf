import Geofence1
package import Systemd
package import Time

/// Whether the daemon is there, and of one that is not, whether a person wanted that: what the bus and
/// the service manager know, which every user may ask.
///
/// A name without an owner is looked into after ten seconds, so that restarts and upgrades are nothing.
@MainActor
package final class DaemonPresence {
    /// What is so.
    package enum State: Equatable, Sendable {
        /// It has its name, or lost it less than ten seconds ago.
        case running
        /// The service manager starts, stops or restarts it.
        case starting
        /// It was stopped, or is switched off: a person wanted that.
        case stopped(since: Uptime)
        /// Nobody has its name, and nobody wanted that: it fails at each start, it was removed, or it
        /// has lost the bus.
        case noDaemon(since: Uptime)

        /// Its word for others; nil where nothing is to be told.
        package var word: String? {
            switch self {
            case .running, .starting: nil
            case .stopped: "stopped"
            case .noDaemon: "no-daemon"
            }
        }

        /// Since when it is not there; nil where nothing is to be told.
        package var since: Uptime? {
            switch self {
            case .running, .starting: nil
            case .stopped(let since), .noDaemon(let since): since
            }
        }
    }

    /// Its unit.
    package static let unit = "geofenced.service"
    /// A name may be without an owner for so long.
    private static let patience = TimeSpan.seconds(10)
    /// Between two looks at a unit whose daemon is not there, the longer the longer the same is so: that
    /// it has come back is heard from the bus.
    private static let pause = DoublingDelay(first: .seconds(5), limit: .seconds(30))

    /// What is so, as it was told last; running until the bus says something else.
    package private(set) var state = State.running
    private let connection: BusConnection
    private let handler: @MainActor (State) -> Void
    private var watch: BusSlot?
    private var timer: TimerSource?
    private var question: PendingCall?
    private var isOwned = true
    /// When the name was lost, as far as is known.
    private var lostAt = Uptime.boot
    /// Looks since what is so was told.
    private var looks: Int64 = 0
    /// The process that was starting at the last look, after the one before had ended by itself.
    private var attempt: UInt64?

    /// - Parameter handler: called from the loop at each change.
    package init(
        _ connection: BusConnection, loop: EventLoop, handler: @escaping @MainActor (State) -> Void
    ) throws(SystemError) {
        self.connection = connection
        self.handler = handler
        timer = try TimerSource(loop, accuracy: .milliseconds(250)) { [weak self] in self?.look() }
        watch = try connection.watchName(Geofence1.name) { [weak self] owner in
            self?.owned(owner != nil)
        }
    }

    private func owned(_ isOwned: Bool) {
        self.isOwned = isOwned
        question?.cancel()
        attempt = nil
        guard !isOwned else {
            timer?.disarm()
            return become(.running)
        }
        lostAt = EventLoop.uptime
        timer?.arm(at: lostAt + Self.patience)
    }

    private func look() {
        question?.cancel()
        // A service manager that is busy is not one that does not answer.
        question = try? connection.call(
            Self.unitProperties, "GetAll", [.string("")], timeout: Self.patience, activates: false
        ) { [weak self] answer in
            self?.judge((try? answer.get().values())?.first?.asDictionary ?? [:])
        }
        if question == nil { judge([:]) }
    }

    /// - Parameter unit: its properties; empty where no service manager answers.
    private func judge(_ unit: [String: BusValue]) {
        guard !isOwned else { return }
        defer {
            looks = state.word == nil ? 1 : looks + 1
            timer?.arm(at: EventLoop.uptime + Self.pause.after(looks))
        }
        let before = attempt
        attempt = nil
        let isQueued = unit["Job"]?.asStructure?.first?.asUInt64 ?? 0 > 0
        let leftAt = unit["ActiveExitTimestampMonotonic"]?.asUInt64 ?? 0
        let since = leftAt > 0 ? min(.byMonotonicClock(microseconds: leftAt), lostAt) : lostAt
        switch unit["ActiveState"]?.asString ?? "" {
        case "deactivating": become(.starting)
        case "activating" where unit["SubState"]?.asString?.hasPrefix("auto-restart") == true:
            // It waits for the next attempt, or is seen between two of many.
            become(.noDaemon(since: since))
        case "activating" where unit["NRestarts"]?.asUInt64 ?? 0 == 0: become(.starting)
        case "activating":
            // Started again after it had ended by itself: once, slowly, is no failure.
            let process = unit["MainPID"]?.asUInt64 ?? 0
            let isFirst = process > 0 && (before == nil || before == process)
            guard isFirst, state.word == nil else { return become(.noDaemon(since: since)) }
            attempt = process
            become(.starting)
        case "inactive" where isQueued: become(.starting)
        case "inactive", "failed":
            become(Self.isWanted(unit) ? .stopped(since: since) : .noDaemon(since: since))
        default: become(.noDaemon(since: since))
        }
    }

    /// Whether a person wanted the unit, which does not run, to be so.
    private static func isWanted(_ unit: [String: BusValue]) -> Bool {
        // With Restart=always nothing else ends it for good; a stop that takes too long is a stop.
        let isOrderly = ["success", "timeout"].contains(unit["Result"]?.asString ?? "")
        guard isOrderly, unit["LoadState"]?.asString != "not-found" else { return false }
        if unit["ActiveExitTimestamp"]?.asUInt64 ?? 0 > 0 { return true }
        return ["disabled", "masked", "masked-runtime"].contains(
            unit["UnitFileState"]?.asString ?? "")
    }

    private func become(_ fresh: State) {
        guard fresh != state else { return }
        if let told = state.word, fresh != .running {
            // It ends when the name has an owner, and not with an attempt; since when is said once.
            guard let word = fresh.word, word != told else { return }
        }
        state = fresh
        looks = 0
        handler(fresh)
    }

    private static let unitProperties = BusPeer(
        destination: "org.freedesktop.systemd1",
        path: "/org/freedesktop/systemd1/unit/geofenced_2eservice",
        interface: "org.freedesktop.DBus.Properties")
}
