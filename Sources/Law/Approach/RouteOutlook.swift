import Model

/// What the route says of a hazard.
enum RouteOutlook {
    /// Nothing: there is none, the vehicle is not on it, or it leads there soon by another way.
    case none
    /// It leads there.
    case ahead
    /// It does not, and of such hazards only `urgent` is to be told.
    case elsewhere
    /// Of such hazards it has led to that one: the vehicle drives away from it, and nothing is to be told.
    case behind
}

extension ApproachRules {
    /// By how much the way along the route may differ from that on the legs, and still be the same, m.
    private static let sameWay = 60.0

    /// What the route says of that hazard; `s` is how far the vehicle has to go there.
    func outlook(_ approach: Approach, toGo s: Double) -> RouteOutlook {
        guard let route, let metres = route.hazards.metres(to: approach) else { return .none }
        if let way = route.way(to: metres, near: s) {
            if (way - s).magnitude <= max(Self.sameWay, s / 10) { return .ahead }
            // Soon, and by another way.
            if way >= 0, way <= Self.farthest { return .none }
            if way < 0, route.offRoute == .urgent { return .behind }
        }
        return route.offRoute == .urgent ? .elsewhere : .none
    }

    /// The stage that is due on a leg, with what the route says.
    func stage(
        on leg: Approach.Leg, toGo s: Double, speed v: Double, slowing: Double?, bestFixes: Int,
        isQuiet: Bool, _ outlook: RouteOutlook
    ) -> ApproachStage? {
        switch outlook {
        case .ahead:
            return stage(
                on: leg.seen(outlook), toGo: s, speed: v, slowing: slowing,
                bestFixes: Self.sureFixes, isQuiet: false)
        case .elsewhere:
            return s <= urgentToGo(on: leg.seen(outlook), speed: v) ? .urgent : nil
        case .behind: return nil
        case .none:
            return stage(
                on: leg, toGo: s, speed: v, slowing: slowing, bestFixes: bestFixes,
                isQuiet: isQuiet)
        }
    }
}

extension Approach.Leg {
    /// The same with the chance that the route gives it: the vehicle goes on, or turns off if it can.
    func seen(_ outlook: RouteOutlook) -> Approach.Leg {
        var leg = self
        switch outlook {
        case .none, .behind: break
        case .ahead: leg.chance = 1
        case .elsewhere: leg.chance = 0
        }
        return leg
    }
}
