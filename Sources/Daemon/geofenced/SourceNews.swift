import FixSources
import Systemd
import Time

/// Passes a source's state changes to the log and the bus: every change at once, but at a limited
/// rate. Above it, the last state is reported later: so the state reported last is always true,
/// whatever a peer does.
@MainActor
final class SourceNews {
    private let tell: @MainActor (FixSourceState) -> Void
    private var timer: TimerSource?
    /// A receiver that is plugged in and out a few times is reported at once.
    private var budget = RateBudget(burst: 10, interval: .seconds(6))
    private var told: FixSourceState?
    /// The state that has not been reported yet.
    private var latest: FixSourceState?
    /// An attempt has no result yet.
    private var isTrying = false

    init(_ loop: EventLoop, tell: @escaping @MainActor (FixSourceState) -> Void) throws {
        self.tell = tell
        timer = try TimerSource(loop, accuracy: .milliseconds(50)) { [weak self] in self?.catchUp()
        }
    }

    func hear(_ state: FixSourceState) {
        // Another attempt is not reported before its result.
        if case .connecting = state {
            isTrying = true
            return
        }
        isTrying = false
        latest = nil
        if let told, state.isAlike(told) {
            // Repeated failures are reported from time to time.
            if case .waiting = state { tell(state) }
            return
        }
        guard budget.take(at: EventLoop.uptime) else {
            latest = state
            timer?.arm(at: budget.next)
            return
        }
        told = state
        tell(state)
    }

    /// The source is stopped now: an attempt that has no result has failed. So has one to reach a
    /// gpsd that hangs: it takes a connection, and never greets.
    func gaveUp() {
        if isTrying { hear(.waiting("no answer", until: EventLoop.uptime)) }
    }

    private func catchUp() {
        if let latest { hear(latest) }
    }
}

extension FixSourceState {
    /// The same state, even if the next attempt is at another time.
    fileprivate func isAlike(_ other: FixSourceState) -> Bool {
        if case (.waiting(let why, _), .waiting(let before, _)) = (self, other) {
            return why == before
        }
        return self == other
    }
}
