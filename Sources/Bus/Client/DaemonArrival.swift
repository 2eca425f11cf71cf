import Geofence1
package import Systemd

extension DaemonClient {
    /// Calls `body` when a daemon has taken its name, one that has started again included, as long as
    /// the slot lives: what was known of the one before need not be so.
    package func onArrival(
        _ body: @escaping @MainActor () -> Void
    ) throws(SystemError) -> BusSlot {
        try connection.watchName(Geofence1.name) { owner in
            if owner != nil { body() }
        }
    }
}
