import FixSources
import Systemd
import Time

/// What a source says of itself, on its way to the log and to the bus: every change at once, but of
/// a source that changes without end only so many. Then the last one is told, late, when there is
/// time for it: so what was told last is true whatever a peer makes it say.
@MainActor
final class SourceNews {
    private let tell: @MainActor (FixSourceState) -> Void
    private var timer: TimerSource?
    /// A receiver that is plugged in and out some times is told of at once.
    private var budget = RateBudget(burst: 10, interval: .seconds(6))
    private var told: FixSourceState?
    /// What has not been told yet.
    private var latest: FixSourceState?

    init(_ loop: EventLoop, tell: @escaping @MainActor (FixSourceState) -> Void) throws {
        self.tell = tell
        timer = try TimerSource(loop, accuracy: .milliseconds(50)) { [weak self] in self?.catchUp()
        }
    }

    func hear(_ state: FixSourceState) {
        // Another attempt is no news until it has come to something.
        if case .connecting = state { return }
        latest = nil
        if let told, state.isAlike(told) {
            // That an attempt has failed again is said now and then.
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

    private func catchUp() {
        if let latest { hear(latest) }
    }
}

extension FixSourceState {
    /// The same news, be the next attempt at another time.
    fileprivate func isAlike(_ other: FixSourceState) -> Bool {
        if case (.waiting(let why, _), .waiting(let before, _)) = (self, other) {
            return why == before
        }
        return self == other
    }
}
