import Formats
import Law
import Model
import Storage
import Time

// What happens when a file of the store is damaged, missing or back, or has unreadable records.
extension MonitoringService {
    /// Checks whether files that could not be used at the start can be used now, and time zones that were
    /// not there.
    func mendStore(at now: Uptime) {
        if let zonesDue, now >= zonesDue {
            self.zonesDue = now + .seconds(60)
            if store.catalogue.lookForZones() {
                handle(.catalogueChanged(store.generation), at: now)
            }
        }
        guard isStoreAbsent, !mendBackOff.holds(at: now) else { return }
        store.mend()
        if store.absence != nil { mendBackOff.fail(at: now) }
    }

    /// A file may have been quarantined, or become available again, in any query or commit.
    func noteReplacedStore(at now: Uptime) {
        let isBack = isStoreAbsent && store.absence == nil
        noteUnreadable()
        noteZones(at: now)
        let known = knownAside.values.reduce(0, +)
        guard isBack || store.setAsideCount > known else { return }
        var told = knownAside
        let fresh = store.setAside.filter { file in
            guard let count = told[file.path], count > 0 else { return true }
            told[file.path] = count - 1
            return false
        }
        for file in fresh { knownAside[file.path, default: 0] += 1 }
        if isBack {
            isStoreAbsent = false
            mendBackOff.succeed()
            delivery.retry(at: .init(nanoseconds: .max), engine: tracker.engine)
            delivery.endTrouble()
        }
        followLogLoss(at: now)
        haveFilesLoaded = false
        notify(.storeReplaced(fresh))
        catalogueMayHaveChanged(at: now)
    }

    /// What was found in the files of the store and is not of geofenced, in words; each is returned
    /// once.
    package func takeForeign() -> [String] { store.takeForeign() }

    /// Reports unreadable records, which are left out, once each.
    private func noteUnreadable() {
        let count = store.unreadableCount
        guard count != knownUnreadable else { return }
        knownUnreadable = count
        guard count > 0 else { return troubles.end(.unreadableRecords) }
        let names = store.unreadable
        let shown = names.prefix(10).joined(separator: ", ") + (count > 10 ? " …" : "")
        troubles.update(
            .unreadableRecords,
            "\(counted(count, "record")) cannot be read, left out: \(shown)")
    }

    /// Reports fences that are held since nobody knows when they are there.
    private func noteZones(at now: Uptime) {
        let names = store.catalogue.zonelessNames
        guard !names.isEmpty else {
            zonesDue = nil
            return troubles.end(.timezoneUnknown)
        }
        if zonesDue == nil {
            zonesDue = now + .seconds(60)
            noteWake()
        }
        let shown = names.prefix(10).joined(separator: ", ") + (names.count > 10 ? " …" : "")
        troubles.update(
            .timezoneUnknown,
            "\(counted(names.count, "fence")) held, since the time zone is not on this system: \(shown); "
                + "install tzdata, or tzdata-legacy")
    }

    /// When ``mendStore(at:)`` has something to do.
    var mendDue: Uptime? { [mendBackOff.until, zonesDue].compactMap { $0 }.min() }
}
