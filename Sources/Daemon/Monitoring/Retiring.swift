import Engine
import Storage
import Time

// Fences that have expired, or were left once, are removed from the catalogue.
extension MonitoringService {
    /// Removes those that the log has as over. Where that does not work now (an import is under
    /// way, the disk takes nothing) they rest in the engine, and it is tried again later.
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
            // Those of records that wait for the disk are not in the log yet.
            hasSpent = !tracker.engine.spent.isEmpty
            if hasSpent { retireBackOff.fail(at: now) }
        } catch {
            retireBackOff.fail(at: now)
        }
    }
}
