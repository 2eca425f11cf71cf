package import Model
import Time

/// What becomes of one report of a recording, and of the fixes that were held before it.
package struct ReportVerdict: Hashable, Sendable {
    /// Of the report itself.
    package enum Fate: Hashable, Sendable {
        /// It counts.
        case accepted
        /// Kept back until others agree with it: a later verdict says how it ended.
        case held
        /// An epoch that was reported twice.
        case repeated
        case refused(Refusal)
    }

    /// A fix that does not count.
    package struct Dropped: Hashable, Sendable {
        /// As it was held.
        package var fix: Fix
        /// Why it does not count.
        package var reason: Refusal
    }

    /// Of the report itself.
    package var fate: Fate
    /// Fixes that count from now on, oldest first: this one, and those that were held for it.
    package var accepted: [Fix] = []
    /// No segment joins the first of ``accepted`` to the fix before.
    package var isNewPath = false
    /// Held fixes that it has disproved, oldest first.
    package var dropped: [Dropped] = []
}

extension ReportVerdict {
    /// As the gates would judge it: they are not changed.
    init(_ report: PositionReport, at now: Uptime, before gates: Gates) {
        var trial = gates
        switch trial.judge(report, at: now) {
        case .refused(let reason): fate = .refused(reason)
        case .repeated: fate = .repeated
        case .held: fate = .held
        case .accepted:
            fate = .accepted
            accepted = trial.last.map { [$0.fix] } ?? []
            isNewPath = gates.last == nil
        case .released(let path, let isNewPath, _):
            fate = .accepted
            accepted = path.map(\.fix)
            self.isNewPath = isNewPath
        }
        // By their times: at a re-base the arrivals are set again.
        let kept = Set(accepted.map(\.time) + trial.doubted.map(\.fix.time))
        dropped = gates.doubted.filter { !kept.contains($0.fix.time) }
    }
}

extension Gates {
    /// The fixes that are held, with the reason if nothing more comes.
    var doubted: [ReportVerdict.Dropped] {
        held.map { ReportVerdict.Dropped(fix: $0.fix, reason: .implausible) }
            + strays.map { ReportVerdict.Dropped(fix: $0.fix, reason: reason(of: $0.fix)) }
    }
}
