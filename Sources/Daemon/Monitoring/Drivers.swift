package import Model
import Storage
package import Time

/// A text that is no id of a driver, or of one too many, and why.
package struct DriverRefusal: Error, Hashable, CustomStringConvertible {
    /// A phrase.
    package let description: String
    /// The log has enough drivers.
    package var exceedsLimit = false
}

// Who drives: the log records it with every event, and the engine knows nothing of it.
extension MonitoringService {
    /// The driver that events are recorded with; nil if there is none.
    package var driver: RecordedDriver? { store.log.driver }

    /// From now on events are recorded with that driver, nil with none. Durable.
    /// - Throws: ``DriverRefusal``, ``StoreError``; then the driver is the one of before.
    package func setDriver(
        _ id: String?, by source: DriverSource = .call, at now: Uptime
    ) throws {
        if let id, let flaw = RecordedDriver.flaw(in: id) {
            throw DriverRefusal(description: flaw)
        }
        do {
            try store.log.setDriver(id, by: source, at: present(at: now), waiting: delivery.waiting)
        } catch let full as TooManyDrivers {
            throw DriverRefusal(
                description: "the log has events of \(full.most) drivers: another one has a place "
                    + "once the events of one are deleted", exceedsLimit: true)
        }
    }

    /// Deletes the id of that driver from the log, durably: its events have none any more, nor have
    /// those that still wait for the disk.
    /// - Returns: false if no driver has that id.
    /// - Throws: ``StoreError``; then the call should be repeated.
    package func forgetDriver(_ id: String) throws -> Bool { try store.log.forgetDriver(id) }
}
