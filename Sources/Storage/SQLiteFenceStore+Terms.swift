package import Law
package import Schedules

// Terms of fences, and the parked vehicle.
extension SQLiteFenceStore {
    /// Sets the default time zone and the public holidays, from the next query on.
    package func keepHours(by book: HourBook) { catalogue.keepHours(by: book) }

    /// The first `limit` fences that have ended, but may still be in the catalogue.
    package func spentFences(limit: Int = .max) throws -> [SpentFence] {
        try log.spentFences(limit: limit)
    }

    /// Removes fences that have ended, of any origin, and their marks: one transaction of each
    /// file. One that was added again since then stays.
    /// - Throws: ``StoreError``, also while an import is under way; then the call should be
    ///   repeated.
    package func retire(_ fences: [SpentFence]) throws {
        guard !fences.isEmpty else { return }
        try catalogue.remove(ended: fences)
        try log.forget(fences)
    }

    /// The parked vehicle as last committed; nil if the ignition was never set.
    package func parking() throws -> Parking? { try log.parking() }
}
