package import Monitoring
package import Systemd
import Time

/// Drives the changes of the catalogue from the loop, as long as it lives: in portions, and with time
/// for everything else in between, which a deferred source would leave one turn only.
@MainActor
package final class ChangeTurns {
    /// The time limit of one portion.
    static let portion = TimeSpan.milliseconds(10)
    private static let pause = TimeSpan.milliseconds(2)
    private var timer: TimerSource?

    /// - Parameter changes: carried out after each ``arm()``.
    package init(_ changes: CatalogueQueue, on loop: EventLoop) throws(SystemError) {
        timer = try TimerSource(loop, accuracy: .microseconds(1)) { [changes] in
            let start = EventLoop.uptime
            changes.turn { EventLoop.uptime - start >= Self.portion }
        }
    }

    /// There is something to do, see ``Notice/changesWaiting``.
    package func arm() { timer?.arm(at: EventLoop.uptime + Self.pause) }
}
