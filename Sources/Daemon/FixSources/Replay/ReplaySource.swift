import Model
package import Systemd
import Time

/// A recording as a source of fixes, at its own speed or faster.
///
/// The arrivals are the times of replaying. The caller chooses the engine's clock: at another rate
/// than 1 it must be the clock of the replay.
@MainActor
package final class ReplaySource: FixSource {
    /// A larger step of the recorded time, or a step back, is not waited for.
    private static let longestGap = TimeSpan.seconds(3600)
    /// Reports passed on before other sources of the loop are dispatched.
    private static let reportsPerTurn = 64

    private let loop: EventLoop
    private let path: String
    private let rate: Double
    private let handlers: FixSourceHandlers
    private let settings: ReceiverSettings
    private var reader: TrackReader?
    private var timer: TimerSource?
    private var next: PositionReport?
    /// A moment now, and the corresponding recorded time.
    private var anchor: (here: Uptime, recorded: UTCTime)?
    private var lastRecorded: UTCTime?

    /// `rate` times the recorded speed; 0 is as fast as possible.
    package init(
        _ loop: EventLoop, path: String, rate: Double, _ handlers: FixSourceHandlers,
        _ settings: ReceiverSettings = ReceiverSettings()
    ) {
        self.loop = loop
        self.path = path
        self.rate = rate
        self.handlers = handlers
        self.settings = settings
    }

    package func start() {
        guard timer == nil else { return }
        do {
            timer = try TimerSource(loop, accuracy: .microseconds(1)) { [weak self] in self?.turn()
            }
            reader = try TrackReader(path: path, settings)
        } catch {
            handlers.state(.ended("\(error)"))
            return
        }
        timer?.arm(at: .boot)
        handlers.state(.connected(path))
    }

    package func stop() {
        reader = nil
        timer = nil
        next = nil
    }

    /// What follows the reports of a turn.
    private enum Next {
        case turn(at: Uptime)
        case end(String?)
    }

    private func turn() {
        guard let reader else { return }
        var arrived: [ArrivedReport] = []
        let next = read(from: reader, &arrived)
        if !arrived.isEmpty { handlers.reports(arrived) }
        // The handler may have stopped us.
        guard self.reader != nil else { return }
        switch next {
        case .turn(let time): timer?.arm(at: time)
        case .end(let reason): end(reason)
        }
    }

    /// Reports that are due, at most those of one turn.
    private func read(from reader: TrackReader, _ arrived: inout [ArrivedReport]) -> Next {
        let arrival = loop.wakeUptime
        while arrived.count < Self.reportsPerTurn {
            if next == nil {
                do throws(TrackError) {
                    next = try reader.next()
                } catch {
                    return .end(error.description)
                }
            }
            guard let report = next else { return .end(nil) }
            let due = due(report)
            guard due <= EventLoop.uptime else { return .turn(at: due) }
            next = nil
            lastRecorded = report.time ?? lastRecorded
            arrived.append(ArrivedReport(report, at: arrival))
        }
        return .turn(at: arrival)
    }

    private func end(_ reason: String?) {
        stop()
        handlers.state(.ended(reason))
    }

    /// When a report is due; one without a time goes with the one before it.
    private func due(_ report: PositionReport) -> Uptime {
        let now = EventLoop.uptime
        guard rate > 0, let recorded = report.time else { return now }
        guard let anchor, let lastRecorded, recorded >= lastRecorded,
            recorded - lastRecorded <= Self.longestGap
        else {
            self.anchor = (now, recorded)
            lastRecorded = recorded
            return now
        }
        return anchor.here + .seconds((recorded - anchor.recorded).seconds / rate)
    }
}
