package import Engine
package import Schedules

// Terms of fences, and the parked vehicle.
extension SQLiteFenceStore {
    /// Sets the default time zone and the public holidays, from the next query on.
    package func keepHours(by book: HourBook) { catalogue.keepHours(by: book) }

    /// Fences that have ended, but may still be in the catalogue.
    package func spentFences() throws -> [SpentFence] { try log.spentFences() }

    /// Removes fences that have ended, of any origin, and their marks. One that was added again
    /// since then stays.
    /// - Throws: ``StoreError``, also while an import is under way; then the call should be
    ///   repeated.
    package func retire(_ fences: [SpentFence]) throws {
        for spent in fences {
            guard let stored = try fence(id: spent.fence), stored.added == spent.added else {
                continue
            }
            _ = try apply(upserts: [], removing: [spent.fence], origin: stored.origin)
        }
        try log.forget(fences)
    }

    /// The parked vehicle as last committed; nil if the ignition was never set.
    package func parking() throws -> Parking? { try log.parking() }
}
