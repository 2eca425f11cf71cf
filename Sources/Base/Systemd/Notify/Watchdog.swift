package import Time

/// Feeds the service manager's watchdog from within the loop: a loop that hangs does not.
///
/// sd_event_set_watchdog(3) feeds it every quarter of its timeout; this every half, in a turn of
/// the loop that happens anyway, so that the timeout can be half as long at the same cost.
@MainActor
package final class Watchdog {
    /// The watchdog's timeout while a disk is slow, and for how long that applies after the last
    /// time.
    private static let patience = TimeSpan.seconds(90)
    private static let remembered = TimeSpan.seconds(600)

    private let manager: ServiceManager
    /// The normal timeout.
    private let interval: TimeSpan
    private var timer: TimerSource?
    private var last: Uptime
    private var busyUntil: Uptime?

    /// Nil if no watchdog is configured.
    package init?(_ loop: EventLoop, _ manager: ServiceManager) throws(SystemError) {
        guard let interval = ServiceManager.watchdogInterval else { return nil }
        self.manager = manager
        self.interval = interval
        last = EventLoop.uptime
        timer = try TimerSource(loop, accuracy: interval / 16) { [weak self] in self?.feed() }
        feed()
    }

    /// Something has taken more than a second, such as a write to a slow disk, and will again: asks
    /// the manager for a longer timeout. A process that is killed during a write does not exit
    /// before the write ends.
    package func wasBusy() {
        if busyUntil == nil { manager.watchdogPatience(max(interval, Self.patience)) }
        busyUntil = EventLoop.uptime + Self.remembered
    }

    /// To be called before each wait of the loop, see ``AbsenceWatch``.
    package func feedIfDue(at now: Uptime) {
        if now - last >= interval / 2 { feed() }
    }

    private func feed() {
        last = EventLoop.uptime
        manager.watchdog()
        if let until = busyUntil, last >= until {
            busyUntil = nil
            manager.watchdogPatience(interval)
        }
        timer?.arm(at: last + interval / 4 * 3 - interval / 16)
    }
}
