package import Model
package import Time

/// A source of position reports. Runs on the loop; it is started and stopped once.
@MainActor
package protocol FixSource: AnyObject {
    /// Starts it. A failure is a state, not an error: the source keeps trying.
    func start()

    /// Stops it, even from within a handler; no handler is called any more.
    func stop()

    /// Stops with the process: leaves what the next process can continue with.
    func handOver()

    /// The receiver whose positions count, where there may be several; nil while that is not known.
    var receiver: String? { get }

    /// This process was away since then: what waits is read now, and was not late.
    func catchUp(since: Uptime)
}

extension FixSource {
    package func handOver() { stop() }
    package var receiver: String? { nil }
    package func catchUp(since: Uptime) {}
}

/// The handlers of a source's output.
@MainActor
package struct FixSourceHandlers {
    /// Reports that arrived together, in order; at least one.
    package var reports: @MainActor ([ArrivedReport]) -> Void
    /// So many positions came together that cannot be read.
    package var unreadable: @MainActor (Int) -> Void
    /// The state of the source, at every change.
    package var state: @MainActor (FixSourceState) -> Void
    /// Called before input is read that may have waited for this process: see
    /// ``FixSource/catchUp(since:)``.
    package var beforeReading: @MainActor () -> Void

    package init(
        reports: @escaping @MainActor ([ArrivedReport]) -> Void,
        state: @escaping @MainActor (FixSourceState) -> Void,
        unreadable: @escaping @MainActor (Int) -> Void = { _ in },
        beforeReading: @escaping @MainActor () -> Void = {}
    ) {
        self.reports = reports
        self.unreadable = unreadable
        self.state = state
        self.beforeReading = beforeReading
    }
}

/// The state of a source.
package enum FixSourceState: Hashable, Sendable {
    /// Connecting to, or opening, the named peer.
    case connecting(String)
    /// Connected, to the named peer: `gpsd 3.22`, `/dev/ttyUSB0`.
    case connected(String)
    /// Connected, but nothing has arrived for a while.
    case silent
    /// Connected, but for a while nothing that arrived was readable.
    case unreadable
    /// Connected, but this receiver was removed; it may come back.
    case deviceLost(String)
    /// Not connected, for this reason; the next attempt is at that time.
    case waiting(String, until: Uptime)
    /// Everything has been read; nothing more will come. With the reason if it ended too early.
    case ended(String?)
}
