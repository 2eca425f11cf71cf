import Geofence1
import Glibc
package import Model
package import Systemd

/// Announces events as the broadcast signal `Transition`, and to the bus service's other
/// recipients.
///
/// The bus may be unavailable: ``connection`` is nil then, and events wait in the log.
@MainActor
package final class BusSignalSink: EventSink {
    package let name = "bus"
    /// Set once the bus has accepted us and given us the name: clients cannot trust a signal from
    /// an unknown sender.
    package var connection: BusConnection? {
        didSet { emitAgain() }
    }
    /// Called with each event right after its broadcast, see `BusService`.
    package var onAnnounced: (LoggedEvent) -> Void = { _ in }
    /// How many messages may wait for a bus that does not read; beyond that the log is the better
    /// queue.
    private let backlog: Int
    /// Announced, and possibly still in the connection's queue: they would be lost with it.
    private var unsent: [LoggedEvent] = []

    package init(backlog: Int = 256) { self.backlog = backlog }

    private static let transition = BusSignal(
        path: Geofence1.path, interface: Geofence1.managerInterface, member: "Transition")

    package func announce(_ event: LoggedEvent) -> Bool {
        guard let connection, connection.isOpen, connection.queuedMessages < backlog else {
            return false
        }
        if connection.queuedMessages == 0 { unsent = [] }
        guard emit(event, connection) else { return false }
        if connection.queuedMessages > 0 { unsent.append(event) }
        onAnnounced(event)
        return true
    }

    /// Events that the last connection had not sent when it was lost.
    private func emitAgain() {
        guard let connection else { return }
        let events = unsent
        unsent = []
        for event in events where emit(event, connection) {
            if connection.queuedMessages > 0 { unsent.append(event) }
        }
    }

    private func emit(_ event: LoggedEvent, _ connection: BusConnection) -> Bool {
        do throws(SystemError) {
            try connection.emit(
                Self.transition, EventMessage(event, withLocation: false).arguments)
            return true
        } catch {
            // What D-Bus cannot carry now it never can: one odd event must not hold up all later
            // ones. It is in the log.
            return [EINVAL, EMSGSIZE, E2BIG, ENXIO].contains(error.errno)
        }
    }
}
