import Formats
import Law
package import Model
import Storage
package import Time

// Sets of fences that were accepted and are not here: their file was lost, or is an older one.
extension MonitoringService {
    /// The files of fences.d have been read, after the start or after ``Notice/storeReplaced(_:)``.
    package func filesWereLoaded(at now: Uptime) {
        files.haveLoaded = true
        store.catalogue.filesWereLoaded()
        checkLoss(at: now)
    }

    /// Nobody misses the sets of that origin any more; nil for all.
    /// - Throws: ``NothingLost``, `StoreError`; then they are still missed.
    package func acceptLoss(of origin: FenceOrigin?, at now: Uptime) throws {
        let lost = try store.catalogue.origins().filter { $0.lost != nil }
        guard lost.contains(where: { origin == nil || $0.origin == origin }) else {
            throw NothingLost(origin: origin)
        }
        try store.catalogue.acceptLoss(of: origin)
        // Those of an older set are watched from now on.
        catalogueMayHaveChanged(at: now)
        releaseHeld(at: now)
        checkLoss(at: now)
        checkVehicle(at: now)
        notify(.stateChanged)
    }

    /// No fence is missing that nobody has removed: stays that were held go on where their fence is
    /// back, and end where it is not.
    func releaseHeld(at now: Uptime) {
        guard engine.lacksFences, !store.mayLackFences else { return }
        handle(.lacksFences(false), at: now)
    }

    /// Fences may be missing that nobody has removed: no event follows from that.
    func holdMissing(at now: Uptime) {
        guard store.mayLackFences, !engine.lacksFences else { return }
        handle(.lacksFences(true), at: now)
    }

    /// After each change of the catalogue, and when the files have been read.
    func checkLoss(at now: Uptime) {
        guard store.catalogue.lacksFences else {
            troubles.end(.fencesLost)
            return tellLoss(false, at: now)
        }
        let origins = (try? store.catalogue.origins()) ?? []
        // Those that are being put back are missed for some seconds: nobody is to be told. They are
        // begun with when the files have been read, as after every loss.
        let healing =
            files.haveLoaded
            ? mending.healing : mending.healing.union(store.catalogue.healable)
        let lost = origins.filter { summary in
            if summary.origin.isFile, !files.haveLoaded { return false }
            return summary.lost != nil && !healing.contains(summary.origin)
        }
        guard !lost.isEmpty else { return troubles.end(.fencesLost) }
        tellLoss(true, at: now)
        let names = lost.prefix(10).map { summary in
            let count = summary.lost?.fences ?? 0
            return count > 0 ? "\(summary.origin) (\(count))" : "\(summary.origin)"
        }
        let shown = names.joined(separator: ", ") + (lost.count > 10 ? " …" : "")
        troubles.update(
            .fencesLost,
            "fences that were accepted are not here: \(shown); "
                + "import them again, or: geofencectl accept-loss")
    }

    /// The event, once for each change: what was told is in the log with it.
    private func tellLoss(_ areLost: Bool, at now: Uptime) {
        guard areLost != delivery.areFencesLost else { return }
        handle(.fencesLost(areLost, clock: wallClock()), at: now)
    }
}

/// Nothing is missed of that origin, or at all.
package struct NothingLost: Error, Hashable, CustomStringConvertible {
    /// Nil for all.
    package var origin: FenceOrigin?

    package var description: String {
        origin.map { "no fences of \($0) are missed" } ?? "no fences are missed"
    }
}
