package import BusClient
import Geofence1
package import Schedules
package import Sentences
package import Systemd
import Time

/// From the daemon's events to the driver's ears: sorts out what was heard already or is too old,
/// writes each line, shows it and has it said, and acknowledges what is done.
@MainActor
package final class AlertRelay {
    private let client: DaemonClient
    private let wording: Wording
    /// Which notices are said, of fences that do not say it.
    private let usual: SayList
    /// When none is; nil for never.
    private let quiet: OpeningHours?
    private let outputs: Outputs
    /// The log that the numbers are of.
    private var log = ""
    /// The greatest number that has been taken on.
    private var taken: UInt64 = 0
    /// Numbers that have been taken on, and are not done.
    private var open: Set<UInt64> = []

    /// What it gives its results to.
    package struct Outputs {
        /// One line for standard output, in English: other programs may read it.
        package var write: @MainActor (String) -> Void
        /// Worth a line in the log.
        package var log: @MainActor (String) -> Void
        /// On the desktop.
        package var show: @MainActor (SpokenAlert) -> Void
        /// Aloud; ``done(_:)`` is called with their numbers, at once or later.
        package var say: @MainActor ([SpokenAlert]) -> Void
        /// Everything up to this number has been dealt with.
        package var acknowledge: @MainActor (UInt64) -> Void

        package init(
            write: @escaping @MainActor (String) -> Void,
            log: @escaping @MainActor (String) -> Void,
            show: @escaping @MainActor (SpokenAlert) -> Void,
            say: @escaping @MainActor ([SpokenAlert]) -> Void,
            acknowledge: @escaping @MainActor (UInt64) -> Void
        ) {
            self.write = write
            self.log = log
            self.show = show
            self.say = say
            self.acknowledge = acknowledge
        }
    }

    /// An older alert is not said: the place is behind.
    private static let freshness = TimeSpan.seconds(60)
    /// Nor is an older notice: what it says is not so any more.
    private static let noticeFreshness = TimeSpan.seconds(15)

    private func freshness(of alert: DriverAlert) -> TimeSpan {
        alert.isAlwaysSaid ? Self.freshness : Self.noticeFreshness
    }

    /// - Parameters:
    ///   - wording: of what is said.
    ///   - usual: which notices of fences that do not say it themselves.
    ///   - quiet: when notices are shown and not said.
    package init(
        _ client: DaemonClient, _ wording: Wording, _ usual: SayList, quiet: OpeningHours?,
        _ outputs: Outputs
    ) {
        self.client = client
        self.wording = wording
        self.usual = usual
        self.quiet = quiet
        self.outputs = outputs
    }

    /// Events as the daemon delivers them. They come again until they are acknowledged.
    package func deliver(_ events: [BusValue]) {
        let alerts = events.compactMap { DriverAlert(bus: $0) }
        if let log = alerts.last?.log, log != self.log {
            // A log that was lost begins another one, whose numbers may be lower.
            self.log = log
            taken = 0
            open = []
        }
        let unknown = alerts.filter { $0.seq > taken && $0.log == log }
        guard let last = unknown.last else { return acknowledge() }
        taken = last.seq
        // Of most fences nobody is told.
        let fresh = unknown.filter { $0.isAnnounced && $0.isSaid(usual) }
        guard !fresh.isEmpty else { return acknowledge() }
        open.formUnion(fresh.map(\.seq))
        if fresh.allSatisfy(isFreshHere) { return say(fresh, status: nil) }
        askForTime(fresh)
    }

    /// Whether it is fresh by the machine's clock.
    private func isFreshHere(_ alert: DriverAlert) -> Bool {
        let now = UTCTime(nanoseconds: EventLoop.wallClock.nanoseconds)
        let bound = freshness(of: alert)
        return now - alert.time <= bound && alert.time - now <= bound
    }

    /// These have been said, or need not be said any more.
    package func done(_ numbers: [UInt64]) {
        open.subtract(numbers)
        acknowledge()
    }

    /// The clocks of the machine and of the receiver disagree, or the alerts are old: the daemon
    /// knows the receiver's time.
    private func askForTime(_ alerts: [DriverAlert]) {
        do throws(ClientError) {
            try client.beginProperties(timeout: .seconds(2)) { [weak self] answer in
                let status = try? DaemonStatus(properties: answer.get())
                self?.say(alerts, status: status)
            }
        } catch { say(alerts, status: nil) }
    }

    /// - Parameter status: nil: a hazard is said in any case, for a missed warning is the worse fault.
    private func say(_ alerts: [DriverAlert], status: DaemonStatus?) {
        var spoken: [SpokenAlert] = []
        var passed: [UInt64] = []
        for alert in alerts {
            let text = "\(alert.kind) \(alert.hazard): \(alert.text(as: .log))"
            if isStale(alert, status) {
                outputs.log("too old to be said: \(text)")
                passed.append(alert.seq)
                continue
            }
            outputs.write(text)
            let what = SpokenAlert(
                seq: alert.seq, stage: alert.stage, hazard: alert.hazard,
                line: SpokenLine(wording) { alert.text(as: $0) },
                shown: alert.text(as: wording.written), time: alert.time,
                following: alert.following,
                until: alert.isAlwaysSaid ? nil : EventLoop.uptime + Self.noticeFreshness)
            outputs.show(what)
            if !alert.isAlwaysSaid, quiet?.isOpen(at: alert.time) == true {
                passed.append(alert.seq)
            } else {
                spoken.append(what)
            }
        }
        if !spoken.isEmpty { outputs.say(spoken) }
        done(passed)
    }

    /// By both clocks. Before the first fix the receiver's cannot tell that one is fresh.
    private func isStale(_ alert: DriverAlert, _ status: DaemonStatus?) -> Bool {
        guard !isFreshHere(alert) else { return false }
        guard let status else { return !alert.isAlwaysSaid }
        return status.age(of: alert.time).map { $0 > freshness(of: alert) } ?? true
    }

    private func acknowledge() {
        let seq = open.min().map { $0 - 1 } ?? taken
        if seq > 0 { outputs.acknowledge(seq) }
    }
}
