import Model
import Time

@testable import FixSources

/// Records the output of a source.
@MainActor
final class Listener {
    private(set) var reports: [PositionReport] = []
    private(set) var arrivals: [Uptime] = []
    /// How often reports were delivered.
    private(set) var bursts = 0
    private(set) var states: [FixSourceState] = []
    /// The arrival interval of each report that had waited.
    private(set) var waited: [ClosedRange<Uptime>] = []
    /// Positions that could not be read.
    private(set) var unreadable = 0
    /// Called with reports that arrived together, to act from within a handler.
    var onReport: (@MainActor () -> Void)?

    var handlers: FixSourceHandlers {
        FixSourceHandlers(
            reports: { [self] arrived in
                bursts += 1
                reports += arrived.map(\.report)
                arrivals += arrived.map(\.arrival.upperBound)
                waited += arrived.map(\.arrival).filter { $0.lowerBound < $0.upperBound }
                onReport?()
            },
            state: { [self] in states.append($0) },
            unreadable: { [self] in unreadable += $0 })
    }

    /// Whether the last state is waiting, and why.
    var waitsBecause: String? {
        if case .waiting(let reason, _) = states.last { reason } else { nil }
    }

    /// Whether it has waited for this reason.
    func waited(because reason: String) -> Bool {
        states.contains { if case .waiting(reason, _) = $0 { true } else { false } }
    }
}
