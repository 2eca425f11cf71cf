import Geodesy
import Model
import Time

// Hours: outside them a fence is treated as absent.
extension RegionMonitor {
    /// Judges the step to the next accepted fix for a fence with hours or an end, by the time of
    /// the receiver.
    ///
    /// A stay that was open when the hours ended, ends then. If the hours have begun since the
    /// previous fix, the presence is unknown until this fix, as for a fence that was added.
    mutating func judgeInHours(
        _ passage: Passage, law: LawNumbers, announcer: Announcer
    ) -> [Transition] {
        let time = passage.to.time
        let wasOpen = passage.before.map { isOpen(at: $0.time) } ?? true
        // After a power cut the clock may be earlier than the beginning of the open stay.
        let since = min(passage.since ?? openedAt ?? time, time)
        let closed = firstClosed(from: since, through: time)
        var found: [Transition] = []
        if let closed {
            found = close(at: closed, law: law)
            // The step during which they end is not judged along its path.
            for index in found.indices where found[index].driven == nil {
                found[index].driven = passage.driven.before
            }
        }
        lookUp(time)
        guard isOpen(at: time) else {
            rest(passage)
            return found
        }
        if closed != nil || !wasOpen {
            machine = Machine(of: entry, isUnknown: true)
            way = nil
        }
        return found + judgeMachine(passage, law: law, announcer: announcer)
    }

    /// Ends the open stay or approach.
    private mutating func close(at time: UTCTime, law: LawNumbers) -> [Transition] {
        var dwell = TimeSpan.zero
        if case .crossing(.inside(let stay)) = machine, stay.crossedOut == nil {
            dwell = entry.fence.dwell
        }
        defer { setAway() }
        return ending(
            at: max(time, openedAt ?? time), reason: hasExpired(by: time) ? .expired : .schedule,
            distance: lastDistance, dwell: dwell, law: law)
    }

    /// The end of the hours, judged like a dwell: at the later of its time and the time at which a
    /// settle would be decided, so that fixes decide as long as they come.
    func closingDue(after last: Fix, _ settings: CrossingSettings) -> Due? {
        guard entry.isTimed, openedAt != nil else { return nil }
        let time = isOpen(at: last.time) ? closes(after: last.time) : last.time
        guard let time else { return nil }
        return Due(
            .close(at: time),
            at: last.arrival + max(time - last.time, settings.timedDecision))
    }

    /// The decision of ``closingDue(after:_:)``.
    mutating func decideClose(at time: UTCTime, last: Fix, law: LawNumbers) -> [Transition] {
        guard !isOpen(at: time) else {
            extend(from: last.time, to: time)
            return []
        }
        return close(at: time, law: law)
    }
}

extension CatalogueEntry {
    /// Whether it has hours or an end.
    var isTimed: Bool { hours != nil || expires != nil }
    /// Whether it can end by itself.
    @inline(__always)
    var mayEnd: Bool { hasTerms && (expires != nil || isOnce) }
}
