package import Systemd
package import Time

/// Tells boards, at most once a second, that the database has something new. What that is it does not
/// say: a notification knows no row security.
@MainActor
package final class Announcer {
    private var timer: TimerSource?
    private var due: Uptime?
    private var last = Uptime.boot

    /// What a board listens to.
    package static let channel = "fleet_changed"
    /// Tells them.
    package static let sql = "NOTIFY \(channel)"
    private static let interval = TimeSpan.seconds(1)

    /// - Parameter tell: called from the loop.
    package init(
        _ loop: EventLoop, tell: @escaping @MainActor () -> Void
    ) throws(SystemError) {
        timer = try TimerSource(loop) { [weak self] in
            self?.due = nil
            self?.last = EventLoop.uptime
            tell()
        }
    }

    /// Something was stored: tells it within that time, and no sooner than a second after the last time.
    package func changed(within patience: TimeSpan = .zero) {
        let wanted = max(EventLoop.uptime + patience, last + Self.interval)
        guard due.map({ wanted < $0 }) ?? true else { return }
        due = wanted
        timer?.arm(at: wanted)
    }
}
