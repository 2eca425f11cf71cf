import Law
import Model
import Storage
import Time

/// Fences that have ended, and may still be in the catalogue.
struct Retiring {
    /// There may be some.
    var hasSpent = true
    var backOff = BackOff()
    /// When the next of them are removed; nil if none are known to be left.
    var due: Uptime?
}

// Fences that have expired, or had their only exit, are removed from the catalogue.
extension MonitoringService {
    /// Fences that are removed in one turn of the loop: some milliseconds. Fixes are judged before
    /// the next ones.
    private static let retiredAtOnce = 100
    private static let retirePause = TimeSpan.milliseconds(2)

    /// Removes the fences that the log marks as ended. If that fails now (an import is under way,
    /// the disk is full), they rest in the engine, and removal is repeated later.
    func retireSpent(at now: Uptime) {
        guard retiring.hasSpent, !retiring.backOff.holds(at: now),
            retiring.due.map({ now >= $0 }) ?? true
        else { return }
        let isWaiting = retiring.due != nil
        retiring.due = nil
        do {
            let fences = try store.log.spentFences(limit: Self.retiredAtOnce)
            try store.retire(fences)
            retiring.backOff.succeed()
            if !fences.isEmpty {
                handle(.retired(fences), at: now)
                catalogueMayHaveChanged(at: now)
            }
            if fences.count == Self.retiredAtOnce {
                retiring.due = now + Self.retirePause
            } else {
                // Fences of records that wait for the disk are not yet in the log.
                retiring.hasSpent = !tracker.engine.spent.isEmpty
                if retiring.hasSpent { retiring.backOff.fail(at: now) }
            }
        } catch {
            retiring.backOff.fail(at: now)
        }
        if isWaiting || retiring.due != nil { noteWake() }
    }
}
