package import Engine
import Storage
package import Time

/// A text that is no id of a driver, and why.
package struct DriverRefusal: Error, Hashable, CustomStringConvertible {
    /// A phrase.
    package let description: String
}

// Who drives: the log records it with every event, and the engine knows nothing of it.
extension MonitoringService {
    /// The driver that events are recorded with; nil if there is none.
    package var driver: RecordedDriver? { store.driver }

    /// From now on events are recorded with that driver, nil with none. Durable.
    /// - Throws: ``DriverRefusal``, ``StoreError``; then the driver is the one of before.
    package func setDriver(
        _ id: String?, by source: DriverSource = .call, at now: Uptime
    ) throws {
        if let id, let flaw = RecordedDriver.flaw(in: id) {
            throw DriverRefusal(description: flaw)
        }
        try store.setDriver(id, by: source, at: present(at: now), waiting: delivery.waiting)
    }

    /// Deletes the id of that driver from the log, durably: its events have none any more, nor have
    /// those that still wait for the disk.
    /// - Returns: false if no driver has that id.
    /// - Throws: ``StoreError``; then the call should be repeated.
    package func forgetDriver(_ id: String) throws -> Bool { try store.forgetDriver(id) }
}
