import Model
import Systemd
import Time

/// Detects that the bus has stopped reading from us. While messages wait it checks whenever the
/// loop has done something; it never wakes the loop.
@MainActor
final class StallWatch {
    private let connection: BusConnection
    private let patience: TimeSpan
    private let stalled: () -> Void
    private var source: PostSource?
    /// The least number of waiting messages, and since when.
    private var least: (count: Int, since: Uptime)?

    init(
        _ connection: BusConnection, loop: EventLoop, patience: TimeSpan,
        stalled: @escaping () -> Void
    ) throws(SystemError) {
        self.connection = connection
        self.patience = patience
        self.stalled = stalled
        source = try PostSource(loop) { [weak self] in self?.look() }
        source?.isEnabled = false
    }

    /// Something was sent, or was to be sent.
    func sent() {
        // Usually the bus has read it by now, and there is nothing to watch.
        if connection.queuedMessages > 0 { source?.isEnabled = true }
    }

    private func look() {
        let count = connection.queuedMessages
        guard count > 0 else {
            least = nil
            // Each check is one more turn of the loop.
            source?.isEnabled = false
            return
        }
        let now = EventLoop.uptime
        guard let least, count >= least.count else {
            least = (count, now)
            return
        }
        guard now - least.since >= patience else { return }
        source = nil
        stalled()
    }
}
