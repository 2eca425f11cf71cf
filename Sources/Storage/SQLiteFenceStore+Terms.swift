package import Engine
package import Schedules

// What fences ask for beyond their crossings, and the parked vehicle.
extension SQLiteFenceStore {
    /// The time zone of the box and the public holidays, from the next question on.
    package func keepHours(by book: HourBook) { catalogue.keepHours(by: book) }

    /// Fences that are over, and may still be in the catalogue.
    package func spentFences() throws -> [SpentFence] { try log.spentFences() }

    /// Removes fences that are over, whoever gave them, and forgets them. One that was given again
    /// since then stays.
    /// - Throws: ``StoreError``, also while an import is under way; then it is to be tried again.
    package func retire(_ fences: [SpentFence]) throws {
        for spent in fences {
            guard let stored = try fence(id: spent.fence), stored.added == spent.added else {
                continue
            }
            _ = try apply(upserts: [], removing: [spent.fence], origin: stored.origin)
        }
        try log.forget(fences)
    }

    /// As last committed; nil where nobody ever said how the ignition is.
    package func parking() throws -> Parking? { try log.parking() }
}
