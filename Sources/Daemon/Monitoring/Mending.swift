import Formats
import Law
import Model
import Storage
import Time

/// What the store has lost, and gets back: files, events, sets of fences, records.
struct StoreMending {
    /// A file of the store could not be used at the start, and is looked for again.
    var isAbsent = false
    var backOff = BackOff()
    /// Quarantined files that have been reported, by their paths.
    var knownAside: [String: Int]
    /// Number of unreadable records that have been reported.
    var knownUnreadable = 0
    /// When it is looked again for time zones.
    var zonesDue: Uptime?
    /// When it is looked at whether a loss of the log is over.
    var lossDue: Uptime?
    /// The catalogue is being made one of what can be believed.
    var isOfSets = false
    /// Lost sets that are being filled again.
    var healing: Set<FenceOrigin> = []
    /// A healing has failed, for a full disk perhaps, and is tried again.
    var healBackOff = BackOff(first: .seconds(10), limit: .seconds(600))
    /// When, and what.
    var healAgain: (at: Uptime, heal: () -> Void)?

    /// - Parameter aside: paths of files that were quarantined at the start.
    init(aside: [String]) {
        knownAside = aside.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// When it has something to do.
    var due: Uptime? { earliest([backOff.until, zonesDue, lossDue, healAgain?.at]) }
}

// What happens when a file of the store is damaged, missing or back, or has unreadable records.
extension MonitoringService {
    /// Checks whether files that could not be used at the start can be used now, and time zones that were
    /// not there.
    func mendStore(at now: Uptime) {
        if let due = mending.zonesDue, now >= due {
            mending.zonesDue = now + .seconds(60)
            if store.catalogue.lookForZones() {
                handle(.catalogueChanged(store.generation), at: now)
                notify(.zonesFound)
            }
        }
        guard mending.isAbsent, !mending.backOff.holds(at: now) else { return }
        store.mend()
        if store.absence != nil { mending.backOff.fail(at: now) }
    }

    /// A file may have been quarantined, or become available again, in any query or commit.
    func noteReplacedStore(at now: Uptime) {
        let isBack = mending.isAbsent && store.absence == nil
        noteUnreadable()
        noteZones(at: now)
        let known = mending.knownAside.values.reduce(0, +)
        guard isBack || store.setAsideCount > known else { return }
        var told = mending.knownAside
        let fresh = store.setAside.filter { file in
            guard let count = told[file.path], count > 0 else { return true }
            told[file.path] = count - 1
            return false
        }
        for file in fresh { mending.knownAside[file.path, default: 0] += 1 }
        if isBack {
            mending.isAbsent = false
            mending.backOff.succeed()
            delivery.retry(at: .init(nanoseconds: .max), engine: tracker.engine)
            delivery.endTrouble()
        }
        followLogLoss(at: now)
        files.haveLoaded = false
        notify(.storeReplaced(fresh))
        catalogueMayHaveChanged(at: now)
    }

    /// What was found in the files of the store and is not of geofenced, in words; each is returned
    /// once.
    package func takeForeign() -> [String] { store.takeForeign() }

    /// Reports unreadable records, which are left out, once each.
    private func noteUnreadable() {
        let count = store.unreadableCount
        guard count != mending.knownUnreadable else { return }
        mending.knownUnreadable = count
        guard count > 0 else { return troubles.end(.unreadableRecords) }
        let names = store.unreadable
        let shown = names.prefix(10).joined(separator: ", ") + (count > 10 ? " …" : "")
        troubles.update(
            .unreadableRecords,
            "\(counted(count, "record")) cannot be read, left out: \(shown)")
    }

    /// Reports fences that are held since nobody knows when they are there. Zones are looked for while
    /// there are such fences, and while a file is refused, which may be for want of one.
    func noteZones(at now: Uptime) {
        let names = store.catalogue.zonelessNames
        let isFileRefused = !files.refused.isEmpty && store.catalogue.lacksZones
        if names.isEmpty, !isFileRefused {
            mending.zonesDue = nil
        } else if mending.zonesDue == nil {
            mending.zonesDue = now + .seconds(60)
            noteWake()
        }
        guard !names.isEmpty else { return troubles.end(.timezoneUnknown) }
        let shown = names.prefix(10).joined(separator: ", ") + (names.count > 10 ? " …" : "")
        troubles.update(
            .timezoneUnknown,
            "\(counted(names.count, "fence")) held, since the time zone is not on this system: \(shown); "
                + "install tzdata, or tzdata-legacy")
    }
}
