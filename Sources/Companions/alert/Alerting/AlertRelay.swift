package import BusClient
package import Sentences
package import Systemd
import Time

/// From the daemon's events to the driver's ears: sorts out what was heard already or is too old,
/// writes each line, shows it and has it said, and acknowledges what is done.
@MainActor
package final class AlertRelay {
    private let client: DaemonClient
    private let wording: Wording
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

    /// - Parameter wording: of what is said.
    package init(_ client: DaemonClient, _ wording: Wording, _ outputs: Outputs) {
        self.client = client
        self.wording = wording
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
        let fresh = alerts.filter { $0.seq > taken && $0.log == log }
        guard let last = fresh.last else { return acknowledge() }
        taken = last.seq
        open.formUnion(fresh.map(\.seq))
        if fresh.allSatisfy(isFreshHere) { return say(fresh, status: nil) }
        askForTime(fresh)
    }

    /// Whether it is fresh by the machine's clock.
    private func isFreshHere(_ alert: DriverAlert) -> Bool {
        let now = UTCTime(nanoseconds: EventLoop.wallClock.nanoseconds)
        return now - alert.time <= Self.freshness && alert.time - now <= Self.freshness
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

    /// - Parameter status: nil: said in any case, for a missed warning is the worse fault.
    private func say(_ alerts: [DriverAlert], status: DaemonStatus?) {
        var spoken: [SpokenAlert] = []
        var passed: [UInt64] = []
        for alert in alerts {
            let text = "\(alert.stage.name) \(alert.hazard): \(alert.text(as: .log))"
            guard alert.isAnnounced else {
                passed.append(alert.seq)
                continue
            }
            if let status, isStale(alert, status) {
                outputs.log("too old to be said: \(text)")
                passed.append(alert.seq)
                continue
            }
            outputs.write(text)
            let what = SpokenAlert(
                seq: alert.seq, stage: alert.stage, hazard: alert.hazard,
                line: SpokenLine(wording) { alert.text(as: $0) },
                shown: alert.text(as: wording.written), time: alert.time,
                following: alert.following)
            outputs.show(what)
            spoken.append(what)
        }
        if !spoken.isEmpty { outputs.say(spoken) }
        done(passed)
    }

    /// By both clocks. Before the first fix the receiver's cannot tell that one is fresh.
    private func isStale(_ alert: DriverAlert, _ status: DaemonStatus) -> Bool {
        guard !isFreshHere(alert) else { return false }
        return status.age(of: alert.time).map { $0 > Self.freshness } ?? true
    }

    private func acknowledge() {
        let seq = open.min().map { $0 - 1 } ?? taken
        if seq > 0 { outputs.acknowledge(seq) }
    }
}
