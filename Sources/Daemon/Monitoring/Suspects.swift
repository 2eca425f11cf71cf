package import Storage
package import Time

// Files of the store that may be damaged.
extension MonitoringService {
    /// Each is used as far as it can be read until somebody has checked all of it, which takes too
    /// long for the loop, and says so to ``storeChecked(_:_:at:)``.
    package var suspects: [SuspectFile] { store.suspects }

    func noteSuspects() {
        let files = store.suspects
        guard !files.isEmpty else { return troubles.end(.storeSuspect) }
        let named = files.map { "\($0.path): \($0.reason)" }.joined(separator: "; ")
        troubles.begin(.storeSuspect, "\(named); it is used as far as it can be read")
        notify(.storeSuspect)
    }

    /// What was found in one of ``suspects``: a damaged file is quarantined now; one that could not
    /// be checked stays in use.
    package func storeChecked(_ path: String, _ verdict: StoreCheck.Verdict, at now: Uptime) {
        store.resolve(path, verdict)
        if case .unknown(let why) = verdict {
            return troubles.note(.storeSuspect, "\(path) could not be checked: \(why)")
        }
        store.mend()
        noteSuspects()
        noteReplacedStore(at: now)
        releaseHeld(at: now)
    }
}
