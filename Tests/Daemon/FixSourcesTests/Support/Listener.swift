import Engine
import Time

@testable import FixSources

/// Keeps what a source says.
@MainActor
final class Listener {
    private(set) var reports: [PositionReport] = []
    private(set) var arrivals: [Uptime] = []
    private(set) var states: [FixSourceState] = []
    /// Between when and when each report came that had waited.
    private(set) var waited: [ClosedRange<Uptime>] = []
    /// Says when that was.
    var onWaited: (@MainActor (PositionReport, ClosedRange<Uptime>) -> Uptime)?
    /// Called with every report, to do something from within a handler.
    var onReport: (@MainActor () -> Void)?

    var handlers: FixSourceHandlers {
        FixSourceHandlers(
            report: { [self] report, arrival in
                reports.append(report)
                arrivals.append(arrival)
                onReport?()
            },
            state: { [self] in states.append($0) },
            waited: { [self] report, interval in
                waited.append(interval)
                return onWaited?(report, interval) ?? interval.upperBound
            })
    }

    /// Whether the last state is that it waits, and why.
    var waitsBecause: String? {
        if case .waiting(let reason, _) = states.last { reason } else { nil }
    }

    /// Whether it has waited for this reason.
    func waited(because reason: String) -> Bool {
        states.contains { if case .waiting(reason, _) = $0 { true } else { false } }
    }
}
