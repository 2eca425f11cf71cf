import Geodesy

/// What the route says of a hazard.
enum RouteOutlook {
    /// Nothing: there is none, or the vehicle is not on it.
    case none
    /// It leads there.
    case ahead
    /// It does not, and of such hazards only `urgent` is to be told.
    case elsewhere
}

extension ApproachRules {
    /// What the route says of that hazard; `geometry` is that of its fence.
    func outlook(_ approach: Approach, _ geometry: Geometry) -> RouteOutlook {
        guard let route else { return .none }
        if route.route.isAhead(approach, geometry, from: route.from) { return .ahead }
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
                on: leg.certain, toGo: s, speed: v, slowing: slowing, bestFixes: Self.sureFixes,
                isQuiet: false)
        case .none, .elsewhere:
            let due = stage(
                on: leg, toGo: s, speed: v, slowing: slowing, bestFixes: bestFixes,
                isQuiet: isQuiet)
            return outlook == .elsewhere && due != .urgent ? nil : due
        }
    }
}

extension Approach.Leg {
    /// The same where the vehicle is known to go on to the hazard.
    var certain: Approach.Leg {
        var leg = self
        leg.chance = 1
        return leg
    }
}
