import Geodesy
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
        defer { arrival = state.heading == nil && state.told == nil ? nil : state }
        follow(passage, &state, distance)
        let toEnd = route.flatMap { $0.metres(toEndAt: entry) }
        if var told = state.told {
            if case .newPath = passage.link { told.nearest = distance }
            told.nearest = min(told.nearest, distance)
            state.told = told
            guard
                let reason = told.end(
                    at: distance, time, span: entry.fence.terms.arrive, isLed: toEnd != nil)
            else {
                return []
            }
            state.told = nil
            if state.heading != nil { state.heading = Arrival.Heading(at: distance) }
            return [over(at: time, reason: reason)]
        }
        guard passage.isMoving,
            let left = state.heading?.left(
                most: entry.fence.terms.arrive.seconds, alongRoute: toEnd)
        else { return [] }
        state.told = Arrival.Told(at: time, nearest: distance)
        var details = TermsDetails()
        details.eta = time + .seconds(left.rounded())
        return [
            Transition(
                kind: .arriving, stay: 0, time: time, distance: distance, terms: details)
        ]
    }

    private func follow(_ passage: Passage, _ state: inout Arrival, _ distance: Double) {
        guard distance <= entry.arriveReach else {
            state.heading = nil
            return
        }
        // Without the fix before on a new path.
        guard var heading = state.heading, let from = passage.from,
            passage.to.time - from.time <= Arrival.longestHole
        else {
            state.heading = Arrival.Heading(at: distance)
            return
        }
        heading.step(to: distance, way: passage.way, in: passage.to.time - from.time)
        state.heading = heading
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
        return isArriving ? [over(at: time, reason: reason)] : []
    }

    private func over(at time: UTCTime, reason: EventReason) -> Transition {
        Transition(
            kind: .arrivingOver, stay: 0, time: time, reason: reason, distance: lastDistance)
    }
}

extension Arrival.Told {
    /// m, and a share of the least distance.
    private static let (turnedWay, turnedShare) = (400.0, 0.3)
    /// After `arrive_sec`, when it is not there.
    private static let patience = TimeSpan.seconds(300)

    /// Why what was told is over at this distance and time; nil if it is not. One that a route leads
    /// there may first go away from it.
    fileprivate func end(
        at distance: Double, _ time: UTCTime, span: TimeSpan, isLed: Bool
    ) -> EventReason? {
        if !isLed, distance - nearest >= max(Self.turnedWay, Self.turnedShare * nearest) {
            return .turnedOff
        }
        return time - at >= span + Self.patience ? .late : nil
    }
}
