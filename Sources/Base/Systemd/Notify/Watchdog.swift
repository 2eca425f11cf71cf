import Time

/// Signs of life for the service manager, given from within the loop: one that hangs gives none.
///
/// sd_event_set_watchdog(3) gives one every quarter of the time the manager waits; this one every
/// half, in a turn of the loop that there is anyway, so that the manager can be asked to wait half as
/// long at the same price.
@MainActor
package final class Watchdog {
    /// How long the manager waits while a disk is slow, and for how long it is told to.
    private static let patience = TimeSpan.seconds(90)
    private static let remembered = TimeSpan.seconds(600)

    private let manager: ServiceManager
    /// How long it waits.
    private let interval: TimeSpan
    private var timer: TimerSource?
    private var last: Uptime
    private var busyUntil: Uptime?

    /// Nil where no watchdog is asked for.
    package init?(_ loop: EventLoop, _ manager: ServiceManager) throws(SystemError) {
        guard let interval = ServiceManager.watchdogInterval else { return nil }
        self.manager = manager
        self.interval = interval
        last = EventLoop.uptime
        timer = try TimerSource(loop, accuracy: interval / 16) { [weak self] in self?.feed() }
        feed()
    }

    /// Something has taken more than a second, such as a write to a slow disk, and will again: the
    /// manager is asked to wait longer. A process that is killed in the middle of a write is not
    /// gone before that ends.
    package func wasBusy() {
        if busyUntil == nil { manager.watchdogPatience(max(interval, Self.patience)) }
        busyUntil = EventLoop.uptime + Self.remembered
    }

    /// To be called before each wait of the loop, see ``AbsenceWatch``.
    package func feedIfDue() {
        if EventLoop.uptime - last >= interval / 2 { feed() }
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
