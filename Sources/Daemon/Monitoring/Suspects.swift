package import Storage
package import Time

// Files of the store that may be damaged.
extension MonitoringService {
    /// Each is used as far as it can be read until somebody has checked all of it, which takes too
    /// long for the loop, and says so to ``storeChecked(_:_:at:)``.
    package var suspects: [SuspectFile] { store.suspects }

    /// The file of the catalogue, for ``StoreCheck/verdictOfSets(of:)``, whose result goes to
    /// ``setsChecked(_:)``; nil while it is suspect already, or not in use.
    package var checkedCatalogue: String? { store.suspects.isEmpty ? store.catalogue.file : nil }

    /// Of a catalogue whose sets are not what was accepted all is checked.
    package func setsChecked(_ verdict: StoreCheck.Verdict) {
        switch verdict {
        case .lacking(let why), .damaged(let why): store.catalogue.suspect(why)
        case .sound, .unknown: break
        }
    }

    func noteSuspects() {
        let files = store.suspects
        guard !files.isEmpty else { return troubles.end(.storeSuspect) }
        let named = files.map { "\($0.path): \($0.reason)" }.joined(separator: "; ")
        troubles.begin(.storeSuspect, "\(named); it is used as far as it can be read")
        notify(.storeSuspect)
    }

    /// What was found in one of ``suspects``: a damaged file is quarantined now; from one that lacks
    /// fences what cannot be believed is removed; one that could not be checked stays in use.
    package func storeChecked(
        _ path: String, _ verdict: StoreCheck.Verdict, at now: @autoclosure @escaping () -> Uptime
    ) {
        switch verdict {
        case .unknown(let why):
            return troubles.note(.storeSuspect, "\(path) could not be checked: \(why)")
        case .lacking: return mendSets(now)
        case .sound, .damaged: store.resolve(path, verdict)
        }
        store.mend()
        noteSuspects()
        noteReplacedStore(at: now())
        releaseHeld(at: now())
    }

    /// As one more client of the ``CatalogueQueue``. What is lost is known afterwards, and is filled again
    /// as after a loss of the file.
    private func mendSets(_ now: @escaping () -> Uptime) {
        guard !mending.isOfSets else { return }
        mending.isOfSets = true
        var work: CatalogueMending?
        changes.add { [weak self] isTimeUp in
            guard let self else { return .done }
            do {
                let going = try work ?? store.catalogue.beginMending()
                work = going
                guard try going.step(until: isTimeUp) else { return .unfinished }
                files.haveLoaded = false
                noteSuspects()
                noteReplacedStore(at: now())
                catalogueMayHaveChanged(at: now())
                notify(.storeReplaced([]))
            } catch {
                // The next check tries again.
                troubles.note(.storeSuspect, "what is lost was not found: \(error)")
            }
            mending.isOfSets = false
            return .done
        }
    }
}
