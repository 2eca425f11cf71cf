import Systemd

/// What an uplink tells its program.
package struct UplinkHandlers {
    /// For `STATUS=`: the state, and what waits.
    package var status: @MainActor (String) -> Void
    /// Worth an entry of the journal, perhaps one that the catalog explains.
    package var log: @MainActor (UplinkMessageID?, String) -> Void
    /// It will never work: for this reason.
    package var failed: @MainActor (String) -> Void
    /// ``EventUplink/stop()`` is done.
    package var stopped: @MainActor () -> Void

    package init(
        status: @escaping @MainActor (String) -> Void,
        log: @escaping @MainActor (UplinkMessageID?, String) -> Void,
        failed: @escaping @MainActor (String) -> Void,
        stopped: @escaping @MainActor () -> Void
    ) {
        self.status = status
        self.log = log
        self.failed = failed
        self.stopped = stopped
    }
}

/// Passes events on to one destination, from its making on.
@MainActor
package protocol EventUplink: AnyObject {
    /// Ends what is under way, and tells the daemon what has been delivered;
    /// ``UplinkHandlers/stopped`` is called when that is done.
    func stop()
}

/// Message ids of the journal, each with an entry of geofenced-uplink.catalog.
package enum UplinkMessageID: String, CaseIterable, Sendable {
    /// The destination does not take events, for a reason that somebody must remove.
    case trouble = "3e1f0c6a7d5b4b0f9a52c4d88e6b9f17"
    /// The log has lost events before they were sent.
    case lost = "a64d2b90c8e34f7db1f05e3c9a7216d8"
    /// An event was left out or shortened because the destination does not take it.
    case rejected = "d80b5a3f1c6e4d2e8f97a1b04c63e52a"
}
