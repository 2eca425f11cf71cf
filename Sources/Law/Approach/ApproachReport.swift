import Model
import Time

// What is reported of an approach.
extension ApproachRules {
    /// Of a stage: `place` is where the vehicle is, `time` that of the event; `onRoute`, whether the
    /// route counts.
    func details(
        _ approach: Approach, _ shortfall: Shortfall, at place: ApproachProgress.Place,
        on time: UTCTime, onRoute: Bool = false
    ) -> ApproachDetails {
        let limits = approach.limits
        let legs = approach.legs
        let leg = legs.indices.contains(place.leg) ? legs[place.leg] : nil
        let toGo = max(place.toGo, 0)
        let isCertain = onRoute && outlook(approach, toGo: place.toGo) == .ahead
        return ApproachDetails(
            kind: shortfall.kind, limit: shortfall.limit, sign: limits.sign, basis: limits.basis,
            date: limits.date, source: limits.source, condition: limits.condition,
            isDoubtful: limits.isDoubtful, vehicle: shortfall.vehicle,
            certainty: shortfall.kind == .height
                ? vehicle.certainty(at: time, lifetime: settings.confirmationLifetime)
                : .unconfirmed,
            margin: shortfall.margin, shortBy: shortfall.shortBy, toGo: rounded(toGo),
            toGoTime: place.speed >= Movement.leastSpeed ? rounded(toGo / place.speed) : nil,
            toEscape: leg?.lastEscape.map { rounded(place.toGo - $0) }, escape: leg?.escape,
            road: leg?.road ?? "", chance: leg.map { isCertain ? 1 : $0.chance },
            way: leg == nil ? .cone : .corridor)
    }

    /// Of the end of an approach, which the vehicle may fit by now; nil where nobody knows where it
    /// was.
    func details(
        _ approach: Approach, _ progress: ApproachProgress, on time: UTCTime
    ) -> ApproachDetails? {
        guard var place = progress.place, let shortfall = shortfall(approach.limits) else {
            return nil
        }
        place.toGo -= progress.offWay
        return details(approach, shortfall, at: place, on: time)
    }

    /// To 0.1.
    private func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
