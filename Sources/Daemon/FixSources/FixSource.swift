package import Engine
package import Time

/// Where position reports come from. Lives on the loop; a source is used once: started, stopped.
@MainActor
package protocol FixSource: AnyObject {
    /// Begins. What goes wrong is a state, never an error: a source goes on trying.
    func start()

    /// Ends, from within a handler too; no handler is called any more.
    func stop()

    /// Ends with the process: what the next one can go on with is left as it is.
    func handOver()

    /// This process was away since then: what waits is taken now, and was not late.
    func catchUp(since: Uptime)
}

extension FixSource {
    package func handOver() { stop() }
    package func catchUp(since: Uptime) {}
}

/// Who hears what a source says.
@MainActor
package struct FixSourceHandlers {
    /// Reports that arrived together, in order; at least one.
    package var reports: @MainActor ([ArrivedReport]) -> Void
    /// How the source fares, at every change.
    package var state: @MainActor (FixSourceState) -> Void
    /// Called before something that has arrived is read, which may have waited for this process: see
    /// ``FixSource/catchUp(since:)``.
    package var beforeReading: @MainActor () -> Void

    package init(
        reports: @escaping @MainActor ([ArrivedReport]) -> Void,
        state: @escaping @MainActor (FixSourceState) -> Void,
        beforeReading: @escaping @MainActor () -> Void = {}
    ) {
        self.reports = reports
        self.state = state
        self.beforeReading = beforeReading
    }
}

/// How a source fares.
package enum FixSourceState: Hashable, Sendable {
    /// Connecting to, or opening, what is named.
    case connecting(String)
    /// Connected, to what is named: `gpsd 3.22`, `/dev/ttyUSB0`.
    case connected(String)
    /// Connected, and nothing has come for a while.
    case silent
    /// Connected, and for a while nothing of what has come could be read.
    case unreadable
    /// Connected, but this receiver has gone from it; it may come back.
    case deviceLost(String)
    /// Not connected, for this reason; the next attempt is at that time.
    case waiting(String, until: Uptime)
    /// All has been read; nothing more will come. With the reason if it ended too early.
    case ended(String?)
}
