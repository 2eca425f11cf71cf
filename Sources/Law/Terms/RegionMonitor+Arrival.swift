import Model
import Time

// On the way to a fence: section 14 of the law.
extension RegionMonitor {
    /// `arriving` was told, and neither its end nor the arrival has come.
    var isArriving: Bool { entry.isFollowed && arrival?.told != nil }

    /// Judges the fix at the end of a passage, after the crossings that were found on it; `route` is where
    /// the vehicle is on its route.
    mutating func judgeArrival(
        _ passage: Passage, after found: [Transition], _ route: RouteBearing?
    ) -> [Transition] {
        let time = passage.to.time
        // It has arrived, if only for a moment.
        if !found.isEmpty { arrival = nil }
        guard !isSpent, !entry.isTimed || isOpen(at: time) else {
            return endingArrival(
                at: time, reason: hasExpired(by: time) ? .expired : .schedule)
        }
        guard case .crossing(.outside) = machine, let distance = lastDistance else {
            arrival = nil
            return []
        }
        var state = arrival ?? Arrival()
        let finding = state.note(
            passage, at: distance, within: entry.arriveReach, span: entry.fence.terms.arrive,
            alongRoute: route.flatMap { $0.metres(toEndAt: entry) })
        arrival = state.isEmpty ? nil : state
        return finding.map { [$0] } ?? []
    }

    /// There is no room for the fence at this step: nothing is known of the way.
    mutating func leaveArrival() { arrival?.heading = nil }

    /// It is about to become `new`. If its area or its time before arrival changes, the way begins anew,
    /// and what was told of it is over.
    mutating func endArrival(before new: CatalogueEntry, at time: UTCTime?) -> [Transition] {
        guard new.area != entry.area || new.fence.terms.arrive != entry.fence.terms.arrive else {
            return []
        }
        return endingArrival(
            at: time ?? arrival?.told?.at ?? UTCTime(nanoseconds: 0), reason: .fenceChanged)
    }

    /// The end of what was told of the arrival, for another reason than driving; nothing where nothing
    /// was told.
    mutating func endingArrival(at time: UTCTime, reason: EventReason) -> [Transition] {
        defer { arrival = nil }
        guard isArriving else { return [] }
        return [Arrival.over(at: time, reason: reason, distance: lastDistance)]
    }
}
