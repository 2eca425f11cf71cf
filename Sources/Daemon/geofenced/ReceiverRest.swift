import FixSources
import Model
import Monitoring
import Systemd
import Time

/// Lets the receiver sleep while the vehicle is parked: gpsd closes a receiver that no client
/// watches. From time to time the daemon watches it again until there is a fix.
@MainActor
final class ReceiverRest {
    private enum Phase {
        case awake
        case asleep
        case looking(since: Uptime)
    }

    /// The time limit of a look.
    private static let longestLook = TimeSpan.seconds(30)

    private let monitoring: MonitoringService
    private let source: () -> (any FixSource)?
    private let changed: (_ isResting: Bool) -> Void
    private let gaveUp: () -> Void
    private var phase: Phase
    private var timer: TimerSource?
    /// How long the vehicle has to be parked; zero or less for never.
    var after: TimeSpan
    /// From one look to the next.
    var every: TimeSpan

    /// - Parameters:
    ///   - source: the source of fixes, started by its owner.
    ///   - changed: called when a rest begins or goes on, and when it ends.
    ///   - gaveUp: called when a look ends for its time is up, before the source is stopped.
    init(
        _ loop: EventLoop, _ monitoring: MonitoringService, after: TimeSpan, every: TimeSpan,
        source: @escaping () -> (any FixSource)?, changed: @escaping (_ isResting: Bool) -> Void,
        gaveUp: @escaping () -> Void
    ) throws {
        self.monitoring = monitoring
        self.source = source
        self.changed = changed
        self.gaveUp = gaveUp
        self.after = after
        self.every = every
        // A process that was killed while the receiver slept resumes with a look.
        phase = monitoring.isResting ? .looking(since: EventLoop.uptime) : .awake
        // The timer ends with this object.
        timer = try TimerSource(loop, accuracy: .seconds(1)) { [unowned self] in due() }
        if monitoring.isResting { timer?.arm(at: EventLoop.uptime + Self.longestLook) }
    }

    private var isAwake: Bool { if case .awake = phase { true } else { false } }

    /// Whether a state of the source is to be heard. In a look a receiver may say nothing, or be
    /// gone: in a garage that is normal. That gpsd cannot be reached is a trouble all the same, which
    /// stays until a look reaches it.
    func matters(_ state: FixSourceState) -> Bool {
        switch state {
        case .silent, .unreadable, .deviceLost: isAwake
        case .connecting, .connected, .waiting, .ended: true
        }
    }

    /// Called after reports were taken.
    func reportsHandled() {
        switch phase {
        case .asleep: break
        case .awake:
            guard after > .zero, monitoring.mayRest(after: after) else { return }
            monitoring.rest(true, at: EventLoop.uptime)
            sleep()
        case .looking(let since):
            guard let fix = monitoring.lastFix, fix.arrival >= since else { return }
            if after > .zero, monitoring.mayRest(after: after) {
                sleep()
            } else {
                end()
            }
        }
    }

    /// Ends the rest at once, because fixes are needed.
    func wakeUp() {
        guard !isAwake else { return }
        let slept = if case .asleep = phase { true } else { false }
        end()
        if slept { source()?.start() }
    }

    /// Looks at once: the vehicle may have been moved. Unlike ``wakeUp()`` it sleeps again without a
    /// fix.
    func look() {
        if case .asleep = phase { due() }
    }

    private func end() {
        phase = .awake
        timer?.disarm()
        monitoring.rest(false, at: EventLoop.uptime)
        changed(false)
    }

    private func sleep() {
        phase = .asleep
        source()?.stop()
        timer?.arm(at: EventLoop.uptime + every)
        changed(true)
    }

    private func due() {
        switch phase {
        case .awake: break
        case .asleep:
            let now = EventLoop.uptime
            phase = .looking(since: now)
            timer?.arm(at: now + Self.longestLook)
            source()?.start()
        // No satellites: the next look decides.
        case .looking:
            gaveUp()
            sleep()
        }
    }
}
