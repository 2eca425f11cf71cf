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
    /// The timeout while the program rests.
    private static let rest = TimeSpan.seconds(300)

    private let manager: ServiceManager
    /// The normal timeout.
    private let interval: TimeSpan
    private var timer: TimerSource?
    private var last: Uptime
    private var busyUntil: Uptime?

    /// The program waits for minutes at a time, and must not be woken to feed: asks the manager for
    /// a longer timeout, and feeds in the turns of the loop that happen anyway.
    package var isResting = false {
        didSet {
            guard isResting != oldValue else { return }
            manager.watchdogPatience(timeout)
            feed()
        }
    }

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
        let isNew = busyUntil == nil
        busyUntil = EventLoop.uptime + Self.remembered
        if isNew { manager.watchdogPatience(timeout) }
    }

    /// To be called before each wait of the loop, see ``AbsenceWatch``.
    package func feedIfDue(at now: Uptime) {
        if now - last >= interval / 2 { feed() }
    }

    /// What the manager has been asked for.
    private var timeout: TimeSpan {
        max(interval, busyUntil == nil ? .zero : Self.patience, isResting ? Self.rest : .zero)
    }

    private func feed() {
        last = EventLoop.uptime
        manager.watchdog()
        if let until = busyUntil, last >= until {
            busyUntil = nil
            manager.watchdogPatience(timeout)
        }
        // While it is busy it may be killed late, and is fed as ever.
        let waits = isResting ? max(interval, Self.rest) : interval
        timer?.arm(at: last + waits / 4 * 3 - interval / 16)
    }
}
