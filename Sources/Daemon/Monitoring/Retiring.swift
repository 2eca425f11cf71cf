import Engine
import Storage
import Time

// Fences that have expired, or had their only exit, are removed from the catalogue.
extension MonitoringService {
    /// Removes the fences that the log marks as ended. If that fails now (an import is under way,
    /// the disk is full), they rest in the engine, and removal is repeated later.
    func retireSpent(at now: Uptime) {
        guard hasSpent, !retireBackOff.holds(at: now) else { return }
        do {
            let fences = try store.spentFences()
            try store.retire(fences)
            retireBackOff.succeed()
            if !fences.isEmpty {
                handle(.retired(fences), at: now)
                catalogueMayHaveChanged(at: now)
            }
            // Fences of records that wait for the disk are not yet in the log.
            hasSpent = !tracker.engine.spent.isEmpty
            if hasSpent { retireBackOff.fail(at: now) }
        } catch {
            retireBackOff.fail(at: now)
        }
    }
}
