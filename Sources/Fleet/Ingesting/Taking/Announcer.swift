package import Systemd
import Time

/// Tells boards, at most once a second, that the database has something new. What that is it does not
/// say: a notification knows no row security.
@MainActor
package final class Announcer {
    private var timer: TimerSource?
    private var isDue = false
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
            self?.isDue = false
            self?.last = EventLoop.uptime
            tell()
        }
    }

    /// Something was stored: tells it at once, or a second after the last time.
    package func changed() {
        guard !isDue else { return }
        isDue = true
        timer?.arm(at: max(EventLoop.uptime, last + Self.interval))
    }
}
