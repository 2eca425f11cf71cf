import Bytes
import Formats
package import Model
import Storage
package import Time

// Copies of the sets that came over the bus, and lost sets that are filled again from them.
extension MonitoringService {
    /// Origins whose copy is to be written by ``Store/writeCopy(of:in:)``, in a process of
    /// its own, which takes as long as the set is large; then ``copyWritten(_:)`` or
    /// ``copyFailed(_:_:)``.
    package var copiesBehind: [FenceOrigin] { store.catalogue.copiesBehind }

    /// Where the files of the store are.
    package var storeDirectory: String { store.directory }

    /// Such a process has ended well.
    package func copyWritten(_ origin: FenceOrigin) {
        store.catalogue.takeCopy(of: origin)
        noteCopies()
    }

    /// Such a process has failed.
    package func copyFailed(_ origin: FenceOrigin, _ why: String) {
        store.catalogue.copyFailed("\(origin): \(why)")
        noteCopies()
    }

    /// After each change of the catalogue.
    func noteCopies() {
        guard !store.catalogue.copiesBehind.isEmpty else { return troubles.end(.copiesMissing) }
        notify(.copiesBehind)
        if let problem = store.catalogue.copyProblem {
            troubles.begin(.copiesMissing, "no copy of what was accepted can be kept: \(problem)")
        }
    }

    /// Fills lost sets again before there is an engine: what waits to be judged is judged with them.
    /// What fails, or is not done when `isTimeUp` returns true, is left to ``heal(now:)``.
    static func putBack(
        in store: Store, _ troubles: Troubles, until isTimeUp: () -> Bool
    ) {
        for origin in store.catalogue.healable {
            guard !isTimeUp(), !InHand.leavesOut(.call, inHand(origin)),
                let work = store.beginHealing(origin),
                let outcome = try? step(work, of: origin, until: isTimeUp)
            else { continue }
            note(outcome, of: origin, troubles)
        }
    }

    /// Fills lost sets again, as a client of the ``CatalogueQueue``: after the start, and after
    /// ``Notice/storeReplaced(_:)``.
    package func heal(now: @escaping () -> Uptime) {
        noteCopies()
        for origin in store.catalogue.healable where mending.healing.insert(origin).inserted {
            var work: SetHealing?
            changes.add { [weak self] isTimeUp in
                guard let self else { return .done }
                work = work ?? store.beginHealing(origin)
                guard let going = work else { return healed(origin, nil, at: now()) }
                do {
                    guard !InHand.leavesOut(.call, Self.inHand(origin)) else {
                        return healed(origin, nil, at: now())
                    }
                    let outcome = try Self.step(going, of: origin, until: isTimeUp)
                    if outcome != nil { mending.healBackOff.succeed() }
                    return outcome.map { self.healed(origin, $0, at: now()) } ?? .unfinished
                } catch {
                    troubles.note(.copiesMissing, "\(origin) was not filled again: \(error)")
                    mending.healBackOff.fail(at: now())
                    mending.healAgain = mending.healBackOff.until.map {
                        (at: $0, heal: { [weak self] in self?.heal(now: now) })
                    }
                    return healed(origin, nil, at: now())
                }
            }
        }
    }

    /// What failed is due again.
    func tryHealingAgain(at now: Uptime) {
        guard let due = mending.healAgain, now >= due.at else { return }
        mending.healAgain = nil
        due.heal()
    }

    private static func inHand(_ origin: FenceOrigin) -> String { "copy of \(origin)" }

    private static func step(
        _ work: SetHealing, of origin: FenceOrigin, until isTimeUp: () -> Bool
    ) throws -> SetHealing.Outcome? {
        try InHand.mark(.call, inHand(origin)) { try work.step(until: isTimeUp) }
    }

    private static func note(
        _ outcome: SetHealing.Outcome, of origin: FenceOrigin, _ troubles: Troubles
    ) {
        let line =
            switch outcome {
            case .healed(let count):
                "put back, from a copy: \(counted(count, "fence")) of \(origin)"
            case .partly(let count):
                "put back, from a copy that was not the last one: \(counted(count, "fence")) of "
                    + "\(origin)"
            case .damaged: "the copy of \(origin) cannot be read"
            }
        troubles.note(.fencesLost, line)
    }

    private func healed(
        _ origin: FenceOrigin, _ outcome: SetHealing.Outcome?, at now: Uptime
    ) -> CatalogueQueue.Progress {
        mending.healing.remove(origin)
        if let outcome { Self.note(outcome, of: origin, troubles) }
        catalogueMayHaveChanged(at: now)
        // Nothing may have changed, and now it is missed.
        checkLoss(at: now)
        noteCopies()
        noteWake()
        return .done
    }
}
