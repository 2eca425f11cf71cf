package import Model
package import Time

// The driver.
extension SQLiteFenceStore {
    /// The driver that events are recorded with; nil if there is none.
    package var driver: RecordedDriver? { log.driver }

    /// From now on events are recorded with the driver of that id; nil: with none. Durable.
    /// - Parameters:
    ///   - source: who says so.
    ///   - time: when that is, receiver UTC.
    ///   - waiting: how many events with the present driver are still to be committed.
    /// - Throws: ``StoreError``, ``TooManyDrivers``; then the driver is the one of before.
    package func setDriver(
        _ id: String?, by source: DriverSource = .call, at time: UTCTime, waiting: Int = 0
    ) throws {
        try log.setDriver(id, by: source, at: time, waiting: waiting)
    }

    /// Deletes the id of that driver from the log, durably: its events have none any more.
    /// - Returns: false if no driver has that id.
    /// - Throws: ``StoreError``; then the call should be repeated.
    package func forgetDriver(_ id: String) throws -> Bool { try log.forgetDriver(id) }
}
