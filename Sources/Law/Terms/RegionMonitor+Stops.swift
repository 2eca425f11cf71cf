import Model
import Time

// Stops and longest stays.
extension RegionMonitor {
    /// Notes whether the vehicle has stood as long as the fence requires, and whether it has stayed
    /// longer than allowed.
    mutating func observeStay(
        _ passage: Passage, _ terms: FenceTerms, _ stay: Stay, ordinal: Int
    ) -> [Transition] {
        let time = passage.to.time
        if terms.stop > .zero, watch?.hasStood == false, let since = passage.standingSince,
            lastDistance ?? 1 <= 0
        {
            watch?.hasStood = time - max(since, stay.began) >= terms.stop
        }
        return overstayed(
            stay.began, until: stay.crossedOut ?? time, ordinal: ordinal, terms: terms)
    }

    /// Reported once per stay, when it has lasted longer than allowed; judged like a dwell.
    mutating func overstayed(
        _ began: UTCTime, until: UTCTime, ordinal: Int, terms: FenceTerms
    ) -> [Transition] {
        guard terms.maxStay > .zero, watch?.overstayTold == false,
            until - began >= terms.maxStay
        else { return [] }
        watch?.overstayTold = true
        return [
            Transition(
                kind: .overstay, stay: ordinal, time: began + terms.maxStay,
                distance: lastDistance)
        ]
    }

    /// When the stay reaches its longest permitted time, if no further fix is accepted after
    /// `last`.
    func overstayDue(after last: Fix, _ settings: CrossingSettings) -> Due? {
        guard entry.watchesStays, case .crossing(.inside(let stay)) = machine,
            watch?.overstayTold == false,
            lastDistance ?? 1 <= 0
        else { return nil }
        // A pending settle is decided first.
        if let settling = stay.settling, settling.fixes >= 2 { return nil }
        let most = entry.fence.terms.maxStay
        let end = stay.began + most
        // A stay that begins at the end of representable time never lasts that long.
        guard most > .zero, end - stay.began >= most else { return nil }
        return Due(
            .overstay, at: last.arrival + max(end - last.time, settings.timedDecision))
    }

    /// The decision of ``overstayDue(after:_:)``.
    mutating func decideOverstay() -> [Transition] {
        guard case .crossing(.inside(let stay)) = machine else { return [] }
        let terms = entry.fence.terms
        return overstayed(
            stay.began, until: stay.began + terms.maxStay, ordinal: 0, terms: terms)
    }

    /// The exit, with `stopped`, and `no-stop` if the vehicle had not stood. If the beginning of
    /// the stay was not seen, only a stop that was seen is reported; an exit that the vehicle did
    /// not make has neither.
    func leaving(_ exit: Transition, terms: FenceTerms) -> [Transition] {
        guard terms.stop > .zero, let watch, exit.isCrossing else { return [exit] }
        var exit = exit
        if watch.hasStood || !watch.isUnseen {
            var details = TermsDetails()
            details.stopped = watch.hasStood
            exit.terms = details
        }
        guard !watch.hasStood, !watch.isUnseen else { return [exit] }
        var missed = exit
        missed.kind = .noStop
        missed.terms = nil
        return [exit, missed]
    }
}

extension Transition {
    /// Whether the vehicle left, rather than the fence being changed or removed.
    var isCrossing: Bool {
        switch reason {
        case .fenceChanged, .fenceRemoved, .schedule, .expired: false
        default: true
        }
    }
}
