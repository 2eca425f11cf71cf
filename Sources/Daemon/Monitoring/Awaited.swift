import Law
import Model
package import Time

/// What ought to come and may not: the first fix that counts, and a word on the ignition. That it has
/// not come is a state, and no event.
struct Awaited {
    /// What was counted when the wait began, and when it is told; nil once one has come.
    var fix: (counted: GateCounters, due: Uptime?)?
    /// Why nobody can say it, and when that is told; nil while somebody can, or nobody is to.
    var ignition: (why: String, due: Uptime?)?

    /// The state of the ignition is not known any more, see ``MonitoringService/ignition``.
    var isIgnitionSourceGone = false

    /// From the start to a fix in the open takes a cold receiver less than that.
    static let fixPatience = TimeSpan.seconds(120)
    /// At a boot its source may begin after us.
    static let ignitionPatience = TimeSpan.seconds(30)

    var due: Uptime? { earliest([fix?.due, ignition?.due]) }
}

extension MonitoringService {
    /// From now on a fix is to come that counts: of a live source, at the start.
    package func expectFix(at now: Uptime) {
        awaited.fix = (tracker.engine.counters, isResting ? nil : now + Awaited.fixPatience)
        noteWake()
    }

    /// Called at every report until one has come.
    func noteFirstFix() {
        guard let fix = awaited.fix, tracker.engine.counters.accepted != fix.counted.accepted else {
            return
        }
        awaited.fix = nil
        troubles.end(.noFix)
        noteWake()
    }

    /// While the receiver rests nothing is to come.
    func fixAwaitsRest(_ isOn: Bool, at now: Uptime) {
        guard awaited.fix != nil else { return }
        if isOn { troubles.end(.noFix) }
        awaited.fix?.due = isOn ? nil : now + Awaited.fixPatience
    }

    /// - Parameter why: nobody can say whether the ignition is on; nil: nobody is to.
    package func awaitIgnition(_ why: String?, at now: Uptime) {
        ignitionSourceChanged(isGone: why != nil)
        if let why {
            let due = awaited.ignition.map(\.due) ?? now + Awaited.ignitionPatience
            awaited.ignition = (why, due)
        } else {
            endIgnitionWait()
        }
        noteWake()
    }

    /// Its source is there, and has said nothing yet: some speak only at a change.
    package func ignitionIsSilent() {
        ignitionSourceChanged(isGone: true)
        endIgnitionWait()
        noteWake()
    }

    func endIgnitionWait() {
        awaited.ignition = nil
        troubles.end(.ignition)
    }

    func tellAwaited(at now: Uptime) {
        if let due = awaited.fix?.due, now >= due {
            // Why nothing can come is told already.
            let isTold = troubles.present.contains(.source)
            awaited.fix?.due = isTold ? now + Awaited.fixPatience : nil
            if !isTold { troubles.begin(.noFix, whyNoFix) }
        }
        if let ignition = awaited.ignition, let due = ignition.due, now >= due {
            awaited.ignition?.due = nil
            troubles.begin(.ignition, ignition.why)
        }
    }

    /// What counts most, of the time since it is waited for.
    private var whyNoFix: String {
        let (before, now) = (awaited.fix?.counted ?? GateCounters(), tracker.engine.counters)
        let refused = Refusal.allCases.map { ($0, now[$0] - min(before[$0], now[$0])) }
        let all = refused.reduce(0) { $0 + $1.1 }
        guard let most = refused.max(by: { $0.1 < $1.1 }), most.1 > 0 else {
            return "none has come since the start"
        }
        return "none was accepted since the start: \(most.1) of \(all) were refused as "
            + most.0.name
    }
}
