import Law
import Model
import Storage
import Time

// Fences that have expired, or had their only exit, are removed from the catalogue.
extension MonitoringService {
    /// Fences that are removed in one turn of the loop: some milliseconds. Fixes are judged before
    /// the next ones.
    private static let retiredAtOnce = 100
    private static let retirePause = TimeSpan.milliseconds(2)

    /// Removes the fences that the log marks as ended. If that fails now (an import is under way,
    /// the disk is full), they rest in the engine, and removal is repeated later.
    func retireSpent(at now: Uptime) {
        guard hasSpent, !retireBackOff.holds(at: now), retireDue.map({ now >= $0 }) ?? true
        else { return }
        let isWaiting = retireDue != nil
        retireDue = nil
        do {
            let fences = try store.log.spentFences(limit: Self.retiredAtOnce)
            try store.retire(fences)
            retireBackOff.succeed()
            if !fences.isEmpty {
                handle(.retired(fences), at: now)
                catalogueMayHaveChanged(at: now)
            }
            if fences.count == Self.retiredAtOnce {
                retireDue = now + Self.retirePause
            } else {
                // Fences of records that wait for the disk are not yet in the log.
                hasSpent = !tracker.engine.spent.isEmpty
                if hasSpent { retireBackOff.fail(at: now) }
            }
        } catch {
            retireBackOff.fail(at: now)
        }
        if isWaiting || retireDue != nil { noteWake() }
    }
}
